/** Texture units, texture names and parameters (OpenGL ES 2.0, section 3.7). */
import { GL, nameOfEnum } from '../../api/constants.ts';
import { FIXED } from '../../api/fixed-constants.ts';
import type { GlErrors } from '../../api/gl-errors.ts';
import type { ApiRules } from '../../rules/api-rules.ts';
import type { BaseFormat } from '../../texels/texel-formats.ts';
import type { BufferObject } from '../buffers/buffer-objects.ts';
import type { ByteBudget } from '../byte-budget.ts';
import type { ObjectTable } from '../object-table.ts';
import { SamplerObjects } from '../samplers/sampler-objects.ts';
import { dimensionOf } from '../samplers/texture-parameters.ts';
import { bufferLayoutOf } from './buffer-formats.ts';
import { BufferTexels, type ByteRange } from './buffer-texels.ts';
import { FilterRules } from './filter-rules.ts';
import { PixelStore } from './pixel-store.ts';
import type { TextureContents } from './texture-contents.ts';
import { TextureObject } from './texture-object.ts';
import { TextureUploads } from './texture-uploads.ts';

/** Textures and texture units of one context. */
export class TextureState {
  readonly #errors: GlErrors;
  readonly #table: ObjectTable<TextureObject>;
  readonly #budget: ByteBudget;
  readonly #rules: ApiRules;
  readonly #onRemove: (texture: TextureObject) => void;
  readonly pixelStore: PixelStore;
  readonly uploads: TextureUploads;
  readonly samplers: SamplerObjects;
  readonly filterRules: FilterRules;
  readonly #units: Map<number, TextureObject>[] = [];
  readonly #nameless = new Map<number, TextureObject>();
  #activeUnit = 0;

  /** @param onRemove Callback for each deleted texture. */
  constructor(
    errors: GlErrors,
    rules: ApiRules,
    table: ObjectTable<TextureObject>,
    budget: ByteBudget,
    contents: TextureContents,
    onRemove: (texture: TextureObject) => void,
  ) {
    this.#errors = errors;
    this.#table = table;
    this.#budget = budget;
    this.#rules = rules;
    this.filterRules = new FilterRules(rules);
    this.#onRemove = onRemove;
    this.pixelStore = new PixelStore(errors);
    const boundNow = (target: number) => this.bound(this.#activeUnit, target);
    this.uploads = new TextureUploads(errors, budget, this.pixelStore, rules, boundNow, contents);
    this.samplers = new SamplerObjects(errors, rules.textureUnitCount, rules.hasFixedFunctions);
    for (let unit = 0; unit < rules.textureUnitCount; unit++) this.#units.push(new Map());
  }

  /** Index of the active unit, starting at 0. */
  get activeUnit(): number {
    return this.#activeUnit;
  }

  generate(count: number): number[] {
    return this.#table.reserve(count);
  }

  isTexture(name: number): boolean {
    return this.#table.get(name) !== null;
  }

  object(name: number): TextureObject | null {
    return this.#table.get(name);
  }

  /**
   * Selects the active unit.
   *
   * @param unit `GL_TEXTURE0` or a later unit enumeration.
   */
  activate(unit: number): void {
    const index = unit - GL.TEXTURE0;
    const { textureUnitCount } = this.#rules;
    if (!(index >= 0 && index < textureUnitCount)) {
      this.#errors.raise(
        GL.INVALID_ENUM,
        `activeTexture: unit ${index} is not in 0..${textureUnitCount - 1}`,
      );
      return;
    }
    this.#activeUnit = index;
  }

