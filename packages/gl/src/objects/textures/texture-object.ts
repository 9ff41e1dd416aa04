/**
 * One texture: its contents, parameters and completeness (OpenGL ES 2.0, section 3.7). One file
 * because uploads, draws, mipmaps and parameters discard each other's cached contents.
 */
import {
  RenderError,
  type SamplerState,
  TEXTURE_FORMATS,
  type TextureDimension,
  type TextureResource,
} from '@tessera/frame';
import { GL } from '../../api/constants.ts';
import { FIXED } from '../../api/fixed-constants.ts';
import type { ApiRules } from '../../rules/api-rules.ts';
import type { BaseFormat } from '../../texels/texel-formats.ts';
import { type BorderColor, SamplerParameters } from '../samplers/sampler-parameters.ts';
import { limitLevels, makeSamplerState } from '../samplers/sampler-state.ts';
import {
  DEPTH_BASES,
  DEPTH_STENCIL_TEXTURE_MODE,
  DEPTH_TEXTURE_MODE,
  dimensionOf,
  TEXTURE_IMMUTABLE_FORMAT,
  TEXTURE_IMMUTABLE_LEVELS,
} from '../samplers/texture-parameters.ts';
import type { BufferTexels } from './buffer-texels.ts';
import type { FilterRules } from './filter-rules.ts';
import { makeMipmaps } from './make-mipmaps.ts';
import { isRestrictedSize } from './restricted-size.ts';
import { STENCIL_STORAGE, stencilValuesOf } from './stencil-plane.ts';
import type { TextureContent } from './texture-content.ts';
import { asTarget, CUBE_FACE_COUNT, type TextureLevel, TextureLevels } from './texture-levels.ts';

/**
 * Source of the levels above the base. The program uploaded them (`given`), chiplets generate them
 * from the base (`generated`), or they were generated from a base that has been replaced
 * (`outdated`).
 */
type Mipmaps = 'given' | 'generated' | 'outdated';

