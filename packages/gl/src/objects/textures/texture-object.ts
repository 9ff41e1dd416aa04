/**
 * One texture: its levels, parameters and whether they make it complete (OpenGL ES 2.0, section 3.7). What all of
 * these do to each other is in one file.
 */
import {
  RenderError,
  type SamplerState,
  TEXTURE_FORMATS,
  type TextureDimension,
  type TextureFormat,
  type TextureResource,
} from '@tessera/frame';
import { GL } from '../../api/constants.ts';
import { FIXED } from '../../api/fixed-constants.ts';
import type { ApiRules } from '../../rules/api-rules.ts';
import { makeTargetDepths, targetFormatOf } from '../../texels/depth-texels.ts';
import type { BaseFormat } from '../../texels/texel-formats.ts';
import { SamplerParameters } from '../samplers/sampler-parameters.ts';
import {
  DEPTH_BASES,
  DEPTH_SWIZZLES,
  DEPTH_TEXTURE_MODE,
  dimensionOf,
  TEXTURE_IMMUTABLE_FORMAT,
  TEXTURE_IMMUTABLE_LEVELS,
} from '../samplers/texture-parameters.ts';
import type { FilterRules } from './filter-rules.ts';
import { makeMipmaps } from './make-mipmaps.ts';

export interface TextureLevel {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Layers or depth; 1 for a face of a cube. */
  readonly depthPx: number;
  readonly base: BaseFormat;
  readonly format: TextureFormat;
  /** Tightly packed, slice after slice. Replaced, never changed, once a draw has seen them. */
  readonly texels: Uint8Array;
  /** Whether the program left the size of depths open, as it had to before OpenGL ES 3.0. */
  readonly isUnsizedDepth?: boolean;
}

/** The level as passes draw into it; the same one where it is stored so. */
function asTarget(level: TextureLevel): TextureLevel {
  const format = targetFormatOf(level.format);
  return format === level.format
    ? level
    : { ...level, format, texels: makeTargetDepths(level.texels) };
}

/** Faces of a cube. */
export const CUBE_FACE_COUNT = 6;

/** What a draw samples: a `TextureResource` without its hash. The same object until the texture changes. */
export interface TextureContent {
  readonly format: TextureFormat;
  /** Missing: `2d`. */
  readonly dimension?: TextureDimension;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly sliceCount?: number;
  /** Of a texel. Missing: 1. */
  readonly sampleCount?: number;
  readonly levels: readonly Uint8Array[];
  readonly isMipmapGenerated: boolean;
  /** A name of these texels that is known already. */
  readonly sha256?: string;
}

/**
 * Where the levels above the base come from: the program gave them; the chiplet makes them from the
 * base; or they were made from a base that is no longer there.
 */
type Mipmaps = 'given' | 'generated' | 'outdated';

