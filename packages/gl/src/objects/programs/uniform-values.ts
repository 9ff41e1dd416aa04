/**
 * Uniform locations and values of one linked program (OpenGL ES 2.0, section 2.10.4). Every array
 * element has its own location. Members of structures have reflected names such as `light[1].at`.
 */
import type { UniformValue } from '@tessera/frame';
import { GL } from '../../api/constants.ts';
import type { GlErrors } from '../../api/gl-errors.ts';
import type { ReflectedProgram } from './program-reflection.ts';

type ReflectedUniform = ReflectedProgram['uniforms'][number];
type ReflectedSampler = ReflectedProgram['samplers'][number];

/** Data of a `uniform…` call. */
export interface UniformUpload {
  readonly scalarType: 'float' | 'int' | 'uint';
  readonly rows: number;
  /** Number of columns; 1 for scalars and vectors. */
  readonly columns: number;
  readonly values: ArrayLike<number>;
}

interface UniformSlot {
  readonly kind: 'uniform';
  readonly reflected: ReflectedUniform;
  /** Name without `[0]`. */
  readonly baseName: string;
  readonly elementLength: number;
  /** Value, replaced but never modified after a draw has used it. */
  value: Float32Array | Int32Array | Uint32Array;
}

interface SamplerSlot {
  readonly kind: 'sampler';
  readonly reflected: ReflectedSampler;
  readonly baseName: string;
  /** Texture unit of each element. */
  readonly units: number[];
}

interface Location {
  readonly slot: UniformSlot | SamplerSlot;
  readonly element: number;
}

/** Sampler of a program, with the units that its elements read. */
export interface SamplerUnits {
  readonly reflected: ReflectedSampler;
  /** Name without `[0]`. */
  readonly baseName: string;
  readonly units: readonly number[];
}

/** Uniforms of one linked program. */
export class UniformValues {
  readonly #uniforms: UniformSlot[];
  readonly #samplers: SamplerSlot[];
  readonly #locations: Location[] = [];
  readonly #locationByName = new Map<string, number>();
  readonly #unitCount: number;
  /** Uniforms that GLSL declares itself. They have no locations; draws set them. */
  readonly builtInNames: readonly string[];
  /** Values by reflected name. */
  readonly #values: Record<string, UniformValue>;
  /** Copy for draws, valid while no value changes. */
  #snapshot: Readonly<Record<string, UniformValue>> | null = null;
  /** Unit that samplers of two types read; `undefined` if not computed yet. */
  #unitOfTwoTypes: number | null | undefined = undefined;

