/** Textures and samplers bound to the texture units of a context. */

import { GL } from '../interface/constants.ts';
import type { WebGLSampler } from '../objects/webgl-object.ts';
import type { WebGLTexture } from '../objects/webgl-texture.ts';

/** Number of texture units, for both stages together. */
export const TEXTURE_UNIT_COUNT = 32;

/** Targets of `bindTexture`. The last two exist only in WebGL 2. */
const TARGETS: readonly number[] = [
  GL.TEXTURE_2D,
  GL.TEXTURE_CUBE_MAP,
  GL.TEXTURE_3D,
  GL.TEXTURE_2D_ARRAY,
];

/** Bindings of all texture units, and the active unit. */
export class TextureUnits {
  active = 0;
  readonly #textures: (WebGLTexture | null)[] = new Array(TEXTURE_UNIT_COUNT * TARGETS.length).fill(
    null,
  );
  readonly samplers: (WebGLSampler | null)[] = new Array(TEXTURE_UNIT_COUNT).fill(null);

  bind(target: number, texture: WebGLTexture | null): void {
    this.#textures[this.active * TARGETS.length + TARGETS.indexOf(target)] = texture;
  }

  /**
   * Returns the texture bound to a target of a unit. @param unit Unit index; the active unit by
   * default.
   */
  bound(target: number, unit = this.active): WebGLTexture | null {
    return this.#textures[unit * TARGETS.length + TARGETS.indexOf(target)] ?? null;
  }

  /** Unbinds a deleted texture from all units. */
  detach(texture: WebGLTexture): void {
    for (let i = 0; i < this.#textures.length; i++) {
      if (this.#textures[i] === texture) this.#textures[i] = null;
    }
  }

  detachSampler(sampler: WebGLSampler): void {
    for (let unit = 0; unit < this.samplers.length; unit++) {
      if (this.samplers[unit] === sampler) this.samplers[unit] = null;
    }
  }
}
