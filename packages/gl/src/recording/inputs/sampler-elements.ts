/** Samplers of a program, prepared for lookup by draws, with their last bindings. */
import type { SamplerState, TextureBinding } from '@tessera/frame';
import type { DrawProgram } from '../../fixed/draw-programs.ts';
import { STIPPLE_SAMPLER } from '../../fixed/stage-interface.ts';
import { samplerTarget } from './sampler-targets.ts';

/** Single sampler, or one element of an array of samplers. */
export interface SamplerElement {
  /** Sampler name in the frame. */
  readonly name: string;
  readonly reflectedName: string;
  /** Texture units of all elements of the array. */
  readonly units: readonly number[];
  readonly element: number;
  /** Texture target that the element reads. */
  readonly target: number;
  /** Whether the element reads the polygon stipple, which is not bound to a unit. */
  readonly isStipple: boolean;
  /** Kind of texels that the sampler accepts. `float` includes depths. `shadow` compares depths. */
  readonly kind: 'float' | 'int' | 'uint' | 'shadow';
}

/** Sampler elements of one program. */
export class SamplerElements {
  readonly elements: readonly SamplerElement[];
  readonly #textures: number[] = [];
  readonly #samplers: SamplerState[] = [];
  #bindings: Readonly<Record<string, TextureBinding>> | null = null;

  constructor({ source, uniforms }: DrawProgram) {
    this.elements = uniforms
      .samplers()
      .flatMap(({ reflected, baseName, units }): SamplerElement[] => {
        const { name: reflectedName, dimension, isShadow, scalarType = 'float' } = reflected;
        const kind = isShadow ? 'shadow' : scalarType;
        const target = samplerTarget(source, reflectedName, dimension);
        const isStipple = reflectedName === STIPPLE_SAMPLER;
        if (isStipple)
          return [{ name: baseName, reflectedName, units, element: 0, target, isStipple, kind }];
        return units.map((_unit, element) => {
          const name = baseName === reflectedName ? baseName : `${baseName}[${element}]`;
          return { name, reflectedName, units, element, target, isStipple, kind };
        });
      });
  }

  /**
   * Sets the texture and sampler state that an element reads in the draw.
   *
   * @param textureIndex Index of the texture in the frame. `null` for no texture, which reads
   *   black.
   */
  bind(index: number, textureIndex: number | null, sampler: SamplerState): void {
    const texture = textureIndex ?? -1;
    if (this.#textures[index] === texture && this.#samplers[index] === sampler) return;
    this.#textures[index] = texture;
    this.#samplers[index] = sampler;
    this.#bindings = null;
  }

  /**
   * Returns the bindings of all elements by name. Returns the same object until a binding changes.
   */
  bindings(): Readonly<Record<string, TextureBinding>> {
    if (this.#bindings !== null) return this.#bindings;
    const bindings: Record<string, TextureBinding> = {};
    for (const [index, { name }] of this.elements.entries()) {
      const textureIndex = this.#textures[index]!;
      if (textureIndex < 0) continue;
      bindings[name] = { textureIndex, sampler: this.#samplers[index]! };
    }
    this.#bindings = bindings;
    return bindings;
  }
}
