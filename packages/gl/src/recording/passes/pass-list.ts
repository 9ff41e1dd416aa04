/**
 * Passes of the frame in progress. The initial contents of a buffer are either a clear to one value
 * or a load of contents that an earlier pass or upload wrote.
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
import type { TextureContent } from '../../objects/textures/texture-content.ts';
import { clearedColors, confineDraw, takeClear, withoutColors } from './confine-draw.ts';
import { compactPasses, readScreen, selectNeeded } from './earlier-passes.ts';
import type { FrameAssembler } from './frame-assembler.ts';
import {
  areViews,
  type BufferIdentity,
  type DrawnImage,
  imagesOf,
  isRaw,
  isSameBuffer,
  isSameColor,
  isSameTarget,
  type PassAttachments,
  SCREEN,
} from './pass-attachments.ts';
import { makeTarget } from './pass-target.ts';
import { type PassTime, skipTimes } from './pass-time.ts';
import {
  type CountedPass,
  countNextDraw,
  describeQueries,
  isQueryFull,
  isUncounted,
  type QueryPart,
  storeCounts,
} from './query-part.ts';
import { isAspectWritten, type RecordedPass } from './recorded-pass.ts';
import { isUniform, isZero, uniformColorOf } from './uniform-color.ts';

/** Upper bound on the passes of skipped frames that are kept for later frames. */
const MAX_EARLIER_PASSES = 4096;

/** Initial contents of a target that was never cleared. */
const INITIAL_CLEAR: PassClear = { color: [0, 0, 0, 0], depth: 1, stencil: 0 };

/** Passes of one frame. */
export class PassList {
  readonly #assembler: FrameAssembler;
  readonly #passes: RecordedPass[] = [];
  /** Passes that {@link finish} returned last. */
  #finished: readonly RecordedPass[] = [];
  /** Whether the next pass belongs to a skipped frame. */
  isEarlier = false;
  /** Passes of the active timer query; `null` if none is active. */
  timer: PassTime[] | null = null;
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

  /** Whether a query counts draws of a pass that was not rendered. */
  get hasUncountedQueries(): boolean {
    return this.#passes.some(isUncounted);
  }

  /** Redirects passes from the screen to renderbuffers. */
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

  /**
   * Returns the passes that drew the contents of `objects` and those with uncounted queries, with
   * their resources.
   */
  select(objects: ReadonlySet<ImageObject>): { list: PassList; assembler: FrameAssembler } {
    const wanted = this.contents.listIndices((object) => objects.has(object));
    // A pass to the screen may continue all earlier ones.
    const isScreenCounted = this.#passes.some((pass) => isOnScreen(pass) && isUncounted(pass));
    const needed = selectNeeded(
      this.#passes,
      wanted,
      (pass) => isUncounted(pass) || (isScreenCounted && isOnScreen(pass)),
    );
    return this.#moveTo(needed, wanted);
  }

