/**
 * Sees to it, before something is recorded, that what textures and renderbuffers hold is known where it must be: where
 * a pass goes on with what a frame drew that was taken, samples levels that were made from what is there no more, or
 * samples another level of what it draws into.
 */

import { hasOtherImages, type ImageObject } from '../contents/image-contents.ts';
import type { FramebufferObject } from '../objects/framebuffers/framebuffer-object.ts';
import { TextureObject } from '../objects/textures/texture-object.ts';
import type { TextureState } from '../objects/textures/texture-state.ts';
import type { SamplerElements } from './inputs/sampler-elements.ts';
import type { PassRenderer } from './pass-renderer.ts';
import { type DrawnImage, imagesOf, type PassTarget } from './passes/pass-attachments.ts';
import type { PassList } from './passes/pass-list.ts';

/** What was recorded so far. */
export interface Recording {
  readonly passes: PassList;
  /** Whether a frame could soon not hold more of it. @param target Of what is recorded next. */
  isFull(target: PassTarget): boolean;
  /** Renders it, so that all that it drew is known. */
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
    const isReplaced = isNewLevel && texture.isOneImage && texture.level(level) !== null;
    if (texture.isDrawnInto && !isReplaced) this.resolveObject(texture);
    if (!texture.isBaseLevel(level)) texture.materializeMipmaps();
  }

  /** Before a draw; gives what is wrong with it, or `null`. */
  prepareDraw({ elements }: SamplerElements, target: PassTarget): string | null {
    if (this.#recording.isFull(target)) this.#recording.resolve();
    this.prepareTarget(target);
    // What is attached counts, whether or not colours go to it (WebGL 1.0, section 6.26).
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

  /** @param isAttached Whether another level of it is drawn into: what is sampled is a texture of its own then. */
  #prepareSampling(texture: TextureObject, readsMipmaps: boolean, isAttached: boolean): void {
    const isOld = readsMipmaps && texture.hasOutdatedMipmaps;
    if (texture.isDrawnInto) {
      if (this.#isPending(texture)) this.#resolvePending();
      else if (isOld || isAttached || !texture.hasBaseLevelZero) this.#recording.resolve();
    }
    if (isOld) texture.materializeMipmaps();
  }

  /** Before a clear. @param isReplaced Whether nothing of what is in the target's images stays. */
  prepareClear(target: PassTarget, isReplaced: boolean): void {
    if (this.#recording.isFull(target)) this.#recording.resolve();
    this.prepareTarget(target, isReplaced ? 'all' : []);
  }

  /** @param replaced Images of the target of which nothing stays. */
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

  /** A pass to the screen has its colour: without it the drawing buffer is drawn into as any other framebuffer. */
  #leaveScreenIfPartial({ framebuffer }: PassTarget): void {
    const buffer = this.#renderer.drawingBuffer;
    if (framebuffer === buffer.framebuffer && framebuffer.colorPoints[0] !== 'color0') {
      this.leaveScreen();
    }
  }

  /** From now on the drawing buffer is its renderbuffers, and was so in this frame. */
  leaveScreen(): void {
    const buffer = this.#renderer.drawingBuffer;
    if (!buffer.isOnScreen) return;
    this.#recording.passes.leaveScreen(buffer.renderbuffers);
    buffer.leaveScreen();
  }

  /** Makes known what an object holds, if anything that draws into it is recorded. */
  resolveObject(object: ImageObject): void {
    const { passes } = this.#recording;
    const { drawingBuffer } = this.#renderer;
    const isScreen = object === drawingBuffer.color || object === drawingBuffer.depthStencil;
    const isDrawn = isScreen && drawingBuffer.isOnScreen && passes.hasScreenPasses;
    if (isDrawn || passes.contents.indexOf(object) !== null || this.#isPending(object)) {
      this.#recording.resolve();
    }
  }

  /** Makes levels that are made from the first ones that can be drawn into one by one. */
  materializeLevels(texture: TextureObject): void {
    if (texture.hasUnresolvedMipmaps) this.#recording.resolve();
    texture.materializeMipmaps();
  }

  /** Makes known what a texture holds whose levels were drawn one by one, before they are made from the first. */
  resolveLevels(texture: TextureObject): void {
    const { passes } = this.#recording;
    if (passes.contents.hasWrittenLevels(texture) || !texture.hasBaseLevelZero)
      this.resolveObject(texture);
  }
}
