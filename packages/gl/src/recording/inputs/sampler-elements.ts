/** The samplers of a program one by one, as draws look them up, and what draws bound to them last. */
import type { SamplerState, TextureBinding } from '@tessera/frame';
import type { DrawProgram } from '../../fixed/draw-programs.ts';
import { STIPPLE_SAMPLER } from '../../fixed/stage-interface.ts';
import { samplerTarget } from './sampler-targets.ts';

/** An element of an array of samplers, or the only one. */
export interface SamplerElement {
  /** As frames have it. */
  readonly name: string;
  readonly reflectedName: string;
  /** Units of all elements as they are now. */
  readonly units: readonly number[];
  readonly element: number;
  /** What textures are bound to that it reads. */
  readonly target: number;
  /** Whether it reads the pattern of polygons, which no unit has. */
  readonly isStipple: boolean;
  /** What texels must be: fractions or depths, integers, or depths that are compared. */
  readonly kind: 'float' | 'int' | 'uint' | 'shadow';
}

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

  /** Notes what an element reads in the draw that is recorded. @param textureIndex `null`: nothing, which is black. */
  bind(index: number, textureIndex: number | null, sampler: SamplerState): void {
    const texture = textureIndex ?? -1;
    if (this.#textures[index] === texture && this.#samplers[index] === sampler) return;
    this.#textures[index] = texture;
    this.#samplers[index] = sampler;
    this.#bindings = null;
  }

  /** What all elements read, by name; the same object until that changes. */
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
