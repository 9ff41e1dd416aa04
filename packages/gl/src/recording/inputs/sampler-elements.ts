/** Samplers of a program as draws look them up, with their last bindings. */
import type { SamplerState, TextureBinding } from '@tessera/frame';
import type { DrawProgram } from '../../fixed/draw-programs.ts';
import { STIPPLE_SAMPLER } from '../../fixed/stage-interface.ts';
import { samplerTarget } from './sampler-targets.ts';

/** Element of an array of samplers, or a single sampler. */
export interface SamplerElement {
  /** Name in the frame. */
  readonly name: string;
  readonly reflectedName: string;
  /** Texture units of all elements. */
  readonly units: readonly number[];
  readonly element: number;
  /** Texture target that the element reads. */
  readonly target: number;
  /** Whether the element reads the polygon stipple, which is not bound to a unit. */
  readonly isStipple: boolean;
  /** Texels that the sampler accepts: floats or depths, integers, or depths that are compared. */
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
   * Sets what an element reads in the draw.
   *
   * @param textureIndex `null` for no texture, which reads black.
   */
  bind(index: number, textureIndex: number | null, sampler: SamplerState): void {
    const texture = textureIndex ?? -1;
    if (this.#textures[index] === texture && this.#samplers[index] === sampler) return;
    this.#textures[index] = texture;
    this.#samplers[index] = sampler;
    this.#bindings = null;
  }

  /** Returns the bindings of all elements by name, the same object until one changes. */
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
