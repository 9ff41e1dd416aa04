/**
 * The passes of a frame as frames of their own. To chiplets every pass is a whole frame with
 * commands, the grid of its target, and resources. Results of earlier passes are ordinary resources
 * that are named by their content: a texture if the pass samples them, buffers if the pass
 * continues with the contents of its target.
 */
import { createHash } from 'node:crypto';
import {
  type BufferResource,
  type CoarseBinGrid,
  type CopySize,
  chooseGridShape,
  coarseBinCount,
  type Image,
  levelSizeOf,
  makeCoarseBinGrid,
  type PassLink,
  type PreparedFrame,
  type PreparedPass,
  type Sha256,
  type ShaderProgram,
  type TargetClass,
  type TargetContents,
  type TargetCopy,
  type TextureFormat,
  type TextureImage,
  type TextureResource,
  texelBytesOf,
} from '@tessera/frame';
import { summarizeProgram } from '@tessera/shader/isa';
import type { BinPart } from '../bins/bin-splitting.ts';
import type { ComposedTargets } from './compositor.ts';
import { type LoadedImage, type OwnedImage, OwnedImages } from './owned-images.ts';
import {
  type ColorAttachment,
  copiedFormatOf,
  drawnIndices,
  type PassAttachments,
  resolveAttachments,
  SCREEN_INDEX,
  SCREEN_LINK,
  toImage,
} from './pass-attachments.ts';
import { hasRecords } from './pass-composition.ts';
import { type PartSize, TargetStore } from './target-store.ts';

/**
 * Upper bound on the pixels of a bin. A target's grid gets more bins than the screen's if its bins
 * would be larger.
 */
const MAX_BIN_PIXELS = 2 ** 20;

/** One pass, ready for chiplets. */
export interface PassFrame {
  /** Frame with this pass alone. */
  readonly frame: PreparedFrame;
  readonly link: PassLink;
  /** Bytes that earlier passes drew and this one reads. */
  readonly bytesExchanged: number;
  /** Hashes of the buffers with the contents of the target that are loaded. */
  readonly loadedBuffers: ReadonlySet<Sha256>;
  /** Hashes of the resources that hold these bytes. */
  readonly drawnResources: ReadonlySet<Sha256>;
  /**
   * Hash of the texture whose image a buffer holds, by hash of the buffer that the target is loaded
   * from.
   */
  readonly loadedFrom: ReadonlyMap<Sha256, Sha256>;
  /** Earlier passes that drew resources of the vertex shaders, ascending. */
  readonly visibilityNeeds: readonly number[];
  /** Earlier passes that drew textures of the bins, ascending. */
  readonly texturesNeed: readonly number[];
  /** Earlier passes that drew resources of the bins, ascending. */
  readonly binsNeed: readonly number[];
  /** Whether the pass is the last one to the screen. */
  readonly isShown: boolean;
  /** Class of what the pass draws. */
  readonly targetClass: TargetClass;
  /** Images that earlier passes drew, by texture of the pass; empty without `coupling: exact`. */
  readonly ownedImages: readonly (readonly OwnedImage[])[];
  /** Images that the bins load; empty without `coupling: exact`. */
  readonly loadedImages: readonly LoadedImage[];
}

/** Makes the frames of the passes, and keeps the contents of their targets. */
export class PassFrames {
  readonly #frame: PreparedFrame;
  readonly #links: readonly PassLink[];
  /** Grid of each pass. */
  readonly grids: readonly CoarseBinGrid[];
  /** Attachments of each pass. */
  readonly #attachments: readonly PassAttachments[];
  readonly #store: TargetStore;
  /** Passes that drew the contents of a texture or of the screen, by its index. */
  readonly #drawers = new Map<number, Set<number>>();
  /** Owners of pixels; null without `coupling: exact`. */
  readonly #owned: OwnedImages | null;

