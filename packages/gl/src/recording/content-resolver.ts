/**
 * Resolves the contents of textures and renderbuffers before a draw, clear, copy or upload depends
 * on them:
 *
 * - a pass continues an image that a pending frame has drawn,
 * - a draw samples mipmaps of a base level that was replaced,
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

/** Passes of the frame in progress. */
export interface Recording {
  readonly passes: PassList;
  /**
   * Whether the passes should be rendered before more is recorded.
   *
   * @param target Target of what follows.
   */
  isFull(target: PassTarget): boolean;
  /** Renders the passes, so that the contents of all images are known. */
  resolve(): void;
}

const NO_ATTACHMENTS: FramebufferObject['attachments'] = new Map();

/** Resolver of one context. */
export class ContentResolver {
  readonly #renderer: PassRenderer;
  readonly #recording: Recording;
  readonly #textures: TextureState;

  constructor(renderer: PassRenderer, recording: Recording, textures: TextureState) {
    this.#renderer = renderer;
    this.#recording = recording;
    this.#textures = textures;
  }

  /** Resolves the contents that an upload leaves in a texture. */
  prepareUpload(texture: TextureObject, level: number, isNewLevel: boolean): void {
    const isReplaced = isNewLevel && texture.levels.isOneImage && texture.level(level) !== null;
    if (texture.isDrawnInto && !isReplaced) this.resolveObject(texture);
    if (!texture.isBaseLevel(level)) texture.materializeMipmaps();
  }

  /**
   * Resolves the contents that a draw reads and writes. Returns the reason if its textures
   * conflict, else `null`.
   */
  prepareDraw({ elements }: SamplerElements, target: PassTarget): string | null {
    if (this.#recording.isFull(target)) this.#recording.resolve();
    this.prepareTarget(target);
    // All attachments count, even those that no output goes to (WebGL 1.0, section 6.26).
    const attachments = target.framebuffer?.attachments ?? NO_ATTACHMENTS;
    for (const { units, element, target: bindTarget, reflectedName, kind } of elements) {
      const unit = units[element]!;
      const texture = this.#textures.bound(unit, bindTarget);
      const parameters = this.#textures.samplers.bound(unit)?.parameters;
      const given = texture.samplerKind(parameters);
      if (given !== null && given !== kind && texture.isComplete(parameters)) {
        return `sampler ${reflectedName} reads ${kind}, texture ${texture.name} is ${given}`;
      }
      const { mipmapFilter } = texture.sampler(parameters);
      const readsMipmaps = mipmapFilter !== 'none';
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
   * @param isAttached Whether the draw writes another level of the texture. The sampled levels
   *   become a texture of their own.
   */
  #prepareSampling(texture: TextureObject, readsMipmaps: boolean, isAttached: boolean): void {
    const isOld = readsMipmaps && texture.hasOutdatedMipmaps;
    if (texture.isDrawnInto) {
      if (this.#isPending(texture)) this.#resolvePending();
      else if (isOld || isAttached || !texture.isBaseLevel(0)) this.#recording.resolve();
    }
    if (isOld) texture.materializeMipmaps();
  }

  /**
   * Resolves the contents of a target before a clear.
   *
   * @param isReplaced Whether the clear replaces all of them.
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

  /** Leaves the screen if draws go to no color: a pass to the screen always has a color. */
  #leaveScreenIfPartial({ framebuffer }: PassTarget): void {
    const buffer = this.#renderer.drawingBuffer;
    if (framebuffer === buffer.framebuffer && framebuffer.colorPoints[0] !== 'color0') {
      this.leaveScreen();
    }
  }

  /**
   * Makes the drawing buffer its renderbuffers instead of the screen, also in the passes of this
   * frame.
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

  /** Makes stored levels of generated mipmaps, so that passes can draw into them. */
  materializeLevels(texture: TextureObject): void {
    if (texture.hasUnresolvedMipmaps) this.#recording.resolve();
    texture.materializeMipmaps();
  }

  /**
   * Resolves a texture whose levels were drawn one by one, before mipmaps are generated from its
   * base level.
   */
  resolveLevels(texture: TextureObject): void {
    const { passes } = this.#recording;
    if (passes.contents.hasWrittenLevels(texture) || !texture.isBaseLevel(0))
      this.resolveObject(texture);
  }
}