  /**
   * Returns the passes that a later frame may depend on, because objects still hold what they drew.
   * Drops passes to the screen. Contents that depend on them become unknown.
   *
   * @param maxDraws Upper bound on the draws to keep. With more draws, nothing is kept and the
   *   contents become unknown.
   */
  keepForLater(maxDraws: number): { list: PassList; assembler: FrameAssembler } {
    const shown = readScreen(this.#passes, isOnScreen);
    const wanted = this.contents.listIndices().filter((index) => !shown.has(index));
    const selected = selectNeeded(this.#passes, wanted, () => false);
    const needed = selected.map((pass) => ({ ...pass, isEarlier: true }));
    const draws = needed.reduce((sum, pass) => sum + pass.draws.length, 0);
    if (draws > maxDraws || needed.length > MAX_EARLIER_PASSES) {
      return this.#moveTo([], []);
    }
    return this.#moveTo(needed, wanted);
  }

  /** Returns the passes without those of skipped frames that this frame does not read. */
  withoutUnread(): { list: PassList; assembler: FrameAssembler } {
    if (!this.#passes.some(({ isEarlier }) => isEarlier)) {
      return { list: this, assembler: this.#assembler };
    }
    const isOfFrame = ({ isEarlier }: RecordedPass) => !isEarlier;
    return this.#moveTo(selectNeeded(this.#passes, [], isOfFrame), []);
  }

  /**
   * Copies passes into a new list.
   *
   * @param textures Indices of the textures whose drawn contents the new list takes over.
   */
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
   * Returns the last pass of a target if a draw can continue it, else a new pass.
   *
   * @param isReplaced Whether the caller clears the whole target, so its contents need not be
   *   loaded.
   */
  passFor(attachments: PassAttachments, isReplaced = false): RecordedPass {
    for (let i = this.#passes.length - 1; i >= 0; i--) {
      const pass = this.#passes[i]!;
      if (pass.copies.length > 0) break;
      if (this.#canContinue(pass, attachments)) return pass;
      // Draws into one view continue its pass behind the passes of the other views.
      if (!areViews(pass.attachments, attachments)) break;
    }
    return this.#begin(attachments, isReplaced);
  }

  /**
   * Whether draws can continue a pass: the target is the same and its images still hold what the
   * pass drew.
   */
  #canContinue(pass: RecordedPass, attachments: PassAttachments): boolean {
    return (
      pass.isEarlier === this.isEarlier &&
      pass.timer === this.timer &&
      isSameTarget(pass.attachments, attachments) &&
      pass.images.every(
        ({ image, textureIndex }) => this.contents.indexOf(image.object) === textureIndex,
      )
    );
  }

  /**
   * Appends a draw to the pass of its target.
   *
   * @param query Parts of the query that counts the draw, if there is one.
   */
  append(draw: Draw, attachments: PassAttachments, query: QueryPart[] | null = null): void {
    let pass = this.passFor(attachments);
    if (query !== null) {
      if (isQueryFull(pass, query)) pass = this.#begin(attachments);
      countNextDraw(pass, query);
    }
    pass.draws.push(confineDraw(draw, attachments));
  }

  /**
   * Appends a copy to the pass that draws its source.
   *
   * @param into Destination image.
   * @param isReplaced Whether the copy replaces the whole destination.
   */
  copy(
    attachments: PassAttachments,
    copy: Omit<TargetCopy, 'into'>,
    into: DrawnImage,
    isReplaced = false,
  ): void {
    const isLost = isReplaced && !hasOtherImages(into.object);
    // The destination gets its texture first, because it may be a target of the copied pass.
    const textureIndex = this.#indexOf(into.object, false, isLost);
    const pass = this.#passToCopy(attachments);
    pass.copies.push({ ...copy, into: { textureIndex, level: into.level, slice: into.slice } });
    this.contents.markWritten(into);
  }

  /**
   * Appends a copy into a new texture.
   *
   * @returns Index of the texture.
   */
  copyOut(
    attachments: PassAttachments,
    copy: Omit<TargetCopy, 'into'>,
    content: TextureContent,
  ): number {
    const textureIndex = this.#assembler.addTarget(content, false);
    this.#passToCopy(attachments).copies.push({ ...copy, into: { textureIndex } });
    return textureIndex;
  }

  /**
   * Appends a copy of a whole color image into a new texture. Returns the texture's index, or
   * `null` for an image whose contents are unknown.
   */
  copyOutOf(image: DrawnImage, widthPx: number, heightPx: number): number | null {
    const { object } = image;
    const isDrawn = this.contents.indexOf(object) !== null;
    const isUnknown = 'isDrawnInto' in object && object.isDrawnInto;
    const isKnown = isDrawn ? this.contents.isWritten(image) || this.#isGiven(image) : !isUnknown;
    if (!isKnown) return null;
    return this.copyOut(
      { colors: [image], hasAlpha: true, depth: null, stencil: null },
      { source: 0, sourceX: 0, sourceY: 0, intoX: 0, intoY: 0, widthPx, heightPx },
      { format: image.format, widthPx, heightPx, levels: [], isMipmapGenerated: false },
    );
  }

  /**
   * Returns the last pass if it draws the source of a copy, else a new pass that loads the source.
   */
  #passToCopy(attachments: PassAttachments): RecordedPass {
    const last = this.#passes.at(-1);
    return last !== undefined && this.#canContinue(last, attachments)
      ? last
      : this.#begin(attachments);
  }

  /**
   * Returns the frame's texture index for an image that a draw can sample directly, else `null`.
   * Only level 0 of a 2D texture with contents qualifies. Lookups decode sRGB.
   */
  sampledIndexOf(image: BufferIdentity): number | null {
    if (image === 'screen' || isRaw(image) || image.level > 0 || image.slice > 0) return null;
    const { object } = image;
    const content = object.contentForDrawing();
    if (content === null || (content.dimension ?? '2d') !== '2d') return null;
    const isDrawn = this.contents.indexOf(object) !== null;
    if (isDrawn ? !this.contents.isWritten(image) : content.levels.length === 0) return null;
    const textureIndex = this.#indexOf(object, false);
    return isDrawn || this.#isGiven(image) ? textureIndex : null;
  }

  /**
   * Returns the passes in the format of a frame.
   *
   * @param screen Attachments of the screen, which gets at least one pass. `null` for a frame that
   *   draws only into textures.
   * @param isEndSeen Whether the final contents of textures matter.
   */
  finish(screen: PassAttachments | null = SCREEN, isEndSeen = screen === null): Pass[] {
    if (screen !== null && !this.hasScreenPasses) this.passFor(screen);
    this.#finished = this.#passes.filter(
      (_pass, index) => !this.#isWithoutEffect(index, isEndSeen),
    );
    skipTimes(this.#passes, this.#finished);
    return this.#finished.map((pass) => ({
      clear: pass.clear,
      draws: pass.draws,
      ...(isOnScreen(pass) ? {} : { target: makeTarget(pass) }),
      ...(pass.loads.size === 0 ? {} : { loads: [...pass.loads] }),
      ...(pass.copies.length === 0 ? {} : { copies: pass.copies }),
      ...describeQueries(pass),
    }));
  }

  /** Drops the queries of all passes, whose counts stay unknown. */
  dropQueries(): void {
    for (const { queries } of this.#passes) queries.length = 0;
  }

  /**
   * Stores the counts of the queries.
   *
   * @param rendered Results of the passes that {@link finish} returned last. A missing count is 0.
   */
  adoptCounts(rendered: readonly CountedPass[]): void {
    storeCounts(this.#finished, rendered);
  }

  /** Times of the passes that {@link finish} returned last, or of all passes. */
  timesOf(which: 'finished' | 'all'): readonly (PassTime | null)[] {
    return (which === 'all' ? this.#passes : this.#finished).map(({ time }) => time);
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
      clear: { ...INITIAL_CLEAR, ...clearedColors(INITIAL_CLEAR.color, attachments) },
      loads: new Set(),
      draws: [],
      copies: [],
      queries: [],
      timer: this.timer,
      time: this.timer === null ? null : { nanoseconds: null },
      isEarlier: this.isEarlier,
    };
    if (pass.time !== null) this.timer?.push(pass.time);
    for (const aspect of isReplaced ? [] : TARGET_ASPECTS) {
      const buffers = buffersOf(pass, aspect);
      if (buffers.length > 0) this.#take(pass, aspect, buffers, before);
    }
    for (const { image, textureIndex } of images) {
      // A pass loads all colors or none. A color without contents beside loaded ones starts with
      // zeros.
      const isBlank = !this.contents.hasWrites(image.object) && attachments.colors.includes(image);
      if (isBlank && pass.loads.has('color')) this.#assembler.holdZeros(textureIndex);
      this.contents.markWritten(image);
    }
    this.#passes.push(pass);
    return pass;
  }

  /**
   * Sets the initial contents of one aspect of a pass: a clear if the contents are uniform, else a
   * load.
   *
   * @param written Images that earlier passes or copies have written.
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
      buffers.every((buffer, i) => isSameColor(buffer, buffersOf(earlier, aspect)[i]!));
    if (first !== 'screen' && earlier === undefined) {
      const isKnown = written.some((image) =>
        buffers.some((buffer) => isSameBuffer(buffer, image)),
      );
      const isUniformAsked = aspect === 'color' && others.length === 0 && !this.#isGiven(first!);
      const color = isUniformAsked && !isKnown ? uniformColorOf(first!) : null;
      if (color !== null) pass.clear = { ...withoutColors(pass.clear), color };
      else if (isKnown || buffers.some((buffer) => this.#isGiven(buffer))) pass.loads.add(aspect);
      return;
    }
    if (earlier === undefined) return;
    const isCopiedOver = this.#passes
      .slice(this.#passes.indexOf(earlier))
      .some(({ copies }) =>
        copies.some(({ into }) => buffers.some((buffer) => this.#isInto(buffer, into))),
      );
    // A clear of attachments of different sizes does not cover the larger images.
    const isEven = [pass, earlier].every(({ attachments }) => attachments.isUneven !== true);
    const isClear = isSame && isEven && !isCopiedOver;
    if (isClear && !earlier.loads.has(aspect) && !isAspectWritten(earlier, aspect)) {
      pass.clear = takeClear(pass.clear, aspect, earlier.clear);
    } else {
      pass.loads.add(aspect);
    }
  }

  /**
   * Whether a pass drew the current contents of one of the buffers. New storage since that pass
   * discards them.
   */
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
   * Returns the frame's texture index for an object that a pass draws into. Adds the texture, with
   * its contents if they are known.
   *
   * @param isUniformDropped Whether a clear of the pass represents contents of one color.
   * @param isReplaced Whether the pass replaces all contents.
   */
  #indexOf(object: ImageObject, isUniformDropped: boolean, isReplaced = false): number {
    const known = this.contents.indexOf(object);
    if (known !== null) return known;
    const content = object.contentForDrawing();
    if (content === null) {
      throw new RenderError('FRAME_UNSUPPORTED', 'an incomplete texture is drawn into');
    }
    // Contents with a hash were rendered. Zeros without a hash are the initial contents of a
    // buffer.
    const isUnknown = 'isDrawnInto' in object && object.isDrawnInto;
    const isBlank =
      isReplaced ||
      isUnknown ||
      content.levels.length === 0 ||
      (content.sha256 === undefined && content.levels.every(isZero));
    const isDropped = isUniformDropped && !hasOtherImages(object) && isUniform(content);
    const isGiven = !isBlank && !isDropped;
    const textureIndex = this.#assembler.addTarget(content, isGiven);
    this.contents.add(object, textureIndex, isGiven);
    return textureIndex;
  }

  /** Whether a pass draws nothing and no later pass reads what it clears. */
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