  constructor(frame: PreparedFrame) {
    this.#frame = frame;
    this.#links = frame.passLinks ?? [SCREEN_LINK];
    this.#store = new TargetStore(frame.textures);
    const { grid } = frame.commands;
    this.#owned = hasRecords(frame) ? new OwnedImages() : null;
    const { passes } = frame.commands;
    this.#attachments = this.#links.map(({ target }, i) => {
      const { widthPx, heightPx } = grid;
      const screen = { widthPx, heightPx, sampleCount: passes[i]!.sampleCount ?? 1 };
      return resolveAttachments(target, screen, frame.textures);
    });
    this.grids = this.#links.map(({ target }, i) =>
      target.kind === 'screen' ? grid : makeTargetGrid(grid, this.#attachments[i]!),
    );
  }

  get count(): number {
    return this.#links.length;
  }

  /** Returns the frame of a pass whose predecessors are finished. */
  make(passIndex: number): PassFrame {
    const frame = this.#frame;
    const link = this.#links[passIndex]!;
    if (frame.passLinks === undefined) {
      const needs = { visibilityNeeds: [], texturesNeed: [], binsNeed: [] };
      const none = {
        ...{ bytesExchanged: 0, loadedBuffers: new Set<Sha256>() },
        ...{ drawnResources: new Set<Sha256>(), loadedFrom: new Map() },
      };
      const images = { ownedImages: frame.textures.map(() => []), loadedImages: [] };
      const shown = { isShown: true, targetClass: 'framebuffer' } as const;
      return { frame, link, ...none, ...needs, ...shown, ...images };
    }

    const pass = frame.commands.passes[passIndex]!;
    const { contents, buffers: loaded, loadedFrom } = this.#loadTarget(passIndex);
    const buffers = [...frame.buffers, ...loaded];
    const { draws, textureIndices } = packTextures(pass);
    const textures = textureIndices.map((index) => this.#store.keepTexture(index));
    const drawnTextures = textures.filter((_, i) => this.#drawers.has(textureIndices[i]!));
    const bytesOf = ({ levels }: TextureResource) =>
      levels.reduce((sum, { length }) => sum + length, 0);
    const targetIndices = drawnIndices(this.#attachments[passIndex]!);
    const drawnBuffers = targetIndices.some((index) => this.#drawers.has(index)) ? loaded : [];
    return {
      frame: {
        commands: {
          ...frame.commands,
          grid: this.grids[passIndex]!,
          buffers: buffers.map((buffer) => buffer.sha256),
          textures: textures.map((texture) => texture.sha256),
          passes: [{ ...pass, draws, contents }],
          copies: link.copies.map((copy) => this.#sizeOf(copy, passIndex)),
        },
        buffers,
        textures,
        programs: frame.programs,
      },
      link,
      bytesExchanged:
        loaded.reduce((sum, { bytes }) => sum + bytes.length, 0) +
        drawnTextures.reduce((sum, texture) => sum + bytesOf(texture), 0),
      loadedBuffers: new Set(loaded.map(({ sha256 }) => sha256)),
      drawnResources: new Set([
        ...drawnBuffers.map(({ sha256 }) => sha256),
        ...drawnTextures.map(({ sha256 }) => sha256),
      ]),
      loadedFrom,
      visibilityNeeds: this.#drawnBy(listVertexTextures(pass, frame.programs)),
      texturesNeed: this.#drawnBy(textureIndices),
      binsNeed: this.#drawnBy([...textureIndices, ...(link.loads.length > 0 ? targetIndices : [])]),
      isShown: passIndex === this.#links.findLastIndex(({ target }) => target.kind === 'screen'),
      targetClass: this.#targetClassOf(passIndex),
      ownedImages: textureIndices.map((index) => this.#owned?.imagesOf(index) ?? []),
      loadedImages:
        this.#owned?.loadedBy(this.#attachments[passIndex]!, link, (index) =>
          this.#store.texture(index),
        ) ?? [],
    };
  }

  /** The framebuffer is what the last pass draws on the screen, if nothing copies it. */
  #targetClassOf(passIndex: number): TargetClass {
    const { target, copies } = this.#links[passIndex]!;
    const isLast = passIndex === this.#links.length - 1;
    return isLast && target.kind === 'screen' && copies.length === 0 ? 'framebuffer' : 'targets';
  }

  #sizeOf(copy: TargetCopy, passIndex: number): CopySize {
    const attachments = this.#attachments[passIndex]!;
    // The frame was validated, so the attachment exists.
    const format = copiedFormatOf(copy, attachments)!;
    const sampleCount = this.#copiedSamplesOf(copy, passIndex);
    const pixels = copy.widthPx * copy.heightPx;
    return {
      readBytes: pixels * texelBytesOf({ format, sampleCount }),
      writtenBytes: pixels * texelBytesOf(this.#store.texture(copy.into.textureIndex)),
    };
  }

  /** Returns the number of samples per pixel of what a copy reads. */
  #copiedSamplesOf({ source }: TargetCopy, passIndex: number): number {
    return source === 'depth-stencil'
      ? this.#attachments[passIndex]!.sampleCount
      : this.#colorSamplesOf(passIndex);
  }

  /** Returns the number of samples per pixel of the colors of finished bins. */
  #colorSamplesOf(passIndex: number): number {
    const { isResolved } = this.#frame.commands.passes[passIndex]!;
    return isResolved ? 1 : this.#attachments[passIndex]!.sampleCount;
  }

  /** Lists the passes that drew the contents of these targets, ascending. */
  #drawnBy(targetIndices: readonly number[]): number[] {
    const passIndices = targetIndices.flatMap((index) => [...(this.#drawers.get(index) ?? [])]);
    return [...new Set(passIndices)].sort((a, b) => a - b);
  }

  /**
   * Stores the results of a pass in its targets and executes its copies.
   *
   * @param parts Bins of the pass, or parts of them.
   * @returns Maker of the image of its first color.
   */
  finish(
    passIndex: number,
    { colors, depthStencil }: ComposedTargets,
    parts: readonly BinPart[],
  ): () => Image {
    const attachments = this.#attachments[passIndex]!;
    const { copies, loads } = this.#links[passIndex]!;
    attachments.colors.forEach((color, i) => {
      if (color === null) return;
      if (color.image === null) this.#store.screen = colors[i]!;
      else this.#store.writeImage(color.image, colors[i]!, attachments);
    });
    const depth = attachments.depthStencil;
    if (depth !== null && depthStencil !== null) {
      if ('ownedBy' in depth) this.#store.setOwnDepth(depth.ownedBy, depthStencil);
      else this.#store.writeImage(depth, depthStencil, attachments);
    }
    for (const copy of copies) {
      const texels = copy.source === 'depth-stencil' ? depthStencil : colors[copy.source];
      const format = copiedFormatOf(copy, attachments);
      if (texels === undefined || texels === null || format === undefined) {
        throw new Error(`pass ${passIndex}: a copy reads an attachment that was not drawn`);
      }
      const { widthPx } = attachments;
      const sampleCount = this.#copiedSamplesOf(copy, passIndex);
      this.#store.copy(copy, { texels, format, widthPx, sampleCount });
    }
    for (const index of drawnIndices(attachments)) {
      this.#noteDrawer(index, passIndex, loads, attachments);
    }
    for (const { into } of copies) this.#noteDrawer(into.textureIndex, passIndex, loads, null);
    const drawing = { passIndex, attachments, link: this.#links[passIndex]!, parts };
    this.#owned?.draw(drawing, (index) => this.#store.texture(index));
    return () => toImage(attachments, colors, this.#colorSamplesOf(passIndex));
  }

  /**
   * Records that a pass drew a texture. Earlier passes stay recorded, unless the texture is one
   * image that the pass replaces completely.
   */
  #noteDrawer(
    index: number,
    passIndex: number,
    loads: PassLink['loads'],
    drawn: PassAttachments | null,
  ): void {
    const texture = index === SCREEN_INDEX ? null : this.#store.texture(index);
    const isOneImage =
      texture === null ||
      (texture.levels.length <= 1 &&
        levelSizeOf(texture, 0).sliceCount === 1 &&
        isCovered(texture, drawn ?? texture));
    const isReplaced = isOneImage && loads.length === 0;
    const before = isReplaced ? [] : (this.#drawers.get(index) ?? []);
    this.#drawers.set(index, new Set([...before, passIndex]));
  }

  /** Image on the screen; null if no pass draws to it. */
  get screen(): Image | null {
    const { widthPx, heightPx } = this.#frame.commands.grid;
    const rgba = this.#store.screen;
    return rgba === null ? null : { widthPx, heightPx, rgba };
  }

  /** Lists the passes that drew the contents of a texture, ascending. */
  drawersOf(textureIndex: number): number[] {
    return this.#drawnBy([textureIndex]);
  }

  /** Textures that passes drew into, with their current contents, by index. */
  get drawnTextures(): ReadonlyMap<number, TextureResource> {
    return this.#store.drawnTextures;
  }

  #loadTarget(passIndex: number): {
    contents: TargetContents | null;
    buffers: BufferResource[];
    loadedFrom: ReadonlyMap<Sha256, Sha256>;
  } {
    const { loads } = this.#links[passIndex]!;
    const attachments = this.#attachments[passIndex]!;
    const { colors, depthStencil } = attachments;
    const isColorLoaded = loads.includes('color');
    const isDepthLoaded = loads.includes('depth');
    const isStencilLoaded = loads.includes('stencil');
    const isDepthStencilStored = this.#isDepthNeeded(passIndex);
    const isDepthStencilLoaded = depthStencil !== null && (isDepthLoaded || isStencilLoaded);
    if (!isColorLoaded && !isDepthStencilLoaded && !isDepthStencilStored) {
      return { contents: null, buffers: [], loadedFrom: new Map() };
    }
    const buffers: BufferResource[] = [];
    const loadedFrom = new Map<Sha256, Sha256>();
    const add = (bytes: Uint8Array, image: TextureImage | null): number => {
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      buffers.push({ sha256, bytes });
      if (image !== null) loadedFrom.set(sha256, this.#store.texture(image.textureIndex).sha256);
      return this.#frame.buffers.length + buffers.length - 1;
    };
    const readColor = ({ image }: ColorAttachment): Uint8Array =>
      image === null ? this.#store.screen! : this.#store.readImage(image, attachments);
    const readDepth = (): Uint8Array =>
      'ownedBy' in depthStencil!
        ? this.#store.ownDepth(depthStencil.ownedBy)!
        : this.#store.readImage(depthStencil!, attachments);
    return {
      contents: {
        colorBufferIndices: colors.map((color) =>
          isColorLoaded && color !== null ? add(readColor(color), color.image) : null,
        ),
        depthStencilBufferIndex: isDepthStencilLoaded
          ? add(readDepth(), 'ownedBy' in depthStencil ? null : depthStencil)
          : null,
        isDepthLoaded: isDepthStencilLoaded && isDepthLoaded,
        isStencilLoaded: isDepthStencilLoaded && isStencilLoaded,
        isDepthStencilStored,
      },
      buffers,
      loadedFrom,
    };
  }

  /** Whether any later pass or copy reads the depth or stencil of the pass. */
  #isDepthNeeded(passIndex: number): boolean {
    const { depthStencil } = this.#attachments[passIndex]!;
    if (depthStencil === null) return false;
    if (this.#links[passIndex]!.copies.some(({ source }) => source === 'depth-stencil'))
      return true;
    if (!('ownedBy' in depthStencil)) return true;
    const isOwner = ({ depthStencil: other }: PassAttachments) =>
      other !== null && 'ownedBy' in other && other.ownedBy === depthStencil.ownedBy;
    const next = this.#attachments.findIndex((other, i) => i > passIndex && isOwner(other));
    return this.#links[next]?.loads.some((aspect) => aspect !== 'color') ?? false;
  }
}

/** Whether a pass of this size draws all of an image. */
function isCovered(image: PartSize, pass: PartSize): boolean {
  return image.widthPx === pass.widthPx && image.heightPx === pass.heightPx;
}

function makeTargetGrid(
  screen: CoarseBinGrid,
  { colors, widthPx, heightPx, sampleCount }: PassAttachments,
): CoarseBinGrid {
  // Wide texels, many colors and many samples fill a chiplet's memory sooner.
  const vectors = colors.reduce((sum, color) => sum + (isNarrow(color?.format) ? 1 : 4), 0);
  const share = sampleCount * Math.max(1, vectors / 4);
  const wanted = Math.ceil((widthPx * heightPx * share) / MAX_BIN_PIXELS);
  const binCount = Math.max(coarseBinCount(screen), wanted);
  const { columns, rows } = chooseGridShape(binCount, widthPx, heightPx);
  return makeCoarseBinGrid(widthPx, heightPx, columns, rows, screen.fineBinPx);
}

function isNarrow(format: TextureFormat | undefined): boolean {
  return format === undefined || format.includes('8unorm');
}

/**
 * Returns draws whose texture indices count only the textures of the pass. `textureIndices` are
 * their indices in the frame.
 */
function packTextures(pass: PreparedPass): {
  draws: PreparedPass['draws'];
  textureIndices: readonly number[];
} {
  const packedByIndex = new Map<number, number>();
  const draws = pass.draws.map((draw) => ({
    ...draw,
    textures: draw.textures.map((binding) => {
      if (binding === null) return null;
      const packed = packedByIndex.get(binding.textureIndex) ?? packedByIndex.size;
      packedByIndex.set(binding.textureIndex, packed);
      return { ...binding, textureIndex: packed };
    }),
  }));
  return { draws, textureIndices: [...packedByIndex.keys()] };
}

/**
 * Lists the textures of draws whose vertex shaders sample any. Textures that only the fragment
 * shader of such a draw samples are included.
 */
export function listVertexTextures(
  pass: PreparedPass,
  programs: readonly ShaderProgram[],
): number[] {
  return pass.draws
    .filter(({ programIndex }) => summarizeProgram(programs[programIndex]!.vertex).textureReads > 0)
    .flatMap(({ textures }) => textures.flatMap((binding) => binding?.textureIndex ?? []));
}
