/**
 * Sampler objects: parameters of a texture unit that replace those of its texture (OpenGL ES 3.0,
 * section 3.8.2).
 */
import { GL, nameOfEnum } from '../../api/constants.ts';
import type { GlErrors } from '../../api/gl-errors.ts';
import { ObjectTable } from '../object-table.ts';
import { type BorderColor, SamplerParameters } from './sampler-parameters.ts';
import { DEPTH_TEXTURE_MODE, isSwizzle } from './texture-parameters.ts';

/** Sampler object. */
export class SamplerObject {
  readonly name: number;
  readonly parameters = new SamplerParameters();

  constructor(name: number) {
    this.name = name;
  }
}

/** Sampler objects and bindings of one context. */
export class SamplerObjects {
  readonly #errors: GlErrors;
  readonly #hasLodBias: boolean;
  readonly #table = new ObjectTable<SamplerObject>();
  readonly #units: (SamplerObject | null)[];

  /**
   * @param hasLodBias Whether samplers have a bias of the level of detail, as in desktop OpenGL.
   */
  constructor(errors: GlErrors, unitCount: number, hasLodBias: boolean) {
    this.#errors = errors;
    this.#hasLodBias = hasLodBias;
    this.#units = new Array<SamplerObject | null>(unitCount).fill(null);
  }

  create(): number {
    const name = this.#table.reserve(1)[0]!;
    this.#table.obtain(name, (made) => new SamplerObject(made));
    return name;
  }

  isSampler(name: number): boolean {
    return this.#table.get(name) !== null;
  }

  remove(name: number): void {
    const removed = name === 0 ? null : this.#table.remove(name);
    if (removed === null) return;
    this.#units.forEach((bound, unit) => {
      if (bound === removed) this.#units[unit] = null;
    });
  }

  /**
   * Binds a sampler to a texture unit.
   *
   * @param unit Index of the unit, from 0.
   */
  bind(unit: number, name: number): void {
    const sampler = name === 0 ? null : this.#table.get(name);
    if (!(unit >= 0 && unit < this.#units.length)) {
      this.#errors.raise(GL.INVALID_VALUE, `bindSampler: texture unit ${unit} does not exist`);
    } else if (name !== 0 && sampler === null) {
      this.#errors.raise(GL.INVALID_OPERATION, `bindSampler: sampler ${name} does not exist`);
    } else {
      this.#units[unit] = sampler;
    }
  }

  /** Returns the sampler of a unit; `null` if the texture's own parameters apply. */
  bound(unit: number): SamplerObject | null {
    return this.#units[unit] ?? null;
  }

  setParameter(name: number, parameter: number, value: number): void {
    const sampler = this.#find('samplerParameter', name);
    if (sampler === null) return;
    const isOfTextures =
      parameter === DEPTH_TEXTURE_MODE ||
      (parameter === GL.TEXTURE_LOD_BIAS && !this.#hasLodBias) ||
      isSwizzle(parameter);
    if (isOfTextures || !sampler.parameters.set(parameter, value)) {
      this.#errors.raise(
        GL.INVALID_ENUM,
        `samplerParameter: ${nameOfEnum(parameter)} does not accept ${nameOfEnum(value)}`,
      );
    }
  }

  setBorderColor(name: number, color: BorderColor): void {
    this.#find('samplerParameter', name)?.parameters.setBorderColor(color);
  }

  parameter(name: number, parameter: number): number | null {
    const caller = 'getSamplerParameter';
    const sampler = this.#find(caller, name);
    if (sampler === null) return null;
    const value = sampler.parameters.get(parameter);
    if (value === null)
      this.#errors.raise(
        GL.INVALID_ENUM,
        `${caller}: ${nameOfEnum(parameter)} is not a sampler parameter`,
      );
    return value;
  }

  #find(caller: string, name: number): SamplerObject | null {
    const sampler = this.#table.get(name);
    if (sampler === null)
      this.#errors.raise(GL.INVALID_OPERATION, `${caller}: sampler ${name} does not exist`);
    return sampler;
  }
}
