/**
 * Resolves the contents of textures and renderbuffers before a draw, clear, copy or upload depends
 * on them:
 *
 * - a pass continues an image that a pending frame has drawn,
 * - a draw samples mipmaps of a base level that was replaced,
 * - a draw samples stencil values that a pass has drawn,
 * - a draw samples one level of a texture and writes another.
 */

import { hasOtherImages, type ImageObject } from '../contents/image-contents.ts';
import type { FramebufferObject } from '../objects/framebuffers/framebuffer-object.ts';
import { TextureObject } from '../objects/textures/texture-object.ts';
import type { TextureState } from '../objects/textures/texture-state.ts';
import type { SamplerElements } from './inputs/sampler-elements.ts';
import type { PassRenderer } from './pass-renderer.ts';
import { type DrawnImage, imagesOf, type PassTarget } from './passes/pass-attachments.ts';
import type { PassList } from './passes/pass-list.ts';

/** Frame in progress, as the resolver needs it. */
export interface Recording {
  readonly passes: PassList;
  /**
   * Returns whether the passes should be rendered before more is recorded.
   *
   * @param target Target of the next pass.
   */
  isFull(target: PassTarget): boolean;
  /** Renders the recorded passes, so that the contents of all images are known. */
  resolve(): void;
}

const NO_ATTACHMENTS: FramebufferObject['attachments'] = new Map();

/** Resolves contents for one context. */
export class ContentResolver {
  readonly #renderer: PassRenderer;
  readonly #recording: Recording;
  readonly #textures: TextureState;

  constructor(renderer: PassRenderer, recording: Recording, textures: TextureState) {
    this.#renderer = renderer;
    this.#recording = recording;
    this.#textures = textures;
  }

  /** Resolves the contents of a texture before an upload replaces a level or a part of one. */
  prepareUpload(texture: TextureObject, level: number, isNewLevel: boolean): void {
    const isReplaced = isNewLevel && texture.levels.isOneImage && texture.level(level) !== null;
    if (texture.isDrawnInto && !isReplaced) this.resolveObject(texture);
    if (!texture.isBaseLevel(level)) texture.materializeMipmaps();
  }