  /** @param unitCount Number of texture units that samplers may use. */
  constructor(reflected: ReflectedProgram, unitCount: number) {
    this.#unitCount = unitCount;
    this.#uniforms = reflected.uniforms
      .filter(({ name }) => !isBuiltIn(name))
      .map((uniform) => {
        const length = uniform.rows * uniform.columns * uniform.arrayLength;
        const value = makeValues(uniform.scalarType, length);
        value.set(uniform.initialValue ?? []);
        return {
          kind: 'uniform',
          reflected: uniform,
          baseName: uniform.name.replace(/\[0\]$/, ''),
          elementLength: uniform.rows * uniform.columns,
          value,
        };
      });
    this.#values = Object.fromEntries(
      this.#uniforms.map((slot) => [slot.reflected.name, slot.value]),
    );
    this.#samplers = reflected.samplers.map((sampler) => ({
      kind: 'sampler',
      reflected: sampler,
      baseName: sampler.name.replace(/\[0\]$/, ''),
      units: new Array<number>(sampler.arrayLength).fill(0),
    }));
    for (const slot of [...this.#uniforms, ...this.#samplers]) this.#addLocations(slot);
    const { uniforms, drawConstants = [] } = reflected;
    this.builtInNames = [...uniforms.map(({ name }) => name).filter(isBuiltIn), ...drawConstants];
  }

  /** Returns the location of a uniform; −1 if no active uniform has the name. */
  location(name: string): number {
    return this.#locationByName.get(name) ?? -1;
  }

  /** Sets elements from `location`. OpenGL ignores location −1. */
  set(location: number, upload: UniformUpload, errors: GlErrors): void {
    if (location === -1) return;
    const found = this.#locations[location];
    if (found === undefined) {
      errors.raise(GL.INVALID_OPERATION, `uniform: location ${location} does not exist`);
      return;
    }
    const { slot, element } = found;
    const uploadLength = upload.rows * upload.columns;
    const count = Math.floor(upload.values.length / uploadLength);
    if (count * uploadLength !== upload.values.length) {
      errors.raise(
        GL.INVALID_VALUE,
        `uniform ${slot.baseName}: ${upload.values.length} values are not a multiple of ${uploadLength}`,
      );
      return;
    }
    if (count > 1 && !isArray(slot)) {
      errors.raise(
        GL.INVALID_OPERATION,
        `uniform ${slot.baseName}: ${count} elements for a uniform that is not an array`,
      );
      return;
    }
    if (slot.kind === 'sampler') {
      this.#setUnits(slot, element, upload, errors);
      return;
    }
    const { reflected, elementLength } = slot;
    const isTypeFitting =
      reflected.scalarType === 'bool'
        ? upload.columns === 1
        : reflected.scalarType === upload.scalarType;
    if (!isTypeFitting || reflected.rows !== upload.rows || reflected.columns !== upload.columns) {
      errors.raise(
        GL.INVALID_OPERATION,
        `uniform ${slot.baseName}: ${describeType(reflected)} cannot be set as ${describeType(upload)}`,
      );
      return;
    }
    // Elements beyond the array's end are ignored.
    const value = slot.value.slice();
    const used = Math.min(count, reflected.arrayLength - element) * elementLength;
    for (let i = 0; i < used; i++) {
      const component = upload.values[i]!;
      value[element * elementLength + i] =
        reflected.scalarType === 'bool' ? Number(component !== 0) : component;
    }
    slot.value = value;
    this.#values[reflected.name] = value;
    this.#snapshot = null;
  }

  /** Returns the value at a location; for a sampler, its unit. */
  get(location: number): readonly number[] | null {
    const found = this.#locations[location];
    if (found === undefined) return null;
    const { slot, element } = found;
    if (slot.kind === 'sampler') return [slot.units[element]!];
    const start = element * slot.elementLength;
    return Array.from(slot.value.subarray(start, start + slot.elementLength));
  }

  /** Returns all values by reflected name. The object stays the same until a value changes. */
  snapshot(): Readonly<Record<string, UniformValue>> {
    this.#snapshot ??= { ...this.#values };
    return this.#snapshot;
  }

  samplers(): readonly SamplerUnits[] {
    return this.#samplers;
  }

  /** Returns a texture unit that samplers of two types read, or `null`. */
  unitOfTwoTypes(): number | null {
    if (this.#unitOfTwoTypes === undefined) this.#unitOfTwoTypes = this.#findUnitOfTwoTypes();
    return this.#unitOfTwoTypes;
  }

  #findUnitOfTwoTypes(): number | null {
    const typeByUnit = new Map<number, string>();
    for (const { reflected, units } of this.#samplers) {
      const { dimension, isShadow, scalarType = 'float' } = reflected;
      const type = `${dimension} ${isShadow} ${scalarType}`;
      for (const unit of units) {
        if ((typeByUnit.get(unit) ?? type) !== type) return unit;
        typeByUnit.set(unit, type);
      }
    }
    return null;
  }

  #addLocations(slot: UniformSlot | SamplerSlot): void {
    for (let element = 0; element < slot.reflected.arrayLength; element++) {
      const location = this.#locations.push({ slot, element }) - 1;
      if (element === 0) this.#locationByName.set(slot.baseName, location);
      if (isArray(slot)) this.#locationByName.set(`${slot.baseName}[${element}]`, location);
    }
  }

  #setUnits(slot: SamplerSlot, element: number, upload: UniformUpload, errors: GlErrors): void {
    const { scalarType, rows, columns, values } = upload;
    if (scalarType !== 'int' || rows !== 1 || columns !== 1) {
      errors.raise(
        GL.INVALID_OPERATION,
        `uniform ${slot.baseName}: a sampler accepts only uniform1i and uniform1iv`,
      );
      return;
    }
    const used = Math.min(values.length, slot.units.length - element);
    for (let i = 0; i < used; i++) {
      const unit = values[i]!;
      if (!(unit >= 0 && unit < this.#unitCount)) {
        errors.raise(
          GL.INVALID_VALUE,
          `uniform ${slot.baseName}: texture unit ${unit} does not exist`,
        );
        return;
      }
    }
    for (let i = 0; i < used; i++) slot.units[element + i] = values[i]!;
    this.#unitOfTwoTypes = undefined;
  }
}

function makeValues(scalarType: ReflectedUniform['scalarType'], length: number) {
  if (scalarType === 'float') return new Float32Array(length);
  return scalarType === 'uint' ? new Uint32Array(length) : new Int32Array(length);
}

function isBuiltIn(name: string): boolean {
  return name.startsWith('gl_');
}

function isArray(slot: UniformSlot | SamplerSlot): boolean {
  if (slot.kind === 'uniform') return slot.reflected.isArray;
  return slot.reflected.arrayLength > 1 || slot.reflected.name.endsWith('[0]');
}

function describeType(type: { scalarType: string; rows: number; columns: number }): string {
  return `${type.scalarType} ${type.rows}×${type.columns}`;
}
