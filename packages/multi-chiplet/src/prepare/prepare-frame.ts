/**
 * Validates a frame, compiles its programs and resolves names to slots: `Frame` in, `PreparedFrame`
 * out. A prepared frame is trusted from here on.
 */
import {
  type CoarseBinGrid,
  type Coupling,
  DEFAULT_VISIBILITY_SWITCHES,
  type Draw,
  drawnFormatOf,
  type Frame,
  type FrameLimits,
  type IndexRanges,
  type Pass,
  type PassLink,
  type PassTarget,
  type PreparedAttribute,
  type PreparedDraw,
  type PreparedFrame,
  RenderError,
  type ShaderProgram,
  type TextureBinding,
  type TextureImage,
  type TextureResource,
  type Timing,
  type UniformInfo,
  type UniformValue,
  type VisibilityDelivery,
  type VisibilityShader,
  type VisibilitySwitches,
  validateFrame,
} from '@tessera/frame';
import { DEFAULT_ORGANIZATION, type Organization } from '../simulated-time/organization.ts';
import { hashFrame } from './hash-frame.ts';
import type { ProgramCache } from './program-cache.ts';

/** Options of preparing a frame. */
export interface PrepareOptions {
  readonly grid: CoarseBinGrid;
  readonly visibilityShader: VisibilityShader;
  /**
   * Switches of the visibility phase; those left out are as in {@link DEFAULT_VISIBILITY_SWITCHES}.
   */
  readonly visibilitySwitches?: Partial<VisibilitySwitches> | undefined;
  /** Number of chiplets that share each visibility phase; 1 by default. */
  readonly visibilityChiplets?: number | undefined;
  /** Way in which chiplets share the frame; only `binned`, the default, has an early bin. */
  readonly organization?: Organization | undefined;
  /** Delivery of visibility; `phase` by default. */
  readonly visibilityDelivery?: VisibilityDelivery | undefined;
  readonly timing: Timing;
  /** Coupling of the chiplets with cycle timing; `none` by default. */
  readonly coupling?: Coupling | undefined;
  readonly programs: ProgramCache;
  readonly limits?: FrameLimits | undefined;
  /** Cache of the index ranges of buffers that later frames draw again. */
  readonly indexRanges?: IndexRanges | undefined;
}

/**
 * Prepares a frame for the chiplets.
 *
 * @throws {RenderError} FRAME_INVALID, LIMIT_EXCEEDED or SHADER_COMPILE_FAILED, naming the place.
 */
export function prepareFrame(frame: Frame, options: PrepareOptions): PreparedFrame {
  const { visibilityChiplets = 1, visibilityDelivery = 'phase' } = options;
  const { organization = DEFAULT_ORGANIZATION } = options;
  validateFrame(frame, options.limits, options.indexRanges);
  const programs = frame.programs.map((source, i) => {
    try {
      return options.programs.compile(source);
    } catch (error) {
      if (!(error instanceof RenderError)) throw error;
      throw new RenderError(error.code, `programs[${i}]: ${error.message}`, { cause: error });
    }
  });
  return {
    commands: {
      sha256: hashFrame(frame),
      grid: options.grid,
      visibilityShader: options.visibilityShader,
      visibilitySwitches: {
        ...DEFAULT_VISIBILITY_SWITCHES,
        ...options.visibilitySwitches,
        ...(organization === 'binned' ? {} : { rendersEarlyBin: false }),
      },
      ...(visibilityChiplets === 1 ? {} : { visibilityChiplets }),
      ...(visibilityDelivery === 'phase' ? {} : { visibilityDelivery }),
      earlyBinId: null,
      spec: null,
      timing: options.timing,
      ...(options.coupling === 'exact' ? { coupling: options.coupling } : {}),
      buffers: frame.buffers.map((buffer) => buffer.sha256),
      textures: frame.textures.map((texture) => texture.sha256),
      programs: programs.map((program) => program.sha256),
      passes: frame.passes.map((pass, passIndex) => ({
        clear: pass.clear,
        contents: null,
        ...preparePassTarget(passIndex, frame),
        ...(pass.queries === undefined || pass.queries.length === 0
          ? {}
          : { queries: pass.queries }),
        draws: pass.draws.map((draw, drawIndex) =>
          prepareDraw(
            `passes[${passIndex}].draws[${drawIndex}]`,
            withoutMissingDepth(draw, pass),
            programs,
            frame.textures,
          ),
        ),
      })),
    },
    buffers: frame.buffers,
    textures: frame.textures,
    programs,
    ...(isPlain(frame) ? {} : { passLinks: frame.passes.map(linkPass) }),
  };
}

/**
 * Returns the formats of the colors unless there is one RGBA8 color, the number of samples per
 * pixel unless it is 1, whether the pass is the last one to a multisampled screen, and whether it
 * is transform feedback.
 */
function preparePassTarget(passIndex: number, { passes, textures, sampleCount: screen }: Frame) {
  const pass = passes[passIndex]!;
  const { target } = pass;
  if (target === undefined || target.kind === 'screen') {
    if (screen === undefined || screen === 1) return {};
    const isLast = passes.findLastIndex(isScreen) === passIndex;
    return { sampleCount: screen, ...(isLast ? { isResolved: true } : {}) };
  }
  if (target.kind === 'feedback') return { colorFormats: [], isFeedback: true };
  const images = target.kind === 'texture' ? [target] : target.colors;
  const colorFormats = images.map((image) =>
    image === null ? null : drawnFormatOf(textures[image.textureIndex]!, image),
  );
  const isPlain = colorFormats.length === 1 && colorFormats[0] === 'rgba8unorm';
  const first = images.find((image) => image !== null) ?? depthOf(target);
  const { sampleCount = 1 } = textures[first!.textureIndex]!;
  return {
    ...(isPlain ? {} : { colorFormats }),
    ...(sampleCount === 1 ? {} : { sampleCount }),
  };
}

