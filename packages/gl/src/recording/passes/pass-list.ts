/**
 * The passes of the frame that is recorded. Each remembers what its buffers hold when it begins: a value all
 * over, which is a clear, or what an earlier pass or an upload left, which is loaded.
 */
import {
  type Draw,
  type Pass,
  type PassClear,
  RenderError,
  TARGET_ASPECTS,
  type TargetAspect,
  type TargetCopy,
  type TextureImage,
} from '@tessera/frame';
import { hasOtherImages, ImageContents, type ImageObject } from '../../contents/image-contents.ts';
import type { TextureContent } from '../../objects/textures/texture-object.ts';
import { compactPasses, selectNeeded } from './earlier-passes.ts';
import type { FrameAssembler } from './frame-assembler.ts';
import {
  type BufferIdentity,
  confineDraw,
  type DrawnImage,
  imagesOf,
  isSameBuffer,
  isSameTarget,
  type PassAttachments,
  SCREEN,
  storedColor,
} from './pass-attachments.ts';
import { isUniform, uniformColorOf } from './uniform-color.ts';

export interface RecordedPass {
  readonly attachments: PassAttachments;
  /** By buffer of the target. */
  readonly images: readonly { readonly image: DrawnImage; readonly textureIndex: number }[];
  clear: PassClear;
  readonly loads: Set<TargetAspect>;
  readonly draws: Draw[];
  /** What follows copies belongs to the next pass. */
  readonly copies: TargetCopy[];
  /** Of a frame before the one that is wanted. */
  readonly isEarlier: boolean;
}

/** Passes of earlier frames that are kept for what they drew. */
const MAX_EARLIER_PASSES = 256;

/** What a target that nobody cleared holds. */
const INITIAL_CLEAR: PassClear = { color: [0, 0, 0, 0], depth: 1, stencil: 0 };

export class PassList {
  readonly #assembler: FrameAssembler;
  readonly #passes: RecordedPass[] = [];
  /** Whether what is recorded now is of a frame before the one that is wanted. */
  isEarlier = false;
  readonly contents = new ImageContents();

  constructor(assembler: FrameAssembler) {
    this.#assembler = assembler;
  }

  get isEmpty(): boolean {
    return this.#passes.length === 0;
  }

  get passCount(): number {
    return this.#passes.length;
  }

  get hasScreenPasses(): boolean {
    return this.#passes.some(isOnScreen);
  }

  /** Turns what was drawn to the screen to images of renderbuffers. */
  leaveScreen(attachments: PassAttachments): void {
    if (!this.hasScreenPasses) return;
    const images = imagesOf(attachments).map((image) => ({
      image,
      textureIndex: this.#indexOf(image.object, false),
    }));
    for (const [index, pass] of this.#passes.entries()) {
      if (isOnScreen(pass)) this.#passes[index] = { ...pass, attachments, images };
    }
    for (const { image } of images) this.contents.markWritten(image);
  }

