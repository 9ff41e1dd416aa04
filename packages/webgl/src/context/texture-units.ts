/** Which texture is bound where. */

import { GL } from '../interface/constants.ts';
import type { WebGLSampler } from '../objects/webgl-object.ts';
import type { WebGLTexture } from '../objects/webgl-texture.ts';

export const TEXTURE_UNIT_COUNT = 32;

/** Targets of `bindTexture`; the last two are of WebGL 2. */
const TARGETS: readonly number[] = [
  GL.TEXTURE_2D,
  GL.TEXTURE_CUBE_MAP,
  GL.TEXTURE_3D,
  GL.TEXTURE_2D_ARRAY,
];

export class TextureUnits {
  active = 0;
  readonly #textures: (WebGLTexture | null)[] = new Array(TEXTURE_UNIT_COUNT * TARGETS.length).fill(
    null,
  );
  readonly samplers: (WebGLSampler | null)[] = new Array(TEXTURE_UNIT_COUNT).fill(null);

  /** Whether textures are bound to the target. */
  isTarget(target: number, isWebGL2: boolean): boolean {
    if (target === GL.TEXTURE_2D || target === GL.TEXTURE_CUBE_MAP) return true;
    return isWebGL2 && (target === GL.TEXTURE_3D || target === GL.TEXTURE_2D_ARRAY);
  }

  bind(target: number, texture: WebGLTexture | null): void {
    this.#textures[this.active * TARGETS.length + TARGETS.indexOf(target)] = texture;
  }

  /** The texture of a target of a unit. @param unit The active one when left out. */
  bound(target: number, unit = this.active): WebGLTexture | null {
    return this.#textures[unit * TARGETS.length + TARGETS.indexOf(target)] ?? null;
  }

  /** Takes a deleted texture off all units. */
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