/** Texture of a context. */
export class TextureObject {
  readonly name: number;
  readonly target: number;
  readonly dimension: TextureDimension;
  readonly #rules: ApiRules;
  readonly #filterRules: FilterRules;
  readonly levels: TextureLevels;
  readonly #parameters = new SamplerParameters();
  #mipmaps: Mipmaps = 'given';
  /** Base and maximum level set by the program. */
  #wantedBase = 0;
  #wantedMax = 1000;
  /** Number of levels of an immutable texture. `null` for a mutable texture. */
  immutableLevels: number | null = null;
  /**
   * Whether an upload of the base level generates the other levels (`GL_GENERATE_MIPMAP` of OpenGL
   * 1.4).
   */
  #isGeneratingMipmaps = false;
  /** Value of {@link DEPTH_STENCIL_TEXTURE_MODE}. */
  #depthStencilMode: number = GL.DEPTH_COMPONENT;
  #content: TextureContent | null = null;
  /** Cached sampler state, with the version of its parameters. */
  #sampler: {
    readonly parameters: SamplerParameters;
    readonly version: number;
    readonly depthMode: number;
    readonly isCubeSeamless: boolean;
    readonly state: SamplerState;
  } | null = null;
  /** Range of a buffer that a buffer texture reads; `null` for other textures. */
  buffer: BufferTexels | null = null;
  #isDrawnInto = false;
  /** Whether a pass has ever drawn into the texture. */
  #isTarget = false;
  #version = 0;
  /** Base level that outdated mipmaps were generated from. `null` if its contents are unknown. */
  #mipmapBase: { readonly base: TextureLevel; readonly whole: Uint8Array } | null = null;
  /** Cached blank contents, used in place of unresolved contents of the same version. */
  #blank: { readonly version: number; readonly content: TextureContent | null } | null = null;
  /** Rendered contents of the texture. `null` after an upload or a draw. */
  #drawn: TextureResource | null = null;

  constructor(name: number, target: number, rules: ApiRules, filterRules: FilterRules) {
    this.#filterRules = filterRules;
    this.name = name;
    this.target = target;
    this.dimension = dimensionOf(target) ?? '2d';
    this.levels = new TextureLevels(this.dimension);
    this.#rules = rules;
    if (target === FIXED.TEXTURE_RECTANGLE) this.#parameters.restrictToRectangle();
    if (target === FIXED.TEXTURE_BUFFER) this.#parameters.restrictToBuffer();
  }

  /** Level at which sampling starts (OpenGL ES 3.0, section 3.8.11.4 for immutable textures). */
  get #baseLevel(): number {
    if (this.immutableLevels === null) return this.#wantedBase;
    return Math.min(this.#wantedBase, this.immutableLevels - 1);
  }

  /** Highest level that the parameters allow to be sampled. */
  get #maxLevel(): number {
    if (this.immutableLevels === null) return this.#wantedMax;
    return Math.min(Math.max(this.#wantedMax, this.#baseLevel), this.immutableLevels - 1);
  }

  /** Whether lookups return stencil values in place of depths. */
  get readsStencil(): boolean {
    const isWanted = this.#depthStencilMode === GL.STENCIL_INDEX;
    return isWanted && this.level(this.#baseLevel)?.hasStencil === true;
  }

  /** Base level in the format that lookups return; `null` if it is not defined. */
  get #sampledLevel(): TextureLevel | null {
    const base = this.level(this.#baseLevel);
    return base !== null && this.readsStencil ? { ...base, ...STENCIL_STORAGE } : base;
  }

  /** Returns a level, or `null` if it is not defined. `face` selects a face of a cube map. */
  level(index: number, face = 0): TextureLevel | null {
    return this.levels.get(index, face);
  }

  setLevel(index: number, level: TextureLevel, face = 0): void {
    const isGenerated = this.#isGeneratingMipmaps && index === this.#baseLevel;
    if (index !== this.#baseLevel) this.materializeMipmaps();
    if (!isGenerated) this.#outdateMipmaps();
    const stored = this.#isTarget ? asTarget(level) : level;
    this.levels.set(index, face, stored);
    this.#content = null;
    this.#sampler = null;
    this.#drawn = null;
    this.#isDrawnInto = false;
    this.#version++;
    if (isGenerated) this.#mipmaps = 'generated';
  }

  #wholeBase(): { base: TextureLevel; whole: Uint8Array } | null {
    const base = this.level(this.#baseLevel);
    const whole = this.levels.facesOf(this.#baseLevel);
    return base === null || whole === null ? null : { base, whole };
  }

  #outdateMipmaps(): void {
    if (this.#mipmaps !== 'generated') return;
    this.#mipmaps = 'outdated';
    this.#mipmapBase = this.#isDrawnInto ? null : this.#wholeBase();
  }

  /** Makes the texture immutable with `levelCount` levels, starting at level 0. */
  makeImmutable(levelCount: number): void {
    this.immutableLevels = levelCount;
    this.#sampler = null;
  }

  /**
   * Marks the texture as drawn into. Its texels are outdated until rendered contents are adopted.
   */
  markDrawnInto(): void {
    this.#outdateMipmaps();
    this.#isDrawnInto = true;
    this.#content = null;
    this.#drawn = null;
  }

  /** Stores rendered contents as the current contents. */
  adopt(drawn: TextureResource): void {
    drawn.levels.forEach((texels, index) => {
      const { faceCount } = this.levels;
      const faceBytes = texels.length / faceCount;
      for (let face = 0; face < faceCount; face++) {
        const level = this.level(index, face);
        if (level === null || level.texels.length !== faceBytes) continue;
        const part = texels.subarray(face * faceBytes, (face + 1) * faceBytes);
        this.levels.set(index, face, { ...level, texels: part });
      }
    });
    this.#isDrawnInto = false;
    this.#content = null;
    this.#drawn = drawn;
    this.#version++;
  }

  /** Whether mipmaps are generated from a base whose contents are not resolved. */
  get hasUnresolvedMipmaps(): boolean {
    return this.#isDrawnInto && this.#mipmaps === 'generated';
  }

  /** Whether mipmaps were generated from a base that has been replaced. */
  get hasOutdatedMipmaps(): boolean {
    return this.#mipmaps === 'outdated';
  }

  /**
   * Stores generated mipmaps as levels, which uploads and passes can replace individually. Drawn
   * contents must already be resolved.
   */
  materializeMipmaps(): void {
    if (this.#mipmaps === 'given' || this.#isDrawnInto) return;
    const made = this.#mipmaps === 'outdated' ? this.#mipmapBase : this.#wholeBase();
    if (made === null) return;
    const { base, whole } = made;
    const { faceCount } = this.levels;
    const { base: channels, format, compressedFormat } = base;
    makeMipmaps(base, whole, this.dimension).forEach(({ texels, ...size }, i) => {
      const index = this.#baseLevel + 1 + i;
      if (index > this.#maxLevel) return;
      const faceBytes = texels.length / faceCount;
      for (let face = 0; face < faceCount; face++) {
        const part = texels.subarray(face * faceBytes, (face + 1) * faceBytes);
        const level = { ...size, base: channels, format, texels: part, compressedFormat };
        this.levels.set(index, face, level);
      }
    });
    this.#mipmaps = 'given';
    this.#mipmapBase = null;
    this.#content = null;
    this.#drawn = null;
    this.#version++;
  }

  /**
   * Version of the contents. It changes when a level is uploaded and drawn contents are discarded.
   */
  get version(): number {
    return this.#version;
  }

  /**
   * Returns the contents as a target of passes, or `null` without level 0. The contents include all
   * consistent levels from level 0. They are blank if they are not resolved.
   */
  contentForDrawing(): TextureContent | null {
    if (!this.#isDrawnInto) return this.#makeForDrawing();
    // The version determines the shape of the blank contents.
    if (this.#blank?.version !== this.#version) {
      this.#blank = { version: this.#version, content: this.#makeForDrawing() };
    }
    return this.#blank.content;
  }

  #makeForDrawing(): TextureContent | null {
    this.#becomeTarget();
    const base = this.level(0);
    const whole = this.levels.whole(0);
    if (base === null || whole === null) return null;
    const given = this.levels.chainOf(base, whole, 0, 14);
    const { format, widthPx, heightPx } = base;
    const levels = this.#isDrawnInto ? given.map((level) => new Uint8Array(level.length)) : given;
    const sliceCount = this.dimension === 'cube' ? CUBE_FACE_COUNT : base.depthPx;
    const { dimension } = this;
    const size = { widthPx, heightPx, sliceCount };
    return this.#withName({ format, dimension, ...size, levels, isMipmapGenerated: false });
  }

  /** Converts all levels to formats that passes can draw into. */
  #becomeTarget(): void {
    if (this.#isTarget) return;
    this.#isTarget = true;
    const isChanged = this.levels.becomeTarget();
    if (isChanged || this.#content?.blockBytes !== undefined) this.#content = null;
  }

  /** Adds the hash of the rendered contents if the texture still holds them. */
  #withName(content: TextureContent): TextureContent {
    const drawn = this.#drawn;
    const isSame =
      drawn !== null &&
      drawn.isMipmapGenerated === content.isMipmapGenerated &&
      drawn.levels.length === content.levels.length &&
      this.#baseLevel === 0;
    return isSame ? { ...content, levels: drawn.levels, sha256: drawn.sha256 } : content;
  }

  /** Whether passes have drawn into the texture and the contents are not yet resolved. */
  get isDrawnInto(): boolean {
    return this.#isDrawnInto;
  }

  /** Whether the levels that the texture's filter needs are defined and consistent. */
  isComplete(parameters = this.#parameters): boolean {
    const base = this.level(this.#baseLevel);
    if (base === null || base.widthPx === 0 || base.heightPx === 0) return false;
    const whole = this.levels.facesOf(this.#baseLevel);
    if (whole === null || !this.#filterRules.allow(this.#sampledLevel!, parameters)) return false;
    if (!this.readsMipmaps(parameters)) return true;
    if (this.#maxLevel < this.#baseLevel) return false;
    const isChain = this.#mipmaps !== 'given' || this.immutableLevels !== null;
    return isChain || this.#chain(base, whole) !== null;
  }

  /** Whether sampling may read levels above the base. */
  readsMipmaps(parameters = this.#parameters): boolean {
    return parameters.reading.mipmapFilter !== 'none';
  }

  /** Whether sampling may read a level. `hasMipmapFilter` includes the levels above the base. */
  readsLevel(level: number, hasMipmapFilter: boolean): boolean {
    if (level === this.#baseLevel) return true;
    return hasMipmapFilter && level > this.#baseLevel && level <= this.#maxLevel;
  }

  /** Whether sampling starts at this level. */
  isBaseLevel(level: number): boolean {
    return level === this.#baseLevel;
  }

  /** Whether mipmaps can be generated from the base level. */
  canGenerateMipmaps(): boolean {
    const base = this.level(this.#baseLevel);
    if (base === null || base.widthPx === 0 || base.heightPx === 0) return false;
    return (
      TEXTURE_FORMATS[base.format].kind === 'float' && this.levels.facesOf(this.#baseLevel) !== null
    );
  }

  generateMipmaps(): void {
    this.#mipmaps = 'generated';
    this.#mipmapBase = null;
    this.#content = null;
  }

  /** Returns the size of the base level, or `null` if it is not defined. */
  baseSize(): { widthPx: number; heightPx: number } | null {
    return this.level(this.#baseLevel);
  }

  /** Saves filters and wrap modes. Returns a function that restores them. */
  saveParameters(): () => void {
    return this.#parameters.save();
  }

  /** Whether sampling compares the texture's depths with a coordinate. */
  get isCompared(): boolean {
    const isDepth = this.level(this.#baseLevel)?.base === 'depth';
    return isDepth && this.#parameters.isComparing;
  }

  /** Value of `GL_DEPTH_TEXTURE_MODE`. */
  get depthMode(): number {
    return this.#parameters.number(DEPTH_TEXTURE_MODE);
  }

  /** Returns the kind of sampler that the texture requires, or `null` if it has no base level. */
  samplerKind(parameters = this.#parameters): 'float' | 'int' | 'uint' | 'shadow' | null {
    const base = this.#sampledLevel;
    if (base === null) return null;
    const { kind } = TEXTURE_FORMATS[base.format];
    if (kind === 'depth') return parameters.isComparing ? 'shadow' : 'float';
    return kind === 'sint' ? 'int' : kind;
  }

  /**
   * Returns the channels that a draw samples, or `null` for an incomplete texture. For depth
   * formats, the depth mode selects the channels.
   */
  sampledBase(): BaseFormat | null {
    const stored = this.level(this.#baseLevel)?.base ?? null;
    const mode = this.#parameters.number(DEPTH_TEXTURE_MODE);
    const base = stored === 'depth' ? (DEPTH_BASES.get(mode) ?? 'red') : stored;
    const isComplete = this.#isDrawnInto
      ? this.drawnForSampling() !== null
      : this.contentForSampling() !== null;
    return isComplete ? base : null;
  }

  /** Sets a parameter. Returns `false` if the parameter or its value is unknown. */
  setParameter(parameter: number, value: number): boolean {
    // Sampler state that comes from a sampler object also depends on these parameters.
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
      case DEPTH_STENCIL_TEXTURE_MODE:
        if (!this.#rules.hasStencilTexturing) return false;
        if (value !== GL.DEPTH_COMPONENT && value !== GL.STENCIL_INDEX) return false;
        this.#depthStencilMode = value;
        this.#content = null;
        return true;
      default:
        return this.#parameters.set(parameter, value);
    }
  }

  setBorderColor(color: BorderColor): void {
    this.#parameters.setBorderColor(color);
  }

  parameter(parameter: number): number | null {
    switch (parameter) {
      case GL.TEXTURE_BASE_LEVEL:
        return this.#wantedBase;
      case GL.TEXTURE_MAX_LEVEL:
        return this.#wantedMax;
      case TEXTURE_IMMUTABLE_FORMAT:
        return Number(this.immutableLevels !== null);
      case TEXTURE_IMMUTABLE_LEVELS:
        return this.immutableLevels ?? 0;
      case DEPTH_STENCIL_TEXTURE_MODE:
        return this.#rules.hasStencilTexturing ? this.#depthStencilMode : null;
      default:
        return this.#parameters.get(parameter);
    }
  }

  /**
   * Returns the sampler state of the texture. Returns the same object until the state changes.
   *
   * @param parameters Parameters of a sampler object, which replace the texture's.
   * @param depthMode Mode that replaces the texture's `GL_DEPTH_TEXTURE_MODE`.
   * @param isCubeSeamless Whether filters read across the edges of faces (ARB_seamless_cube_map).
   */
  sampler(
    parameters = this.#parameters,
    depthMode = this.depthMode,
    isCubeSeamless = false,
  ): SamplerState {
    const known = this.#sampler;
    const isKnown =
      known?.parameters === parameters &&
      known.version === parameters.version &&
      known.depthMode === depthMode &&
      known.isCubeSeamless === isCubeSeamless;
    if (isKnown) return known.state;
    const state = makeSamplerState(parameters, {
      target: this.target,
      dimension: this.dimension,
      base: this.#sampledLevel?.base ?? null,
      baseLevel: this.#baseLevel,
      maxLevel: this.#maxLevel,
      depthMode: this.#rules.hasDepthTextureMode ? depthMode : null,
      swizzle: this.#parameters.swizzle,
      isCubeEdgeHard: this.#rules.isCubeEdgeHard && !isCubeSeamless,
    });
    const { version } = parameters;
    this.#sampler = { parameters, version, depthMode, isCubeSeamless, state };
    return state;
  }

  /**
   * Returns the contents that a draw samples. Returns `null` for an incomplete texture, which reads
   * black.
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
      this.materializeMipmaps();
      if (this.#mipmaps === 'outdated') {
        this.#failUnsupported('sampled after its levels changed since glGenerateMipmap');
      }
    }
    this.#content ??= this.#makeContent(base);
    if (this.#content === null) return null;
    if (!this.#filterRules.allow(this.#sampledLevel!, parameters)) return null;
    const isWhole =
      this.#content.isMipmapGenerated ||
      this.#content.levels.length > 1 ||
      this.immutableLevels !== null;
    if (mipmapFilter === 'none' || isWhole) return this.#content;
    const isDeep = this.dimension === '3d' && base.depthPx > 1;
    const isOneTexel = base.widthPx === 1 && base.heightPx === 1 && !isDeep;
    const isComplete = isOneTexel || this.#maxLevel === this.#baseLevel;
    return isComplete && this.#maxLevel >= this.#baseLevel ? this.#content : null;
  }

  /**
   * Returns how a draw samples contents that a pass of the frame has drawn. Returns `null` for an
   * incomplete texture, which reads black.
   *
   * @throws {RenderError} FRAME_UNSUPPORTED for contents that a frame cannot hold.
   */
  drawnForSampling(parameters = this.#parameters): { readonly readsMipmaps: boolean } | null {
    const first = this.#baseLevel;
    const base = this.level(first);
    if (base === null) return null;
    if (first > 0 && (this.#mipmaps !== 'given' || !this.levels.hasChainTo(first))) {
      this.#failUnsupported('drawn into, with a base level');
    }
    const { mipmapFilter } = parameters.reading;
    if (this.#rules.isPowerOfTwoOnly && isRestrictedSize(base, parameters)) return null;
    if (!this.#filterRules.allow(base, parameters)) return null;
    if (mipmapFilter === 'none' || (base.widthPx === 1 && base.heightPx === 1)) {
      return { readsMipmaps: false };
    }
    if (this.#mipmaps === 'outdated') {
      this.#failUnsupported('sampled after its levels changed since glGenerateMipmap');
    }
    if (this.#mipmaps === 'generated') {
      return { readsMipmaps: true };
    }
    if (this.#maxLevel <= first) return { readsMipmaps: false };
    const isWhole =
      this.immutableLevels !== null || (this.#chain(base, base.texels)?.length ?? 1) > 1;
    return isWhole ? { readsMipmaps: false } : null;
  }

  /** Returns the sampler state for contents that a pass of the frame has drawn, with all levels. */
  drawnSampler(...options: Parameters<TextureObject['sampler']>): SamplerState {
    const isLimited = this.level(this.#maxLevel + 1) !== null;
    const limits = { baseLevel: this.#baseLevel, maxLevel: isLimited ? this.#maxLevel : null };
    return limitLevels(this.sampler(...options), limits);
  }

  #makeContent(base: TextureLevel): TextureContent | null {
    const { widthPx, heightPx, format } = base;
    const isMipmapGenerated = this.#mipmaps === 'generated';
    const whole = this.levels.facesOf(this.#baseLevel);
    if (whole === null) return null;
    const levels = this.#mipmaps === 'given' ? (this.#chain(base, whole) ?? [whole]) : [whole];
    const sliceCount = this.dimension === 'cube' ? CUBE_FACE_COUNT : base.depthPx;
    const { dimension } = this;
    const size = { widthPx, heightPx, sliceCount };
    if (this.readsStencil) {
      const values = levels.map(stencilValuesOf);
      const { format: valueFormat } = STENCIL_STORAGE;
      return { format: valueFormat, dimension, ...size, levels: values, isMipmapGenerated };
    }
    // Targets of passes keep the texels that the chip draws.
    const blocks = this.#isTarget ? {} : base.blocks;
    return this.#withName({ format, dimension, ...size, levels, isMipmapGenerated, ...blocks });
  }

  #chain(base: TextureLevel, whole: Uint8Array): Uint8Array[] | null {
    return this.levels.completeChain(base, whole, this.#baseLevel, this.#maxLevel);
  }

  #failUnsupported(what: string): never {
    throw new RenderError('FRAME_UNSUPPORTED', `texture ${this.name}: ${what}`);
  }
}