  /** Returns the passes that the contents of `objects` come from, with their resources. */
  select(objects: ReadonlySet<ImageObject>): { list: PassList; assembler: FrameAssembler } {
    const wanted = this.contents.listIndices((object) => objects.has(object));
    const needed = selectNeeded(this.#passes, wanted, () => false);
    return this.#moveTo(needed, wanted);
  }

  /**
   * Returns the passes that a later frame may depend on: those whose contents objects still hold. Passes to the
   * screen are dropped.
   *
   * @param maxDraws Upper bound on the draws to keep. With more, nothing is kept and the contents are unknown.
   */
  keepForLater(maxDraws: number): { list: PassList; assembler: FrameAssembler; draws: number } {
    const wanted = this.contents.listIndices();
    const needed = selectNeeded(this.#passes, wanted, () => false).filter(
      (pass) => !isOnScreen(pass),
    );
    const draws = needed.reduce((sum, pass) => sum + pass.draws.length, 0);
    if (draws > maxDraws || needed.length > MAX_EARLIER_PASSES) {
      return { ...this.#moveTo([], []), draws: 0 };
    }
    return { ...this.#moveTo(needed, wanted), draws };
  }

  /** Returns the passes without those of earlier frames that this frame does not read. */
  withoutUnread(): { list: PassList; assembler: FrameAssembler } {
    if (!this.#passes.some(({ isEarlier }) => isEarlier)) {
      return { list: this, assembler: this.#assembler };
    }
    const isOfFrame = ({ isEarlier }: RecordedPass) => !isEarlier;
    return this.#moveTo(selectNeeded(this.#passes, [], isOfFrame), []);
  }

  /** Copies passes into a list of their own. @param textures Textures whose contents stay known. */
  #moveTo(
    kept: readonly RecordedPass[],
    textures: readonly number[],
  ): { list: PassList; assembler: FrameAssembler } {
    const { passes, assembler, indices } = compactPasses(kept, textures, this.#assembler);
    const list = new PassList(assembler);
    list.#passes.push(...passes);
    const isKept = new Set(textures);
    this.contents.copyTo(list.contents, (index) =>
      isKept.has(index) ? indices.textures.get(index)! : undefined,
    );
    return { list, assembler };
  }

  /**
   * The pass that is under way, or a new one if the last had another target.
   *
   * @param isReplaced Whether the caller clears all that a new one has: what is there does not matter then.
   */
  passFor(attachments: PassAttachments, isReplaced = false): RecordedPass {
    const last = this.#passes.at(-1);
    const isUnderWay =
      last !== undefined && last.copies.length === 0 && this.#goesOn(last, attachments);
    return isUnderWay ? last : this.#begin(attachments, isReplaced);
  }

  /** Whether what is recorded next may belong to a pass: its target is the same, and holds what it drew. */
  #goesOn(pass: RecordedPass, attachments: PassAttachments): boolean {
    return (
      pass.isEarlier === this.isEarlier &&
      isSameTarget(pass.attachments, attachments) &&
      pass.images.every(
        ({ image, textureIndex }) => this.contents.indexOf(image.object) === textureIndex,
      )
    );
  }

  /** Adds a draw to its pass. */
  append(draw: Draw, attachments: PassAttachments): void {
    this.passFor(attachments).draws.push(confineDraw(draw, attachments));
  }

  /**
   * Adds a copy of what a target holds to the pass that draws it.
   *
   * @param into Where it goes.
   * @param isReplaced Whether nothing of that image stays.
   */
  copy(
    attachments: PassAttachments,
    copy: Omit<TargetCopy, 'into'>,
    into: DrawnImage,
    isReplaced = false,
  ): void {
    const isLost = isReplaced && !hasOtherImages(into.object);
    // The texture is named first: the pass that it is a target of may be the one that is copied.
    const textureIndex = this.#indexOf(into.object, false, isLost);
    const pass = this.#passToCopy(attachments);
    pass.copies.push({ ...copy, into: { textureIndex, level: into.level, slice: into.slice } });
    this.contents.markWritten(into);
  }

  /** Adds a copy of what a target holds into a texture of its own. @returns Its index. */
  copyOut(
    attachments: PassAttachments,
    copy: Omit<TargetCopy, 'into'>,
    content: TextureContent,
  ): number {
    const textureIndex = this.#assembler.addTarget(content, false);
    this.#passToCopy(attachments).copies.push({ ...copy, into: { textureIndex } });
    return textureIndex;
  }

  /** The pass that draws what is to be copied, as the last one. */
  #passToCopy(attachments: PassAttachments): RecordedPass {
    const last = this.#passes.at(-1);
    return last !== undefined && this.#goesOn(last, attachments) ? last : this.#begin(attachments);
  }

  /**
   * The frame's texture for an image, where a draw may sample that as it is: level 0 of a 2D texture that holds
   * something; else `null`.
   */
  sampledIndexOf(image: BufferIdentity): number | null {
    if (image === 'screen' || image.level > 0 || image.slice > 0) return null;
    const { object } = image;
    const content = object.contentForDrawing();
    if (content === null || (content.dimension ?? '2d') !== '2d') return null;
    const isDrawn = this.contents.indexOf(object) !== null;
    if (isDrawn ? !this.contents.isWritten(image) : content.levels.length === 0) return null;
    const textureIndex = this.#indexOf(object, false);
    return isDrawn || this.#isGiven(image) ? textureIndex : null;
  }

  /**
   * The passes as a frame has them.
   *
   * @param screen There is a pass to it; `null`: the frame is for what it draws into textures.
   * @param isEndSeen Whether what textures hold in the end matters.
   */
  finish(screen: PassAttachments | null = SCREEN, isEndSeen = screen === null): Pass[] {
    if (screen !== null && !this.hasScreenPasses) this.passFor(screen);
    return this.#passes
      .filter((_pass, index) => !this.#isWithoutEffect(index, isEndSeen))
      .map((pass) => ({
        clear: pass.clear,
        draws: pass.draws,
        ...(isOnScreen(pass) ? {} : { target: makeTarget(pass) }),
        ...(pass.loads.size === 0 ? {} : { loads: [...pass.loads] }),
        ...(pass.copies.length === 0 ? {} : { copies: pass.copies }),
      }));
  }

  #begin(attachments: PassAttachments, isCleared = false): RecordedPass {
    const isUneven = attachments.isUneven === true;
    const isReplaced = isCleared && !isUneven;
    const drawn = imagesOf(attachments);
    const before = isReplaced ? [] : drawn.filter((image) => this.contents.isWritten(image));
    const isUniformDropped = attachments.colors.length === 1 && !isReplaced && !isUneven;
    const images = drawn.map((image) => {
      const isLost = isReplaced && !hasOtherImages(image.object);
      return { image, textureIndex: this.#indexOf(image.object, isUniformDropped, isLost) };
    });
    const pass: RecordedPass = {
      attachments,
      images,
      clear: {
        ...INITIAL_CLEAR,
        color: storedColor(INITIAL_CLEAR.color, attachments.hasAlpha),
      },
      loads: new Set(),
      draws: [],
      copies: [],
      isEarlier: this.isEarlier,
    };
    for (const aspect of isReplaced ? [] : TARGET_ASPECTS) {
      const buffers = buffersOf(pass, aspect);
      if (buffers.length > 0) this.#take(pass, aspect, buffers, before);
    }
    for (const { image, textureIndex } of images) {
      // Loads are for all colors or none, so an unwritten color beside written ones holds zeros.
      const isBlank = !this.contents.hasWrites(image.object) && attachments.colors.includes(image);
      if (isBlank && pass.loads.has('color')) this.#assembler.holdZeros(textureIndex);
      this.contents.markWritten(image);
    }
    this.#passes.push(pass);
    return pass;
  }

  /**
   * Takes over what the buffers of an aspect hold: one value all over is a clear, all else is loaded.
   *
   * @param written Images that passes or copies have written before.
   */
  #take(
    pass: RecordedPass,
    aspect: TargetAspect,
    buffers: readonly BufferIdentity[],
    written: readonly DrawnImage[],
  ): void {
    const [first, ...others] = buffers;
    const earlier = this.#passes.findLast((candidate) =>
      this.#sharesBuffer(candidate, aspect, buffers),
    );
    const isSame =
      earlier !== undefined &&
      buffersOf(earlier, aspect).length === buffers.length &&
      buffers.every((buffer, i) => isSameBuffer(buffer, buffersOf(earlier, aspect)[i]!));
    if (first !== 'screen' && earlier === undefined) {
      const isKnown = written.some((image) =>
        buffers.some((buffer) => isSameBuffer(buffer, image)),
      );
      const isUniformAsked = aspect === 'color' && others.length === 0 && !this.#isGiven(first!);
      const color = isUniformAsked && !isKnown ? uniformColorOf(first!) : null;
      if (color !== null) pass.clear = { ...pass.clear, color };
      else if (isKnown || buffers.some((buffer) => this.#isGiven(buffer))) pass.loads.add(aspect);
      return;
    }
    if (earlier === undefined) return;
    const isCopiedOver = this.#passes
      .slice(this.#passes.indexOf(earlier))
      .some(({ copies }) =>
        copies.some(({ into }) => buffers.some((buffer) => this.#isInto(buffer, into))),
      );
    // What an uneven pass cleared is not all of an image.
    const isEven = [pass, earlier].every(({ attachments }) => attachments.isUneven !== true);
    const isClear = isSame && isEven && !isCopiedOver;
    if (isClear && !earlier.loads.has(aspect) && !isWritten(earlier, aspect)) {
      pass.clear = { ...pass.clear, [aspect]: earlier.clear[aspect] };
    } else {
      pass.loads.add(aspect);
    }
  }

  /** Whether a pass has drawn into what one of the buffers holds now; storage that was set anew since holds nothing of it. */
  #sharesBuffer(
    pass: RecordedPass,
    aspect: TargetAspect,
    buffers: readonly BufferIdentity[],
  ): boolean {
    return buffersOf(pass, aspect).some((other) => {
      if (!buffers.some((buffer) => isSameBuffer(buffer, other))) return false;
      if (other === 'screen') return true;
      const drawn = pass.images.find(({ image }) => isSameBuffer(image, other));
      return drawn?.textureIndex === this.contents.indexOf(other.object);
    });
  }

  #isInto(buffer: BufferIdentity, into: TextureImage): boolean {
    if (buffer === 'screen') return false;
    return (
      this.contents.indexOf(buffer.object) === into.textureIndex &&
      buffer.level === into.level &&
      buffer.slice === into.slice
    );
  }

  #isGiven(buffer: BufferIdentity): boolean {
    return buffer !== 'screen' && this.contents.isGiven(buffer.object);
  }

  /**
   * The frame's texture for an object that is drawn into, made with what it holds if there is none yet.
   *
   * @param isUniformDropped Whether a pass clears to the colour that it has all over.
   * @param isReplaced Whether nothing of what it holds is seen any more.
   */
  #indexOf(object: ImageObject, isUniformDropped: boolean, isReplaced = false): number {
    const known = this.contents.indexOf(object);
    if (known !== null) return known;
    const content = object.contentForDrawing();
    if (content === null) {
      throw new RenderError('FRAME_UNSUPPORTED', 'an incomplete texture is drawn into');
    }
    // What was put back is known; zeros that nobody wrote are what buffers begin with.
    const isUnknown = 'isDrawnInto' in object && object.isDrawnInto;
    const isBlank =
      isReplaced ||
      isUnknown ||
      content.levels.length === 0 ||
      (content.sha256 === undefined &&
        content.levels.every((level) => level.every((byte) => byte === 0)));
    const isDropped = isUniformDropped && !hasOtherImages(object) && isUniform(content);
    const isGiven = !isBlank && !isDropped;
    const textureIndex = this.#assembler.addTarget(content, isGiven);
    this.contents.add(object, textureIndex, isGiven);
    return textureIndex;
  }

  /** Whether nothing is drawn in a pass and nobody sees what it clears. */
  #isWithoutEffect(index: number, isEndSeen: boolean): boolean {
    const pass = this.#passes[index]!;
    if (pass.draws.length > 0 || pass.copies.length > 0) return false;
    for (const later of this.#passes.slice(index + 1)) {
      if (isSameTarget(later.attachments, pass.attachments)) return later.loads.size === 0;
      const indices = pass.images.map(({ textureIndex }) => textureIndex);
      const isShared = later.images.some(({ textureIndex }) => indices.includes(textureIndex));
      const isSampled = later.draws.some(({ textures }) =>
        Object.values(textures).some(({ textureIndex }) => indices.includes(textureIndex)),
      );
      if (isShared || isSampled) return false;
    }
    return !isEndSeen && !isOnScreen(pass);
  }
}

const isOnScreen = ({ attachments }: RecordedPass): boolean => attachments.colors[0] === 'screen';

function buffersOf({ attachments }: RecordedPass, aspect: TargetAspect): BufferIdentity[] {
  const buffers = aspect === 'color' ? attachments.colors : [attachments[aspect]];
  return buffers.filter((buffer) => buffer !== null);
}

/** The target of a pass that is not to the screen: one image of a texture where that is all there is. */
function makeTarget({ attachments, images }: RecordedPass): NonNullable<Pass['target']> {
  const { colors, depth, stencil } = attachments;
  const imageOf = (buffer: BufferIdentity | null): TextureImage | null => {
    const found = images.find(({ image }) => isSameBuffer(image, buffer));
    if (found === undefined) return null;
    const { level, slice } = found.image;
    return {
      textureIndex: found.textureIndex,
      ...(level === 0 ? {} : { level }),
      ...(slice === 0 ? {} : { slice }),
    };
  };
  const only = colors.length === 1 ? imageOf(colors[0]!) : null;
  const depthStencil = imageOf(depth ?? stencil);
  if (only !== null && depthStencil === null) return { kind: 'texture', ...only };
  return { kind: 'images', colors: colors.map(imageOf), depthStencil };
}

/** Whether a draw of the pass may write it. */
function isWritten({ draws }: RecordedPass, aspect: TargetAspect): boolean {
  return draws.some(({ state: { colorMask, depth, stencil } }) => {
    if (aspect === 'color') return colorMask.includes(true);
    if (aspect === 'stencil') return stencil.isTestEnabled;
    return depth.isTestEnabled && depth.isWriteEnabled;
  });
}
