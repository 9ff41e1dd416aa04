/** Samplers of cube maps while `GL_TEXTURE_CUBE_MAP_SEAMLESS` is on (ARB_seamless_cube_map). */
import type { SamplerState } from '@tessera/frame';

/** Cache of samplers whose linear filter reads across the edges of faces. */
export class SeamlessSamplers {
  readonly #made = new WeakMap<SamplerState, SamplerState>();

  /** Returns a sampler with the parameters of another one and without hard edges. */
  of(sampler: SamplerState): SamplerState {
    const known = this.#made.get(sampler);
    if (known !== undefined) return known;
    const { isCubeEdgeHard: _isHard, ...seamless } = sampler;
    this.#made.set(sampler, seamless);
    return seamless;
  }
}
