/** Sampling parameters of textures and of sampler objects (OpenGL ES 3.0, section 3.8.2). */
import type { SamplerState } from '@tessera/frame';
import { GL } from '../../api/constants.ts';
import { RASTER_ENUMS } from '../../api/raster-enums.ts';
import {
  COMPARE_REF_TO_TEXTURE,
  isAllowed,
  MIN_FILTERS,
  NUMBERS,
  SWIZZLE_BY_ENUM,
  TEXTURE_SWIZZLES,
  WRAP_BY_ENUM,
} from './texture-parameters.ts';

/**
 * Sampler state determined by the parameters alone. Textures add the part that depends on their
 * storage.
 */
export type ReadingState = Pick<
  SamplerState,
  'wrapS' | 'wrapT' | 'magFilter' | 'minFilter' | 'mipmapFilter'
> & { readonly wrapR: SamplerState['wrapS'] };

/** Red, green, blue and alpha of the border of a texture, not clamped. */
export type BorderColor = readonly [number, number, number, number];

/** Sampling parameters of one texture or sampler object. */
export class SamplerParameters {
  readonly #numbers = new Map(NUMBERS);
  #wrapS: number = GL.REPEAT;
  #wrapT: number = GL.REPEAT;
  #wrapR: number = GL.REPEAT;
  #minFilter: number = GL.NEAREST_MIPMAP_LINEAR;
  #magFilter: number = GL.LINEAR;
  #borderColor: BorderColor = [0, 0, 0, 0];
  #version = 0;
  #reading: ReadingState | null = null;

  /**
   * Applies the restrictions of rectangle textures: no levels, and coordinates that do not repeat.
   */
  restrictToRectangle(): void {
    this.#wrapS = this.#wrapT = this.#wrapR = GL.CLAMP_TO_EDGE;
    this.#minFilter = GL.LINEAR;
    this.#change();
  }

  /** Applies the restrictions of buffer textures, which are not filtered. */
  restrictToBuffer(): void {
    this.#minFilter = this.#magFilter = GL.NEAREST;
    this.#change();
  }

  /** Version number, which increases with every parameter change. */
  get version(): number {
    return this.#version;
  }

  #change(): void {
    this.#version++;
    this.#reading = null;
  }

  /** Saves filters and wrapping. Returns a function that restores them. */
  save(): () => void {
    const [wrapS, wrapT] = [this.#wrapS, this.#wrapT];
    const [minFilter, magFilter] = [this.#minFilter, this.#magFilter];
    return () => {
      this.#wrapS = wrapS;
      this.#wrapT = wrapT;
      this.#minFilter = minFilter;
      this.#magFilter = magFilter;
      this.#change();
    };
  }

  /** Sets a parameter. Returns `false` if the parameter or its value is unknown. */
  set(parameter: number, value: number): boolean {
    this.#change();
    switch (parameter) {
      case GL.TEXTURE_WRAP_S:
      case GL.TEXTURE_WRAP_T:
      case GL.TEXTURE_WRAP_R:
        if (!WRAP_BY_ENUM.has(value)) return false;
        if (parameter === GL.TEXTURE_WRAP_S) this.#wrapS = value;
        else if (parameter === GL.TEXTURE_WRAP_T) this.#wrapT = value;
        else this.#wrapR = value;
        return true;
      case GL.TEXTURE_MIN_FILTER:
        if (!MIN_FILTERS.has(value)) return false;
        this.#minFilter = value;
        return true;
      case GL.TEXTURE_MAG_FILTER:
        if (value !== GL.NEAREST && value !== GL.LINEAR) return false;
        this.#magFilter = value;
        return true;
      default:
        if (!NUMBERS.has(parameter) || !isAllowed(parameter, value)) return false;
        this.#numbers.set(parameter, value);
        return true;
    }
  }

  get borderColor(): BorderColor {
    return this.#borderColor;
  }

  setBorderColor(color: BorderColor): void {
    this.#borderColor = color;
    this.#change();
  }

  get(parameter: number): number | null {
    switch (parameter) {
      case GL.TEXTURE_WRAP_S:
        return this.#wrapS;
      case GL.TEXTURE_WRAP_T:
        return this.#wrapT;
      case GL.TEXTURE_WRAP_R:
        return this.#wrapR;
      case GL.TEXTURE_MIN_FILTER:
        return this.#minFilter;
      case GL.TEXTURE_MAG_FILTER:
        return this.#magFilter;
      default:
        return this.#numbers.get(parameter) ?? null;
    }
  }

  /** Returns a numeric parameter. */
  number(parameter: number): number {
    return this.#numbers.get(parameter)!;
  }

  /** Sources of the red, green, blue and alpha of a result. */
  get swizzle(): NonNullable<SamplerState['swizzle']> {
    const [red, green, blue, alpha] = TEXTURE_SWIZZLES.map(
      (parameter) => SWIZZLE_BY_ENUM.get(this.number(parameter))!,
    );
    return [red!, green!, blue!, alpha!];
  }

  /** Whether depths are compared with a coordinate. */
  get isComparing(): boolean {
    return this.number(GL.TEXTURE_COMPARE_MODE) === COMPARE_REF_TO_TEXTURE;
  }

  /** Comparison of depths. */
  get compare(): SamplerState['compare'] {
    return RASTER_ENUMS.compare.find(this.number(GL.TEXTURE_COMPARE_FUNC)) ?? undefined;
  }

  /** Whether OpenGL ES 2.0 may read textures whose sizes are not powers of two, mipmaps aside. */
  get isClamped(): boolean {
    return this.#wrapS === GL.CLAMP_TO_EDGE && this.#wrapT === GL.CLAMP_TO_EDGE;
  }

  /** State that stays the same object until a parameter changes. */
  get reading(): ReadingState {
    this.#reading ??= this.#read();
    return this.#reading;
  }

  #read(): ReadingState {
    const [minFilter, mipmapFilter] = MIN_FILTERS.get(this.#minFilter)!;
    return {
      wrapS: WRAP_BY_ENUM.get(this.#wrapS)!,
      wrapT: WRAP_BY_ENUM.get(this.#wrapT)!,
      wrapR: WRAP_BY_ENUM.get(this.#wrapR)!,
      magFilter: this.#magFilter === GL.NEAREST ? 'nearest' : 'linear',
      minFilter,
      mipmapFilter,
    };
  }
}