export class TextureObject {
  readonly name: number;
  readonly target: number;
  readonly dimension: TextureDimension;
  readonly #rules: ApiRules;
  readonly #filterRules: FilterRules;
  /** By level times faces plus face. */
  readonly #levels = new Map<number, TextureLevel>();
  readonly #parameters = new SamplerParameters();
  #borderColor: readonly [number, number, number, number] = [0, 0, 0, 0];
  #mipmaps: Mipmaps = 'given';
  /** As the program set them. */
  #wantedBase = 0;
  #wantedMax = 1000;
  /** Levels of a texture whose shape can no longer change. */
  #immutableLevels: number | null = null;
  /** Whether every upload of the base makes the other levels (OpenGL 1.4's GL_GENERATE_MIPMAP). */
  #isGeneratingMipmaps = false;
  #content: TextureContent | null = null;
  /** As it was last asked for, of that version of the parameters. */
  #sampler: {
    readonly parameters: SamplerParameters;
    readonly version: number;
    readonly state: SamplerState;
  } | null = null;
  #isDrawnInto = false;
  /** Whether it was ever drawn into. */
  #isTarget = false;
  #version = 0;
  /** While mipmaps are outdated: what they were made from, `null` where it is not known. */
  #mipmapBase: { readonly base: TextureLevel; readonly whole: Uint8Array } | null = null;
  /** What it is as a target while nobody knows what was drawn. */
  #blank: { readonly version: number; readonly content: TextureContent | null } | null = null;
  /** What a renderer gave back, as long as it is what the texture holds. */
  #drawn: TextureResource | null = null;

  /** @param filterRules Rules of the context that makes the texture. */
  constructor(name: number, target: number, rules: ApiRules, filterRules: FilterRules) {
    this.#filterRules = filterRules;
    this.name = name;
    this.target = target;
    this.dimension = dimensionOf(target) ?? '2d';
    this.#rules = rules;
    if (target === FIXED.TEXTURE_RECTANGLE) this.#parameters.restrictToRectangle();
  }

  /** Where sampling starts: of an immutable texture one of its levels (OpenGL ES 3.0, section 3.8.11.4). */
  get #baseLevel(): number {
    if (this.#immutableLevels === null) return this.#wantedBase;
    return Math.min(this.#wantedBase, this.#immutableLevels - 1);
  }

  /** The last level that is sampled, as far as parameters say. */
  get #maxLevel(): number {
    if (this.#immutableLevels === null) return this.#wantedMax;
    return Math.min(Math.max(this.#wantedMax, this.#baseLevel), this.#immutableLevels - 1);
  }

  level(index: number, face = 0): TextureLevel | null {
    return this.#levels.get(index * CUBE_FACE_COUNT + face) ?? null;
  }

  setLevel(index: number, level: TextureLevel, face = 0): void {
    const isGenerated = this.#isGeneratingMipmaps && index === this.#baseLevel;
    if (!isGenerated) this.#outdateMipmaps();
    const stored = this.#isTarget ? asTarget(level) : level;
    this.#levels.set(index * CUBE_FACE_COUNT + face, stored);
    this.#content = null;
    this.#sampler = null;
    this.#drawn = null;
    this.#isDrawnInto = false;
    this.#version++;
    if (isGenerated) this.#mipmaps = 'generated';
  }

  #wholeBase(): { base: TextureLevel; whole: Uint8Array } | null {
    const base = this.level(this.#baseLevel);
    const whole = this.#facesOf(this.#baseLevel);
    return base === null || whole === null ? null : { base, whole };
  }

  #outdateMipmaps(): void {
    if (this.#mipmaps !== 'generated') return;
    this.#mipmaps = 'outdated';
    this.#mipmapBase = this.#isDrawnInto ? null : this.#wholeBase();
  }

  /** Fixes the shape of the texture, which has levels 0 to `levelCount` − 1 now. */
  makeImmutable(levelCount: number): void {
    this.#immutableLevels = levelCount;
    this.#sampler = null;
  }

  /** Levels of a texture whose shape can no longer change, else `null`. */
  get immutableLevels(): number | null {
    return this.#immutableLevels;
  }

  /** Bytes of all levels. */
  get sizeBytes(): number {
    let sum = 0;
    for (const level of this.#levels.values()) sum += level.texels.length;
    return sum;
  }

  /** Notes that a draw or clear goes into the texture, so that its texels are no longer known here. */
  markDrawnInto(): void {
    this.#outdateMipmaps();
    this.#isDrawnInto = true;
    this.#content = null;
    this.#drawn = null;
  }

  /** Takes what was drawn into the texture as what it holds. */
  adopt(drawn: TextureResource): void {
    drawn.levels.forEach((texels, index) => {
      const faceCount = this.dimension === 'cube' ? CUBE_FACE_COUNT : 1;
      const faceBytes = texels.length / faceCount;
      for (let face = 0; face < faceCount; face++) {
        const level = this.level(index, face);
        if (level === null || level.texels.length !== faceBytes) continue;
        const part = texels.subarray(face * faceBytes, (face + 1) * faceBytes);
        this.#levels.set(index * CUBE_FACE_COUNT + face, { ...level, texels: part });
      }
    });
    this.#isDrawnInto = false;
    this.#content = null;
    this.#drawn = drawn;
    this.#version++;
  }

  /** Whether levels are made from a base that nobody knows before it is rendered. */
  get hasUnresolvedMipmaps(): boolean {
    return this.#isDrawnInto && this.#mipmaps === 'generated';
  }

  /** Whether levels above the base were made from what it held before. */
  get hasOutdatedMipmaps(): boolean {
    return this.#mipmaps === 'outdated';
  }

  /**
   * Makes generated levels ones that are replaced and drawn into one by one. Nothing may have been drawn into the
   * texture that was not put back.
   */
  materializeMipmaps(): void {
    if (this.#mipmaps === 'given' || this.#isDrawnInto) return;
    const made = this.#mipmaps === 'outdated' ? this.#mipmapBase : this.#wholeBase();
    if (made === null) return;
    const { base, whole } = made;
    const faceCount = this.dimension === 'cube' ? CUBE_FACE_COUNT : 1;
    const { base: channels, format } = base;
    makeMipmaps(base, whole, this.dimension).forEach(({ texels, ...size }, i) => {
      const index = this.#baseLevel + 1 + i;
      if (index > this.#maxLevel) return;
      const faceBytes = texels.length / faceCount;
      for (let face = 0; face < faceCount; face++) {
        const part = texels.subarray(face * faceBytes, (face + 1) * faceBytes);
        const level = { ...size, base: channels, format, texels: part };
        this.#levels.set(index * CUBE_FACE_COUNT + face, level);
      }
    });
    this.#mipmaps = 'given';
    this.#mipmapBase = null;
    this.#content = null;
    this.#drawn = null;
    this.#version++;
  }

  /** Another one: a level was uploaded, and what was drawn is gone. */
  get version(): number {
    return this.#version;
  }

  /**
   * What the texture is as a target: all levels from 0 that fit each other, blank ones if what they hold is not
   * known here; `null` without level 0.
   */
  contentForDrawing(): TextureContent | null {
    if (!this.#isDrawnInto) return this.#makeForDrawing();
    // Of the same shape as long as no level is replaced.
    if (this.#blank?.version !== this.#version) {
      this.#blank = { version: this.#version, content: this.#makeForDrawing() };
    }
    return this.#blank.content;
  }

  #makeForDrawing(): TextureContent | null {
    this.#becomeTarget();
    const base = this.level(0);
    const whole = this.#wholeLevel(0);
    if (base === null || whole === null) return null;
    const given = this.#chainOf(base, whole, 0, 14);
    const { format, widthPx, heightPx } = base;
    const levels = this.#isDrawnInto ? given.map((level) => new Uint8Array(level.length)) : given;
    const sliceCount = this.dimension === 'cube' ? CUBE_FACE_COUNT : base.depthPx;
    const { dimension } = this;
    const size = { widthPx, heightPx, sliceCount };
    return this.#withName({ format, dimension, ...size, levels, isMipmapGenerated: false });
  }

  /** From now on levels are stored as passes draw into them. */
  #becomeTarget(): void {
    if (this.#isTarget) return;
    this.#isTarget = true;
    for (const [place, level] of this.#levels) {
      const stored = asTarget(level);
      if (stored === level) continue;
      this.#levels.set(place, stored);
      this.#content = null;
    }
  }

  /** With the name that what was drawn has, if it is that. */
  #withName(content: TextureContent): TextureContent {
    const drawn = this.#drawn;
    const isSame =
      drawn !== null &&
      drawn.isMipmapGenerated === content.isMipmapGenerated &&
      drawn.levels.length === content.levels.length &&
      this.#baseLevel === 0;
    return isSame ? { ...content, levels: drawn.levels, sha256: drawn.sha256 } : content;
  }

  /** Whether a pass into one image of the texture is into all that it holds: one level of one face or slice. */
  get isOneImage(): boolean {
    const [level] = this.#levels.values();
    return this.isOneLevel && level!.depthPx === 1;
  }

  /** Whether one upload replaces all that the texture holds. */
  get isOneLevel(): boolean {
    return this.#levels.size === 1;
  }

  get isDrawnInto(): boolean {
    return this.#isDrawnInto;
  }

  /** Whether lookups read it at all: the levels that its filter needs are there and fit each other. */
  isComplete(parameters = this.#parameters): boolean {
    const base = this.level(this.#baseLevel);
    if (base === null || base.widthPx === 0 || base.heightPx === 0) return false;
    const whole = this.#facesOf(this.#baseLevel);
    if (whole === null || !this.#isFilterable(base, parameters)) return false;
    if (parameters.reading.mipmapFilter === 'none') return true;
    if (this.#maxLevel < this.#baseLevel) return false;
    const isChain = this.#mipmaps !== 'given' || this.#immutableLevels !== null;
    return isChain || this.#hasAllLevels(base, whole);
  }

  /** Whether a lookup may read a level. @param hasMipmapFilter Else it reads the base alone. */
  readsLevel(level: number, hasMipmapFilter: boolean): boolean {
    if (level === this.#baseLevel) return true;
    return hasMipmapFilter && level > this.#baseLevel && level <= this.#maxLevel;
  }

  /** Whether it is where sampling starts. */
  isBaseLevel(level: number): boolean {
    return level === this.#baseLevel;
  }

  /** Whether all levels down to 0 are there and fit each other, so that passes can draw into them. */
  hasChainTo(level: number): boolean {
    const base = this.level(0);
    if (base === null) return false;
    const faceCount = this.dimension === 'cube' ? CUBE_FACE_COUNT : 1;
    for (let index = 1; index <= level; index++) {
      for (let face = 0; face < faceCount; face++) {
        const found = this.level(index, face);
        const isFitting =
          found !== null &&
          found.widthPx === Math.max(1, base.widthPx >> index) &&
          found.heightPx === Math.max(1, base.heightPx >> index) &&
          found.format === base.format;
        if (!isFitting) return false;
      }
    }
    return true;
  }

  /** Whether sampling starts at level 0. */
  get hasBaseLevelZero(): boolean {
    return this.#baseLevel === 0;
  }

  /** Whether there is a base level to make the others from. */
  canGenerateMipmaps(): boolean {
    const base = this.level(this.#baseLevel);
    if (base === null || base.widthPx === 0 || base.heightPx === 0) return false;
    return TEXTURE_FORMATS[base.format].kind === 'float' && this.#facesOf(this.#baseLevel) !== null;
  }

  generateMipmaps(): void {
    this.#mipmaps = 'generated';
    this.#mipmapBase = null;
    this.#content = null;
  }

  /** The base level's size. */
  baseSize(): { widthPx: number; heightPx: number } | null {
    return this.level(this.#baseLevel);
  }

  /** Keeps filters and wrapping, to be put back. */
  saveParameters(): () => void {
    return this.#parameters.save();
  }

  /** Whether a depth is compared with the coordinate and not read as it is. */
  get isCompared(): boolean {
    const isDepth = this.level(this.#baseLevel)?.base === 'depth';
    return isDepth && this.#parameters.isComparing;
  }

  /** What samplers must be for the texture to be read; `null` where there is nothing to read. */
  samplerKind(parameters = this.#parameters): 'float' | 'int' | 'uint' | 'shadow' | null {
    const base = this.level(this.#baseLevel);
    if (base === null) return null;
    const { kind } = TEXTURE_FORMATS[base.format];
    if (kind === 'depth') return parameters.isComparing ? 'shadow' : 'float';
    return kind === 'sint' ? 'int' : kind;
  }

  /** Channels of what a draw samples, `null` if the texture is incomplete; a depth is what it is read as. */
  sampledBase(): BaseFormat | null {
    const stored = this.level(this.#baseLevel)?.base ?? null;
    const mode = this.#parameters.number(DEPTH_TEXTURE_MODE);
    const base = stored === 'depth' ? (DEPTH_BASES.get(mode) ?? 'red') : stored;
    const isComplete = this.#isDrawnInto
      ? this.drawnForSampling() !== null
      : this.contentForSampling() !== null;
    return isComplete ? base : null;
  }

  /** Sets a parameter; false if name or value are unknown. */
  setParameter(parameter: number, value: number): boolean {
    // Of a sampler object it may depend on these too.
    this.#sampler = null;
    switch (parameter) {
      case GL.TEXTURE_BASE_LEVEL:
      case GL.TEXTURE_MAX_LEVEL:
        if (value < 0) return false;
        if (parameter === GL.TEXTURE_BASE_LEVEL) this.#wantedBase = value;
        else this.#wantedMax = value;
        this.#content = null;
        return true;
      case GL.GENERATE_MIPMAP:
        this.#isGeneratingMipmaps = value !== 0;
        return true;
      default:
        return this.#parameters.set(parameter, value);
    }
  }

  setBorderColor(color: readonly [number, number, number, number]): void {
    this.#borderColor = color;
    this.#sampler = null;
  }

  parameter(parameter: number): number | null {
    switch (parameter) {
      case GL.TEXTURE_BASE_LEVEL:
        return this.#wantedBase;
      case GL.TEXTURE_MAX_LEVEL:
        return this.#wantedMax;
      case TEXTURE_IMMUTABLE_FORMAT:
        return Number(this.#immutableLevels !== null);
      case TEXTURE_IMMUTABLE_LEVELS:
        return this.#immutableLevels ?? 0;
      default:
        return this.#parameters.get(parameter);
    }
  }

  /**
   * How a draw reads the texture; the same object until that changes.
   *
   * @param parameters Of a sampler object in place of the texture's.
   */
  sampler(parameters = this.#parameters): SamplerState {
    const known = this.#sampler;
    if (known?.parameters === parameters && known.version === parameters.version) {
      return known.state;
    }
    const state = this.#makeSampler(parameters);
    this.#sampler = { parameters, version: parameters.version, state };
    return state;
  }

  #makeSampler(parameters: SamplerParameters): SamplerState {
    const { wrapR, ...reading } = parameters.reading;
    const wraps = [reading.wrapS, reading.wrapT, wrapR];
    const isDepth = this.level(this.#baseLevel)?.base === 'depth';
    const minLod = parameters.number(GL.TEXTURE_MIN_LOD);
    const levelSpan = this.#maxLevel - this.#baseLevel;
    const maxLod = Math.min(parameters.number(GL.TEXTURE_MAX_LOD), levelSpan);
    const lodBias = parameters.number(GL.TEXTURE_LOD_BIAS);
    const { isComparing: isCompared, compare } = parameters;
    // What was compared is spread by who asked for it.
    const swizzle =
      isDepth && !isCompared && this.#rules.hasDepthTextureMode
        ? DEPTH_SWIZZLES.get(this.#parameters.number(DEPTH_TEXTURE_MODE))
        : undefined;
    const hasBorder = wraps.some((wrap) => wrap.startsWith('clamp') && wrap !== 'clamp-to-edge');
    return {
      ...reading,
      // The one row is read at its middle.
      ...(this.target === FIXED.TEXTURE_1D ? { wrapT: 'clamp-to-edge' as const } : {}),
      ...(this.dimension === '3d' ? { wrapR } : {}),
      ...(this.dimension === 'cube' && this.#rules.isCubeEdgeHard ? { isCubeEdgeHard: true } : {}),
      ...(minLod > -1000 ? { minLod } : {}),
      ...(maxLod < 1000 - this.#baseLevel ? { maxLod } : {}),
      ...(lodBias === 0 ? {} : { lodBias }),
      ...(isDepth && isCompared ? { compare: compare! } : {}),
      ...(swizzle === undefined ? {} : { swizzle }),
      ...(hasBorder ? { borderColor: this.#borderColor } : {}),
    };
  }

  /**
   * What a draw samples, or `null` where the texture is incomplete and reads black.
   *
   * @throws {RenderError} FRAME_UNSUPPORTED for contents that a frame cannot hold.
   */
  contentForSampling(parameters = this.#parameters): TextureContent | null {
    const base = this.level(this.#baseLevel);
    if (base === null || base.widthPx === 0 || base.heightPx === 0) return null;
    if (this.#isDrawnInto) this.#failUnsupported('sampled after something was drawn into it');
    const { mipmapFilter } = parameters.reading;
    if (this.#rules.isPowerOfTwoOnly && isRestrictedSize(base, parameters)) return null;
    if (mipmapFilter !== 'none' && this.#mipmaps === 'outdated') {
      this.#failUnsupported('sampled after its levels changed since glGenerateMipmap');
    }
    this.#content ??= this.#makeContent(base);
    if (this.#content === null || !this.#isFilterable(base, parameters)) return null;
    const isWhole =
      this.#content.isMipmapGenerated ||
      this.#content.levels.length > 1 ||
      this.#immutableLevels !== null;
    if (mipmapFilter === 'none' || isWhole) return this.#content;
    const isDeep = this.dimension === '3d' && base.depthPx > 1;
    const isOneTexel = base.widthPx === 1 && base.heightPx === 1 && !isDeep;
    const isComplete = isOneTexel || this.#maxLevel === this.#baseLevel;
    return isComplete && this.#maxLevel >= this.#baseLevel ? this.#content : null;
  }

  /**
   * How a draw samples what was drawn into level 0, or `null` where the texture is incomplete and reads black.
   *
   * @throws {RenderError} FRAME_UNSUPPORTED for what a frame cannot hold.
   */
  drawnForSampling(parameters = this.#parameters): { readonly readsMipmaps: boolean } | null {
    const base = this.level(0);
    if (base === null) return null;
    if (this.#baseLevel !== 0) this.#failUnsupported('drawn into, with a base level');
    const { mipmapFilter } = parameters.reading;
    if (this.#rules.isPowerOfTwoOnly && isRestrictedSize(base, parameters)) return null;
    if (!this.#isFilterable(base, parameters)) return null;
    if (mipmapFilter === 'none' || (base.widthPx === 1 && base.heightPx === 1)) {
      return { readsMipmaps: false };
    }
    if (this.#mipmaps === 'outdated') {
      this.#failUnsupported('sampled after its levels changed since glGenerateMipmap');
    }
    if (this.#mipmaps === 'generated') {
      return { readsMipmaps: true };
    }
    if (this.#maxLevel <= 0) return { readsMipmaps: false };
    const isWhole =
      this.#immutableLevels !== null || this.#collectLevels(base, base.texels).length > 1;
    return isWhole ? { readsMipmaps: false } : null;
  }

  /** Integers take no filter, nor do depths that are not compared in OpenGL ES 3.0. */
  #isFilterable(
    { format, base, isUnsizedDepth }: TextureLevel,
    parameters: SamplerParameters,
  ): boolean {
    const { kind } = TEXTURE_FORMATS[format];
    const isBareDepth = base === 'depth' && isUnsizedDepth !== true && !parameters.isComparing;
    const isFiltered =
      kind !== 'sint' &&
      kind !== 'uint' &&
      this.#filterRules.isFilterable(format) &&
      (this.#rules.areDepthsFilterable || !isBareDepth);
    if (isFiltered) return true;
    const { magFilter, minFilter, mipmapFilter } = parameters.reading;
    return magFilter === 'nearest' && minFilter === 'nearest' && mipmapFilter !== 'linear';
  }

  #makeContent(base: TextureLevel): TextureContent | null {
    const { widthPx, heightPx, format } = base;
    const isMipmapGenerated = this.#mipmaps === 'generated';
    const whole = this.#facesOf(this.#baseLevel);
    if (whole === null) return null;
    const levels = this.#mipmaps === 'given' ? this.#collectLevels(base, whole) : [whole];
    const sliceCount = this.dimension === 'cube' ? CUBE_FACE_COUNT : base.depthPx;
    const { dimension } = this;
    const size = { widthPx, heightPx, sliceCount };
    return this.#withName({ format, dimension, ...size, levels, isMipmapGenerated });
  }

  /** Texels of a level, with zeros for faces that are missing; `null` if the first is. */
  #wholeLevel(index: number): Uint8Array | null {
    const first = this.level(index);
    const whole = this.#facesOf(index);
    if (first === null || whole !== null) return whole;
    const { length } = first.texels;
    const texels = new Uint8Array(length * CUBE_FACE_COUNT);
    for (let face = 0; face < CUBE_FACE_COUNT; face++) {
      const found = this.level(index, face)?.texels;
      if (found?.length === length) texels.set(found, face * length);
    }
    return texels;
  }

  /** Texels of a level: of all faces, if they are there and alike; else `null`. */
  #facesOf(index: number): Uint8Array | null {
    const first = this.level(index);
    if (first === null || this.dimension !== 'cube') return first?.texels ?? null;
    const { widthPx, format } = first;
    const { buffer, byteOffset, length } = first.texels;
    let areInOnePiece = true;
    for (let i = 0; i < CUBE_FACE_COUNT; i++) {
      const face = this.level(index, i);
      if (face?.widthPx !== widthPx || face.heightPx !== widthPx || face.format !== format) {
        return null;
      }
      const { texels } = face;
      areInOnePiece &&= texels.buffer === buffer && texels.byteOffset === byteOffset + i * length;
    }
    // What was put back is in one piece.
    if (areInOnePiece) return new Uint8Array(buffer, byteOffset, length * CUBE_FACE_COUNT);
    const texels = new Uint8Array(length * CUBE_FACE_COUNT);
    for (let i = 0; i < CUBE_FACE_COUNT; i++) texels.set(this.level(index, i)!.texels, i * length);
    return texels;
  }

  /** The base and all levels above it if they make a whole chain, else the base alone. */
  #collectLevels(base: TextureLevel, whole: Uint8Array): Uint8Array[] {
    const levels = this.#chainOf(base, whole, this.#baseLevel, this.#maxLevel);
    return levels.length >= this.#countWanted(base) ? levels : [whole];
  }

  #hasAllLevels(base: TextureLevel, whole: Uint8Array): boolean {
    const levels = this.#chainOf(base, whole, this.#baseLevel, this.#maxLevel);
    return levels.length >= this.#countWanted(base);
  }

  /** Levels of a whole chain from the base on. */
  #countWanted({ widthPx, heightPx, depthPx }: TextureLevel): number {
    const edgePx = Math.max(widthPx, heightPx, this.dimension === '3d' ? depthPx : 1);
    return Math.min(32 - Math.clz32(edgePx), this.#maxLevel + 1 - this.#baseLevel);
  }

  /** Levels from `first` on that are there and fit each other. */
  #chainOf(base: TextureLevel, whole: Uint8Array, first: number, last: number): Uint8Array[] {
    const levels = [whole];
    let { widthPx, heightPx, depthPx } = base;
    for (let index = first + 1; index <= last; index++) {
      const isDeep = this.dimension === '3d' && depthPx > 1;
      if (widthPx === 1 && heightPx === 1 && !isDeep) break;
      widthPx = Math.max(1, widthPx >> 1);
      heightPx = Math.max(1, heightPx >> 1);
      if (this.dimension === '3d') depthPx = Math.max(1, depthPx >> 1);
      const level = this.level(index);
      const isFitting =
        level?.widthPx === widthPx &&
        level.heightPx === heightPx &&
        level.depthPx === depthPx &&
        level.format === base.format;
      const texels = isFitting ? this.#facesOf(index) : null;
      if (texels === null) break;
      levels.push(texels);
    }
    return levels;
  }

  #failUnsupported(what: string): never {
    throw new RenderError('FRAME_UNSUPPORTED', `texture ${this.name}: ${what}`);
  }
}

/** Sizes that OpenGL ES 2.0 samples only clamped and without mipmaps. */
function isRestrictedSize(
  { widthPx, heightPx }: TextureLevel,
  parameters: SamplerParameters,
): boolean {
  if (isPowerOfTwo(widthPx) && isPowerOfTwo(heightPx)) return false;
  return !parameters.isClamped || parameters.reading.mipmapFilter !== 'none';
}

function isPowerOfTwo(size: number): boolean {
  return (size & (size - 1)) === 0;
}
