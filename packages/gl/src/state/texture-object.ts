/** One texture: its levels, parameters and whether they make it complete (OpenGL ES 2.0, section 3.7). */
import type { FilterMode, SamplerState, TextureFormat, WrapMode } from '@tessera/frame';
import { RenderError } from '@tessera/frame';
import { GL, nameOfEnum } from '../constants.ts';
import { type BaseFormat, textureFormatOf } from './texel-formats.ts';

export interface TextureLevel {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly base: BaseFormat;
  /** Tightly packed; none for depth. Replaced, never changed, once a draw has seen them. */
  readonly texels: Uint8Array;
}

/** What a draw samples: a `TextureResource` without its hash. The same object until the texture changes. */
export interface TextureContent {
  readonly format: TextureFormat;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly levels: readonly Uint8Array[];
  readonly isMipmapGenerated: boolean;
}

/**
 * Where the levels above the base come from: the program gave them; the chiplet makes them from the
 * base; or they were made from a base that is no longer there.
 */
type Mipmaps = 'given' | 'generated' | 'outdated';

const WRAP_BY_ENUM: ReadonlyMap<number, WrapMode> = new Map([
  [GL.REPEAT, 'repeat'],
  [GL.CLAMP_TO_EDGE, 'clamp-to-edge'],
  [GL.MIRRORED_REPEAT, 'mirrored-repeat'],
]);

const MIN_FILTERS: ReadonlyMap<number, readonly [FilterMode, SamplerState['mipmapFilter']]> =
  new Map([
    [GL.NEAREST, ['nearest', 'none']],
    [GL.LINEAR, ['linear', 'none']],
    [GL.NEAREST_MIPMAP_NEAREST, ['nearest', 'nearest']],
    [GL.LINEAR_MIPMAP_NEAREST, ['linear', 'nearest']],
    [GL.NEAREST_MIPMAP_LINEAR, ['nearest', 'linear']],
    [GL.LINEAR_MIPMAP_LINEAR, ['linear', 'linear']],
  ]);

/** Parameters that change nothing at their initial value and that chiplets do not have otherwise. */
const INITIAL_ONLY: ReadonlyMap<number, number> = new Map([
  [GL.TEXTURE_MAX_ANISOTROPY, 1],
  [GL.TEXTURE_MIN_LOD, -1000],
  [GL.TEXTURE_MAX_LOD, 1000],
  [GL.TEXTURE_LOD_BIAS, 0],
  [GL.TEXTURE_COMPARE_MODE, GL.NONE],
]);

export class TextureObject {
  readonly name: number;
  readonly target: number;
  readonly #levels = new Map<number, TextureLevel>();
  readonly #initialOnly = new Map<number, number>();
  #mipmaps: Mipmaps = 'given';
  #wrapS: number = GL.REPEAT;
  #wrapT: number = GL.REPEAT;
  #minFilter: number = GL.NEAREST_MIPMAP_LINEAR;
  #magFilter: number = GL.LINEAR;
  #baseLevel = 0;
  #maxLevel = 1000;
  /** Whether every upload of the base makes the other levels (OpenGL 1.4's GL_GENERATE_MIPMAP). */
  #isGeneratingMipmaps = false;
  #content: TextureContent | null = null;
  #isDrawnInto = false;

  constructor(name: number, target: number) {
    this.name = name;
    this.target = target;
  }

  level(index: number): TextureLevel | null {
    return this.#levels.get(index) ?? null;
  }

