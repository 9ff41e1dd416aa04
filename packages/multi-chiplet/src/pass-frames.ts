/**
 * The passes of a frame as frames of their own. To chiplets every pass is a whole frame: commands, the grid of
 * its target, resources. What earlier passes drew is among these as ordinary resources, named by their content:
 * a texture where it is sampled, buffers where a pass goes on with what its target held.
 */
import { createHash } from 'node:crypto';
import {
  type BufferResource,
  type CoarseBinGrid,
  chooseGridShape,
  coarseBinCount,
  type Image,
  makeCoarseBinGrid,
  type PassLink,
  type PreparedFrame,
  type PreparedPass,
  type Sha256,
  type ShaderProgram,
  type TargetContents,
  type TextureResource,
} from '@tessera/frame';
import { summarizeProgram } from '@tessera/shader';

/** The grid of a target gets more bins than the screen's if they would be larger than this. */
const MAX_BIN_PIXELS = 2 ** 20;

/** One pass, ready for chiplets. */
export interface PassFrame {
  /** With this pass alone. */
  readonly frame: PreparedFrame;
  readonly link: PassLink;
  /** What earlier passes drew and this one reads. */
  readonly bytesExchanged: number;
  /** Hashes of the resources that hold it. */
  readonly drawnResources: ReadonlySet<Sha256>;
  /** Earlier passes that drew what the visibility phase reads, ascending. */
  readonly visibilityNeeds: readonly number[];
  /** Earlier passes that drew what the bins read, ascending. */
  readonly binsNeed: readonly number[];
}

/** What a target holds between passes. */
interface TargetState {
  /** The pass that drew it. */
  readonly passIndex: number;
  readonly image: Image;
  readonly depthStencil: Uint8Array | null;
}

const SCREEN_LINK: PassLink = { target: { kind: 'screen' }, loads: [] };

export class PassFrames {
  readonly #frame: PreparedFrame;
  readonly #links: readonly PassLink[];
  /** By pass. */
  readonly grids: readonly CoarseBinGrid[];
  /** By index of the texture; the screen is −1. */
  readonly #states = new Map<number, TargetState>();
  /** Textures as they are sampled now: as given, or as passes drew them. */
  readonly #textures: TextureResource[];

  constructor(frame: PreparedFrame) {
    this.#frame = frame;
    this.#links = frame.passLinks ?? [SCREEN_LINK];
    this.#textures = [...frame.textures];
    this.grids = this.#links.map((link) => makeTargetGrid(frame, link));
  }

  get count(): number {
    return this.#links.length;
  }