function isScreen({ target }: Pass): boolean {
  return target === undefined || target.kind === 'screen';
}

function depthOf(target: PassTarget): TextureImage | null {
  return target.kind === 'images' ? target.depthStencil : null;
}

/** Returns the draw with depth and stencil tests disabled if the pass has neither. */
function withoutMissingDepth(draw: Draw, { target }: Pass): Draw {
  if (target?.kind !== 'images' || target.depthStencil !== null) return draw;
  const { state } = draw;
  return {
    ...draw,
    state: {
      ...state,
      depth: { ...state.depth, isTestEnabled: false },
      stencil: { ...state.stencil, isTestEnabled: false },
    },
  };
}

/**
 * Whether the frame has one pass that clears the screen and draws to it, with textures that are all
 * given.
 */
function isPlain({ passes: [first, ...others], textures }: Frame): boolean {
  if (textures.some(({ levels }) => levels.length === 0)) return false;
  const { target, loads, copies } = linkPass(first!);
  if (copies.length > 0) return false;
  return others.length === 0 && target.kind === 'screen' && loads.length === 0;
}

function linkPass({ target = { kind: 'screen' }, loads = [], copies = [] }: Pass): PassLink {
  return { target, loads, copies };
}

function prepareDraw(
  at: string,
  draw: Draw,
  programs: readonly ShaderProgram[],
  textures: readonly TextureResource[],
): PreparedDraw {
  const program = programs[draw.programIndex]!;
  return {
    programIndex: draw.programIndex,
    topology: draw.topology,
    first: draw.first,
    count: draw.count,
    indices: draw.indices,
    ...(draw.edgeFlags === undefined ? {} : { edgeFlags: draw.edgeFlags }),
    instanceCount: draw.instanceCount,
    attributes: bindAttributes(draw, program),
    constants: packConstants(at, draw.uniforms, program),
    textures: bindTextures(at, draw, program, textures),
    state: draw.state,
  };
}

/**
 * Value of an attribute whose array is disabled and whose current value was never set, as in GL.
 */
const DEFAULT_ATTRIBUTE = { kind: 'constant', value: [0, 0, 0, 1] } as const;

function bindAttributes(draw: Draw, program: ShaderProgram): PreparedAttribute[] {
  return program.attributes.flatMap((attribute) =>
    Array.from({ length: attribute.locationCount }, (_, location) => {
      const name =
        attribute.locationCount === 1 ? attribute.name : `${attribute.name}[${location}]`;
      return {
        firstSlot: attribute.firstSlot + 4 * location,
        componentCount: attribute.componentCount,
        scalarType: attribute.scalarType,
        source: draw.attributes[name] ?? DEFAULT_ATTRIBUTE,
      };
    }),
  );
}

function bindTextures(
  at: string,
  draw: Draw,
  program: ShaderProgram,
  frameTextures: readonly TextureResource[],
): (TextureBinding | null)[] {
  const bindings: (TextureBinding | null)[] = [];
  for (const sampler of program.samplers) {
    for (let element = 0; element < sampler.arrayLength; element++) {
      const name = element === 0 ? sampler.name : sampler.name.replace(/\[0\]$/, `[${element}]`);
      const binding = draw.textures[name] ?? null;
      const { dimension = '2d' } = frameTextures[binding?.textureIndex ?? -1] ?? sampler;
      if (dimension !== sampler.dimension) {
        throw new RenderError(
          'FRAME_INVALID',
          `${at}.textures.${name}: a ${dimension} texture; the shader samples ${sampler.dimension}`,
        );
      }
      bindings[sampler.firstSlot + element] = binding;
    }
  }
  return Array.from(bindings, (binding) => binding ?? null);
}

function packConstants(
  at: string,
  uniforms: Readonly<Record<string, UniformValue>>,
  program: ShaderProgram,
): Uint32Array {
  const words = new Uint32Array(program.constantWords);
  const floats = new Float32Array(words.buffer);
  for (const uniform of program.uniforms) {
    const value = uniforms[uniform.name] ?? uniforms[baseName(uniform)] ?? uniform.initialValue;
    if (value === undefined) continue;
    const perElement = uniform.rows * uniform.columns;
    if (value.length % perElement !== 0 || value.length > perElement * uniform.arrayLength) {
      throw new RenderError(
        'FRAME_INVALID',
        `${at}.uniforms.${uniform.name}: ${value.length} numbers; the shader takes ${uniform.arrayLength} × ${perElement}`,
      );
    }
    for (let i = 0; i < value.length; i++) {
      if (uniform.scalarType === 'float') floats[uniform.firstWord + i] = value[i]!;
      else if (uniform.scalarType === 'bool') words[uniform.firstWord + i] = value[i] === 0 ? 0 : 1;
      else words[uniform.firstWord + i] = value[i]!;
    }
  }
  return words;
}

/**
 * Returns the name without the index of the first element. GL reflects arrays as `a[0]` and also
 * accepts `a`.
 */
function baseName(uniform: UniformInfo): string {
  return uniform.isArray ? uniform.name.replace(/\[0\]$/, '') : uniform.name;
}