  setLevel(index: number, level: TextureLevel): void {
    this.#levels.set(index, level);
    this.#content = null;
    this.#isDrawnInto = false;
    if (this.#isGeneratingMipmaps && index === this.#baseLevel) this.#mipmaps = 'generated';
    else if (this.#mipmaps === 'generated') this.#mipmaps = 'outdated';
  }

  /** Bytes of all levels. */
  get sizeBytes(): number {
    let sum = 0;
    for (const level of this.#levels.values()) sum += level.texels.length;
    return sum;
  }

  /** Notes that a draw or clear goes into the texture, so that its texels are no longer known here. */
  markDrawnInto(): void {
    this.#isDrawnInto = true;
    if (this.#mipmaps === 'generated') this.#mipmaps = 'outdated';
  }

  get isDrawnInto(): boolean {
    return this.#isDrawnInto;
  }

  /** Whether sampling starts at level 0. */
  get hasBaseLevelZero(): boolean {
    return this.#baseLevel === 0;
  }

  /** Whether there is a base level to make the others from. */
  canGenerateMipmaps(): boolean {
    const base = this.level(this.#baseLevel);
    return base !== null && base.base !== 'depth' && base.widthPx > 0 && base.heightPx > 0;
  }

  generateMipmaps(): void {
    this.#mipmaps = 'generated';
    this.#content = null;
  }

  /** The base level's size. */
  baseSize(): { widthPx: number; heightPx: number } | null {
    return this.level(this.#baseLevel);
  }

  /** Keeps filters and wrapping, to be put back. */
  saveParameters(): () => void {
    const [wrapS, wrapT] = [this.#wrapS, this.#wrapT];
    const [minFilter, magFilter] = [this.#minFilter, this.#magFilter];
    return () => {
      this.#wrapS = wrapS;
      this.#wrapT = wrapT;
      this.#minFilter = minFilter;
      this.#magFilter = magFilter;
    };
  }

  /** Channels of what a draw samples, `null` if the texture is incomplete. */
  sampledBase(): BaseFormat | null {
    const base = this.level(this.#baseLevel)?.base ?? null;
    const isComplete = this.#isDrawnInto
      ? this.drawnForSampling(false) !== null
      : this.contentForSampling(false) !== null;
    return isComplete ? base : null;
  }

  /** Sets a parameter; false if name or value are unknown. */
  setParameter(parameter: number, value: number): boolean {
    switch (parameter) {
      case GL.TEXTURE_WRAP_S:
      case GL.TEXTURE_WRAP_T:
        if (!WRAP_BY_ENUM.has(value) && value !== GL.CLAMP) return false;
        if (parameter === GL.TEXTURE_WRAP_S) this.#wrapS = value;
        else this.#wrapT = value;
        return true;
      case GL.TEXTURE_MIN_FILTER:
        if (!MIN_FILTERS.has(value)) return false;
        this.#minFilter = value;
        return true;
      case GL.TEXTURE_MAG_FILTER:
        if (value !== GL.NEAREST && value !== GL.LINEAR) return false;
        this.#magFilter = value;
        return true;
      case GL.TEXTURE_BASE_LEVEL:
      case GL.TEXTURE_MAX_LEVEL:
        if (value < 0) return false;
        if (parameter === GL.TEXTURE_BASE_LEVEL) this.#baseLevel = value;
        else this.#maxLevel = value;
        this.#content = null;
        return true;
      case GL.GENERATE_MIPMAP:
        this.#isGeneratingMipmaps = value !== 0;
        return true;
      default:
        if (!INITIAL_ONLY.has(parameter)) return false;
        this.#initialOnly.set(parameter, value);
        return true;
    }
  }

  parameter(parameter: number): number | null {
    switch (parameter) {
      case GL.TEXTURE_WRAP_S:
        return this.#wrapS;
      case GL.TEXTURE_WRAP_T:
        return this.#wrapT;
      case GL.TEXTURE_MIN_FILTER:
        return this.#minFilter;
      case GL.TEXTURE_MAG_FILTER:
        return this.#magFilter;
      case GL.TEXTURE_BASE_LEVEL:
        return this.#baseLevel;
      case GL.TEXTURE_MAX_LEVEL:
        return this.#maxLevel;
      default:
        return this.#initialOnly.get(parameter) ?? INITIAL_ONLY.get(parameter) ?? null;
    }
  }

  /** @throws {RenderError} FRAME_UNSUPPORTED for parameters that chiplets do not have. */
  sampler(): SamplerState {
    for (const [parameter, value] of this.#initialOnly) {
      if (value !== INITIAL_ONLY.get(parameter)) {
        this.#failUnsupported(`${nameOfEnum(parameter)} ${value}`);
      }
    }
    const [minFilter, mipmapFilter] = MIN_FILTERS.get(this.#minFilter)!;
    const magFilter = this.#magFilter === GL.NEAREST ? 'nearest' : 'linear';
    const isNearest = minFilter === 'nearest' && magFilter === 'nearest';
    const [wrapS, wrapT] = [this.#wrapS, this.#wrapT].map((wrap) => {
      // Without filtering GL_CLAMP reaches no border texel and is clamping to the edge.
      if (wrap === GL.CLAMP && !isNearest) this.#failUnsupported('GL_CLAMP with linear filters');
      return WRAP_BY_ENUM.get(wrap) ?? 'clamp-to-edge';
    });
    return { wrapS: wrapS!, wrapT: wrapT!, magFilter, minFilter, mipmapFilter };
  }

  /**
   * What a draw samples, or `null` where the texture is incomplete and reads black.
   *
   * @param isPowerOfTwoOnly Whether other sizes need clamping and no mipmaps (OpenGL ES 2.0, section 3.8.2).
   * @throws {RenderError} FRAME_UNSUPPORTED for contents that a frame cannot hold.
   */
  contentForSampling(isPowerOfTwoOnly: boolean): TextureContent | null {
    const base = this.level(this.#baseLevel);
    if (base === null || base.widthPx === 0 || base.heightPx === 0) return null;
    if (this.#isDrawnInto) this.#failUnsupported('sampled after something was drawn into it');
    const { mipmapFilter } = this.sampler();
    if (isPowerOfTwoOnly && this.#isRestrictedSize(base, mipmapFilter)) return null;
    if (mipmapFilter !== 'none' && this.#mipmaps === 'outdated') {
      this.#failUnsupported('sampled after its levels changed since glGenerateMipmap');
    }
    this.#content ??= this.#makeContent(base);
    const isWhole = this.#content.isMipmapGenerated || this.#content.levels.length > 1;
    const isOneTexel = base.widthPx === 1 && base.heightPx === 1;
    if (mipmapFilter !== 'none' && !isWhole && !isOneTexel && this.#maxLevel > this.#baseLevel) {
      return null;
    }
    return this.#content;
  }

  /**
   * How a draw samples what was drawn into level 0, or `null` where the texture is incomplete and reads black.
   *
   * @throws {RenderError} FRAME_UNSUPPORTED for what a frame cannot hold.
   */
  drawnForSampling(isPowerOfTwoOnly: boolean): { readonly readsMipmaps: boolean } | null {
    const base = this.level(0);
    if (base === null || this.#baseLevel !== 0) return null;
    const { mipmapFilter } = this.sampler();
    if (isPowerOfTwoOnly && this.#isRestrictedSize(base, mipmapFilter)) return null;
    if (mipmapFilter === 'none' || (base.widthPx === 1 && base.heightPx === 1)) {
      return { readsMipmaps: false };
    }
    if (this.#mipmaps === 'outdated') {
      this.#failUnsupported('sampled after its levels changed since glGenerateMipmap');
    }
    if (this.#mipmaps === 'generated') {
      this.#requireWholeChain(base);
      return { readsMipmaps: true };
    }
    if (this.#maxLevel <= 0) return { readsMipmaps: false };
    if (this.#collectLevels(base).length === 1) return null;
    return this.#failUnsupported('drawn into, and sampled with levels that were uploaded');
  }

  /** Sizes that OpenGL ES 2.0 samples only clamped and without mipmaps. */
  #isRestrictedSize(
    { widthPx, heightPx }: TextureLevel,
    mipmapFilter: SamplerState['mipmapFilter'],
  ): boolean {
    if (isPowerOfTwo(widthPx) && isPowerOfTwo(heightPx)) return false;
    const isClamped = this.#wrapS === GL.CLAMP_TO_EDGE && this.#wrapT === GL.CLAMP_TO_EDGE;
    return !isClamped || mipmapFilter !== 'none';
  }

  #requireWholeChain({ widthPx, heightPx }: TextureLevel): void {
    if (this.#maxLevel < this.#baseLevel + 31 - Math.clz32(Math.max(widthPx, heightPx))) {
      this.#failUnsupported('GL_TEXTURE_MAX_LEVEL cuts generated levels off');
    }
  }

  #makeContent(base: TextureLevel): TextureContent {
    const format = textureFormatOf(base.base);
    if (format === null) return this.#failUnsupported('depth textures cannot be sampled');
    const { widthPx, heightPx } = base;
    const levels = this.#mipmaps === 'given' ? this.#collectLevels(base) : [base.texels];
    const isMipmapGenerated = this.#mipmaps === 'generated';
    if (isMipmapGenerated) this.#requireWholeChain(base);
    return { format, widthPx, heightPx, levels, isMipmapGenerated };
  }

  /** The base and all levels above it if they make a whole chain, else the base alone. */
  #collectLevels(base: TextureLevel): Uint8Array[] {
    const levels = [base.texels];
    let { widthPx, heightPx } = base;
    for (let index = this.#baseLevel + 1; index <= this.#maxLevel; index++) {
      if (widthPx === 1 && heightPx === 1) break;
      widthPx = Math.max(1, widthPx >> 1);
      heightPx = Math.max(1, heightPx >> 1);
      const level = this.level(index);
      const isFitting =
        level?.widthPx === widthPx && level.heightPx === heightPx && level.base === base.base;
      if (!isFitting) return [base.texels];
      levels.push(level.texels);
    }
    return levels;
  }

  #failUnsupported(what: string): never {
    throw new RenderError('FRAME_UNSUPPORTED', `texture ${this.name}: ${what}`);
  }
}

function isPowerOfTwo(size: number): boolean {
  return (size & (size - 1)) === 0;
}