  /** The frame of a pass whose predecessors are finished. */
  make(passIndex: number): PassFrame {
    const frame = this.#frame;
    const link = this.#links[passIndex]!;
    if (frame.passLinks === undefined) {
      const needs = { visibilityNeeds: [], binsNeed: [] };
      return { frame, link, bytesExchanged: 0, drawnResources: new Set(), ...needs };
    }

    const pass = frame.commands.passes[passIndex]!;
    const { contents, buffers: loaded } = this.#loadTarget(passIndex);
    const buffers = [...frame.buffers, ...loaded];
    const { draws, textureIndices } = packTextures(pass);
    const textures = textureIndices.map((textureIndex) => this.#textures[textureIndex]!);
    const drawnTextures = textureIndices.filter((textureIndex) => this.#states.has(textureIndex));
    const bytesOf = (textureIndex: number) => this.#textures[textureIndex]!.levels[0]!.length;
    const drawnBuffers = this.#states.has(targetIndexOf(link)) ? loaded : [];
    return {
      frame: {
        commands: {
          ...frame.commands,
          grid: this.grids[passIndex]!,
          buffers: buffers.map((buffer) => buffer.sha256),
          textures: textures.map((texture) => texture.sha256),
          passes: [{ clear: pass.clear, draws, contents }],
        },
        buffers,
        textures,
        programs: frame.programs,
      },
      link,
      bytesExchanged:
        loaded.reduce((sum, { bytes }) => sum + bytes.length, 0) +
        drawnTextures.reduce((sum, textureIndex) => sum + bytesOf(textureIndex), 0),
      drawnResources: new Set([
        ...drawnBuffers.map(({ sha256 }) => sha256),
        ...drawnTextures.map((textureIndex) => this.#textures[textureIndex]!.sha256),
      ]),
      visibilityNeeds: this.#drawnBy(listVertexTextures(pass, frame.programs)),
      binsNeed: this.#drawnBy([
        ...textureIndices,
        ...(link.loads.length > 0 ? [targetIndexOf(link)] : []),
      ]),
    };
  }

  /** The passes that drew what these targets hold, ascending. */
  #drawnBy(targetIndices: readonly number[]): number[] {
    const passIndices = targetIndices.map((index) => this.#states.get(index)?.passIndex ?? -1);
    return [...new Set(passIndices)].filter((index) => index >= 0).sort((a, b) => a - b);
  }

  /** Notes what a pass left in its target. */
  finish(passIndex: number, image: Image, depthStencil: Uint8Array | null): void {
    const targetIndex = targetIndexOf(this.#links[passIndex]!);
    this.#states.set(targetIndex, { passIndex, image, depthStencil });
    const texture = this.#textures[targetIndex];
    if (texture !== undefined) this.#textures[targetIndex] = resolveTexture(texture, image);
  }

  /** What is on the screen. */
  get screen(): Image {
    const state = this.#states.get(-1);
    if (state === undefined) throw new Error('pass frames: nothing was drawn to the screen');
    return state.image;
  }

  #loadTarget(passIndex: number): { contents: TargetContents | null; buffers: BufferResource[] } {
    const { loads } = this.#links[passIndex]!;
    const [isColorLoaded, isDepthLoaded, isStencilLoaded] = (
      ['color', 'depth', 'stencil'] as const
    ).map((aspect) => loads.includes(aspect));
    const isDepthStencilStored = this.#isDepthStencilLoadedLater(passIndex);
    const isDepthStencilLoaded = isDepthLoaded! || isStencilLoaded!;
    if (!isColorLoaded && !isDepthStencilLoaded && !isDepthStencilStored) {
      return { contents: null, buffers: [] };
    }
    const targetIndex = targetIndexOf(this.#links[passIndex]!);
    const state = this.#states.get(targetIndex);
    const buffers: BufferResource[] = [];
    const add = (bytes: Uint8Array): number => {
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      buffers.push({ sha256, bytes });
      return this.#frame.buffers.length + buffers.length - 1;
    };
    const colorOf = () => state?.image.rgba ?? this.#givenColor(targetIndex);
    return {
      contents: {
        colorBufferIndex: isColorLoaded ? add(colorOf()) : null,
        depthStencilBufferIndex: isDepthStencilLoaded ? add(state!.depthStencil!) : null,
        isDepthLoaded: isDepthLoaded!,
        isStencilLoaded: isStencilLoaded!,
        isDepthStencilStored,
      },
      buffers,
    };
  }

  /** Level 0 as the frame gives it, as a picture: from the top. */
  #givenColor(targetIndex: number): Uint8Array {
    const { widthPx, levels } = this.#textures[targetIndex]!;
    return flipRows(levels[0]!, widthPx * 4);
  }

  /** Whether the next pass into the same target goes on with depth or stencil. */
  #isDepthStencilLoadedLater(passIndex: number): boolean {
    const targetIndex = targetIndexOf(this.#links[passIndex]!);
    const next = this.#links
      .slice(passIndex + 1)
      .find((link) => targetIndexOf(link) === targetIndex);
    return next?.loads.some((aspect) => aspect !== 'color') ?? false;
  }
}

function targetIndexOf({ target }: PassLink): number {
  return target.kind === 'screen' ? -1 : target.textureIndex;
}

function makeTargetGrid({ commands, textures }: PreparedFrame, link: PassLink): CoarseBinGrid {
  if (link.target.kind === 'screen') return commands.grid;
  const { widthPx, heightPx } = textures[link.target.textureIndex]!;
  const wanted = Math.ceil((widthPx * heightPx) / MAX_BIN_PIXELS);
  const binCount = Math.max(coarseBinCount(commands.grid), wanted);
  const { columns, rows } = chooseGridShape(binCount, widthPx, heightPx);
  return makeCoarseBinGrid(widthPx, heightPx, columns, rows, commands.grid.fineBinPx);
}

/** Draws that name only the textures of their pass. `textureIndices` are those in the frame. */
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

/** Textures of draws whose vertex shaders sample some; which of the draw's these are is not asked. */
function listVertexTextures(pass: PreparedPass, programs: readonly ShaderProgram[]): number[] {
  return pass.draws
    .filter(({ programIndex }) => summarizeProgram(programs[programIndex]!.vertex).textureReads > 0)
    .flatMap(({ textures }) => textures.flatMap((binding) => binding?.textureIndex ?? []));
}

/** The picture of a target as level 0 of its texture, whose row 0 is the lowest. */
function resolveTexture(texture: TextureResource, { widthPx, rgba }: Image): TextureResource {
  const level = flipRows(rgba, widthPx * 4);
  return { ...texture, sha256: hashTexture(texture, level), levels: [level] };
}

function hashTexture(texture: TextureResource, level: Uint8Array): Sha256 {
  const { format, widthPx, heightPx, isMipmapGenerated } = texture;
  const levels = isMipmapGenerated ? 'generated' : '1';
  return createHash('sha256')
    .update(`drawn ${format} ${widthPx}x${heightPx} ${levels}\n`)
    .update(level)
    .digest('hex');
}

function flipRows(bytes: Uint8Array, rowBytes: number): Uint8Array {
  const flipped = new Uint8Array(bytes.length);
  for (let from = 0; from < bytes.length; from += rowBytes) {
    flipped.set(bytes.subarray(from, from + rowBytes), bytes.length - rowBytes - from);
  }
  return flipped;
}