  bind(target: number, name: number): void {
    if (dimensionOf(target) === null) {
      this.#errors.raise(
        GL.INVALID_ENUM,
        `bindTexture: ${nameOfEnum(target)} is not a texture target`,
      );
      return;
    }
    const unit = this.#units[this.#activeUnit]!;
    if (name === 0) {
      unit.delete(target);
      return;
    }
    const texture = this.#table.obtain(name, (made) => this.#make(made, target));
    if (texture.target !== target) {
      this.#errors.raiseCertain(
        GL.INVALID_OPERATION,
        `bindTexture: texture ${name} is of type ${nameOfEnum(texture.target)}, not ${nameOfEnum(target)}`,
      );
      return;
    }
    unit.set(target, texture);
  }

  #make(name: number, target: number): TextureObject {
    return new TextureObject(name, target, this.#rules, this.filterRules);
  }

  /**
   * Returns the texture that a sampler of a unit reads. If no texture is bound, returns the default
   * texture.
   */
  bound(unit: number, target: number): TextureObject {
    const bound = this.#units[unit]?.get(target);
    if (bound !== undefined) return bound;
    let nameless = this.#nameless.get(target);
    if (nameless === undefined) {
      nameless = this.#make(0, target);
      this.#nameless.set(target, nameless);
    }
    return nameless;
  }

  /**
   * Saves bindings, parameters of bound textures and the active unit. Returns a function that
   * restores them.
   */
  saveBindings(): () => void {
    const activeUnit = this.#activeUnit;
    const units = this.#units.map((bound) => new Map(bound));
    const parameters = units.flatMap((bound) =>
      [...bound.values()].map((texture) => texture.saveParameters()),
    );
    return () => {
      this.#activeUnit = activeUnit;
      units.forEach((bound, unit) => {
        const target = this.#units[unit]!;
        target.clear();
        // A texture that was deleted after the save is not bound again.
        for (const [key, texture] of bound) {
          if (this.#table.get(texture.name) === texture) target.set(key, texture);
        }
      });
      for (const restore of parameters) restore();
    };
  }

  /**
   * Returns the base format of a unit's texture. Returns `null` for an incomplete texture, which
   * fixed functions ignore.
   */
  sampledBase(unit: number, target: number): BaseFormat | null {
    return this.bound(unit, target).sampledBase();
  }

  /** Returns whether sampling the texture of a unit compares depths. */
  isCompared(unit: number, target: number): boolean {
    return this.bound(unit, target).isCompared;
  }

  remove(names: readonly number[]): void {
    for (const name of names) {
      const texture = name === 0 ? null : this.#table.remove(name);
      if (texture === null) continue;
      this.#budget.exchange(texture.levels.sizeBytes, 0);
      for (const unit of this.#units) {
        if (unit.get(texture.target) === texture) unit.delete(texture.target);
      }
      this.#onRemove(texture);
    }
  }

  /**
   * Lets the bound buffer texture read a buffer (OpenGL 3.1, section 3.8.4).
   *
   * @param buffer `null` for no buffer.
   * @param range Range of the buffer in bytes; by default the whole buffer.
   */
  attachBuffer(
    target: number,
    internalFormat: number,
    buffer: BufferObject | null,
    range: ByteRange | null = null,
  ): void {
    if (target !== FIXED.TEXTURE_BUFFER) {
      const name = nameOfEnum(target);
      this.#errors.raise(GL.INVALID_ENUM, `texBuffer: ${name} is not GL_TEXTURE_BUFFER`);
      return;
    }
    const layout = bufferLayoutOf(internalFormat);
    if (layout === null) {
      const name = nameOfEnum(internalFormat);
      this.#errors.raise(GL.INVALID_ENUM, `texBuffer: ${name} is no format of buffer textures`);
      return;
    }
    const texture = this.bound(this.#activeUnit, target);
    texture.buffer = new BufferTexels(buffer, layout, range);
  }

  setParameter(target: number, parameter: number, value: number): void {
    if (dimensionOf(target) === null) {
      this.#errors.raise(
        GL.INVALID_ENUM,
        `texParameter: ${nameOfEnum(target)} is not a texture target`,
      );
      return;
    }
    if (!this.bound(this.#activeUnit, target).setParameter(parameter, value)) {
      this.#errors.raise(
        GL.INVALID_ENUM,
        `texParameter: ${nameOfEnum(parameter)} does not accept ${value}`,
      );
    }
  }

  parameter(target: number, parameter: number): number | null {
    const value = this.bound(this.#activeUnit, target).parameter(parameter);
    if (value === null) {
      this.#errors.raise(
        GL.INVALID_ENUM,
        `getTexParameter: ${nameOfEnum(parameter)} is not a texture parameter`,
      );
    }
    return value;
  }

  setBorderColor(target: number, color: readonly [number, number, number, number]): void {
    if (dimensionOf(target) === null) {
      this.#errors.raise(
        GL.INVALID_ENUM,
        `texParameter: ${nameOfEnum(target)} is not a texture target`,
      );
      return;
    }
    this.bound(this.#activeUnit, target).setBorderColor(color);
  }
}