  /**
   * Resolves the contents that a draw reads and writes. Returns the reason if its textures conflict
   * with its samplers or its target, else `null`.
   */
  prepareDraw({ elements }: SamplerElements, target: PassTarget): string | null {
    if (this.#recording.isFull(target)) this.#recording.resolve();
    this.prepareTarget(target);
    // All attachments count, even those that no output writes (WebGL 1.0, section 6.26).
    const attachments = target.framebuffer?.attachments ?? NO_ATTACHMENTS;
    for (const { units, element, target: bindTarget, reflectedName, kind } of elements) {
      const unit = units[element]!;
      const texture = this.#textures.bound(unit, bindTarget);
      const parameters = this.#textures.samplers.bound(unit)?.parameters;
      const given = texture.samplerKind(parameters);
      if (given !== null && given !== kind) {
        return `sampler ${reflectedName} reads ${kind}, texture ${texture.name} is ${given}`;
      }
      const readsMipmaps = texture.readsMipmaps(parameters);
      let isAttached = false;
      for (const attachment of attachments.values()) {
        if (attachment.kind !== 'texture' || attachment.texture !== texture) continue;
        const isRead = texture.readsLevel(attachment.level, readsMipmaps);
        if (isRead && texture.isComplete(parameters)) {
          return `sampler ${reflectedName}: texture ${texture.name} is attached to what is drawn into`;
        }
        isAttached = true;
      }
      this.#prepareSampling(texture, readsMipmaps, isAttached);
    }
    return null;
  }

  /**
   * Resolves the contents of a texture that a draw samples.
   *
   * @param isAttached Whether the draw writes another level of the texture. The sampled levels then
   *   become a separate texture of the frame.
   */
  #prepareSampling(texture: TextureObject, readsMipmaps: boolean, isAttached: boolean): void {
    const isOld = readsMipmaps && texture.hasOutdatedMipmaps;
    if (texture.isDrawnInto) {
      if (this.#isPending(texture)) this.#resolvePending();
      else if (isOld || isAttached || texture.readsStencil || !texture.isBaseLevel(0)) {
        this.#recording.resolve();
      }
    }
    if (isOld) texture.materializeMipmaps();
  }

  /**
   * Resolves the contents of a target before a clear.
   *
   * @param isReplaced Whether the clear replaces all contents of the target.
   */
  prepareClear(target: PassTarget, isReplaced: boolean): void {
    if (this.#recording.isFull(target)) this.#recording.resolve();
    this.prepareTarget(target, isReplaced ? 'all' : []);
  }

  /**
   * Resolves the contents of a target before a pass.
   *
   * @param replaced Images of the target that the pass replaces.
   */
  prepareTarget(target: PassTarget, replaced: readonly DrawnImage[] | 'all' = []): void {
    if (target.framebuffer === null) return;
    this.#leaveScreenIfPartial(target);
    for (const image of imagesOf(this.#attachmentsOf(target))) {
      const { object, level } = image;
      const isReplaced = replaced === 'all' || replaced.includes(image);
      const isLost = isReplaced && !hasOtherImages(object);
      if (!isLost && this.#isPending(object)) this.#resolvePending();
      if (!(object instanceof TextureObject)) continue;
      if (object.hasUnresolvedMipmaps) this.#recording.resolve();
      if (level > 0) object.materializeMipmaps();
    }
  }

  prepareCopy(
    source: PassTarget,
    { texture, level }: { readonly texture: TextureObject; readonly level: number },
  ): void {
    if (this.#recording.isFull(source)) this.#recording.resolve();
    this.prepareTarget(source);
    if (this.#isPending(texture)) this.#resolvePending();
    if (texture.hasUnresolvedMipmaps) this.#recording.resolve();
    if (level > 0) texture.materializeMipmaps();
  }

  #attachmentsOf({ framebuffer }: PassTarget) {
    return this.#renderer.attachmentsOf(framebuffer!);
  }

  #resolvePending(): void {
    this.#renderer.pending.resolve(this.#recording.passes.contents);
  }

  #isPending(object: ImageObject): boolean {
    return this.#renderer.pending.isPending(object, this.#recording.passes.contents);
  }

  /**
   * Moves the drawing buffer to renderbuffers if its draw buffer is not color 0, because a pass to
   * the screen always has a color.
   */
  #leaveScreenIfPartial({ framebuffer }: PassTarget): void {
    const buffer = this.#renderer.drawingBuffer;
    if (framebuffer === buffer.framebuffer && framebuffer.colorPoints[0] !== 'color0') {
      this.leaveScreen();
    }
  }

  /**
   * Moves the drawing buffer from the screen to its renderbuffers, including the passes already
   * recorded in this frame.
   */
  leaveScreen(): void {
    const buffer = this.#renderer.drawingBuffer;
    if (!buffer.isOnScreen) return;
    this.#recording.passes.leaveScreen(buffer.renderbuffers);
    buffer.leaveScreen();
  }

  /** Resolves the contents of an object if a recorded or pending pass has drawn them. */
  resolveObject(object: ImageObject): void {
    const { passes } = this.#recording;
    const { drawingBuffer } = this.#renderer;
    const isScreen = object === drawingBuffer.color || object === drawingBuffer.depthStencil;
    const isDrawn = isScreen && drawingBuffer.isOnScreen && passes.hasScreenPasses;
    if (isDrawn || passes.contents.indexOf(object) !== null || this.#isPending(object)) {
      this.#recording.resolve();
    }
  }

  /** Stores the levels of generated mipmaps, so that passes can draw into them. */
  materializeLevels(texture: TextureObject): void {
    if (texture.hasUnresolvedMipmaps) this.#recording.resolve();
    texture.materializeMipmaps();
  }

  /** Resolves a texture before its mipmaps are generated, if its levels were drawn separately. */
  resolveLevels(texture: TextureObject): void {
    const { passes } = this.#recording;
    if (passes.contents.hasWrittenLevels(texture) || !texture.isBaseLevel(0))
      this.resolveObject(texture);
  }
}
