/** Checks the commands of a prepared frame in a message. */
import {
  ALL_SAMPLES,
  BLEND_EQUATIONS,
  BLEND_FACTORS,
  CLIP_DEPTHS,
  CLIP_ORIGINS,
  COMPARE_FUNCTIONS,
  COMPONENT_TYPES,
  COUPLINGS,
  type ComponentType,
  DEFAULT_FRAME_LIMITS,
  type FrameCommands,
  LINE_MODES,
  MAX_ALTERNATIVE_SPECS,
  MAX_CHIPLETS,
  MAX_COARSE_BINS,
  MAX_COLOR_TARGETS,
  MAX_PASS_QUERIES,
  MAX_TEXTURE_LEVELS,
  POINT_CLIPS,
  POINT_MODES,
  POLYGON_MODES,
  PROVOKING_VERTICES,
  RED_SPREADS,
  SAMPLE_COUNTS,
  STENCIL_OPERATIONS,
  SWIZZLE_SOURCES,
  TEXTURE_FORMATS,
  type TextureFormat,
  TIMINGS,
  TOPOLOGIES,
  VISIBILITY_DELIVERIES,
  VISIBILITY_SHADERS,
  WRAP_MODES,
} from '@tessera/frame';
import {
  array,
  boolean,
  type Check,
  finiteNumber,
  fourOf,
  integer,
  MalformedError,
  nullable,
  object,
  oneOf,
  optional,
  pattern,
  record,
  string,
  typedArray,
  variant,
} from './field-checks.ts';

/** Maximum edge length of a target in pixels. */
export const MAX_TARGET_PX = DEFAULT_FRAME_LIMITS.maxEdgePx;
const MAX_COUNT = 2 ** 32 - 1;
const MAX_RESOURCES = 2 ** 20;
const MAX_PASSES = 65_536;
const MAX_DRAWS = 2 ** 20;
/** Maximum number of locations of a vertex shader and of texture slots of a program. */
const MAX_SLOTS = 256;
const MAX_CONSTANT_WORDS = 65_536;
const MAX_SPEC_PARAMETERS = 500;

/** Checks for a SHA-256 in lower-case hexadecimal. */
export const sha256: Check<string> = pattern(/^[0-9a-f]{64}$/, 'a SHA-256 in lower-case hex');
/** Checks for the index of a pass. */
export const passIndex = integer(0, MAX_PASSES - 1);
/** Checks for the id of a coarse bin. */
export const binId = integer(0, MAX_COARSE_BINS - 1);
/** Checks for the name of a shader's scalar type. */
export const scalarType = oneOf(['float', 'int', 'uint', 'bool']);
const specParameter: Check<number | boolean | string> = (value) => {
  if (typeof value === 'boolean') return value;
  return typeof value === 'string' ? string(1, 40)(value) : finiteNumber(value);
};
/** Form of a specification. The chiplet checks its parameters. */
const spec = object({
  name: string(1, 300),
  fineBinPx: oneOf([8, 16, 32, 64, 128]),
  clockHz: integer(1, 1e12),
  parameters: record(specParameter, MAX_SPEC_PARAMETERS),
});
const rect = object({
  x: finiteNumber,
  y: finiteNumber,
  width: finiteNumber,
  height: finiteNumber,
});

const componentType = oneOf(Object.keys(COMPONENT_TYPES) as ComponentType[]);
const resourceIndex = integer(0, MAX_RESOURCES - 1);
const byteOffset = integer(0, MAX_COUNT);
const byte = integer(0, 255);
const compare = oneOf(COMPARE_FUNCTIONS);
const filter = oneOf(['nearest', 'linear']);

const grid = object({
  widthPx: integer(1, MAX_TARGET_PX),
  heightPx: integer(1, MAX_TARGET_PX),
  fineBinPx: oneOf([8, 16, 32, 64, 128]),
  columns: integer(1, MAX_COARSE_BINS),
  rows: integer(1, MAX_COARSE_BINS),
  columnEdgesPx: array(integer(0, MAX_TARGET_PX), MAX_COARSE_BINS + 1),
  rowEdgesPx: array(integer(0, MAX_TARGET_PX), MAX_COARSE_BINS + 1),
});

const attributeSource = variant('kind', {
  buffer: object({
    kind: oneOf(['buffer']),
    bufferIndex: resourceIndex,
    offsetBytes: byteOffset,
    strideBytes: byteOffset,
    componentType,
    componentCount: integer(1, 4),
    isNormalized: boolean,
    instanceDivisor: integer(0, MAX_COUNT),
  }),
  constant: object({ kind: oneOf(['constant']), value: fourOf(finiteNumber) }),
});

const attribute = object({
  firstSlot: integer(0, 4 * MAX_SLOTS),
  componentCount: integer(1, 4),
  scalarType,
  source: attributeSource,
});

const stencilOperation = oneOf(STENCIL_OPERATIONS);
const stencilFace = object({
  compare,
  reference: byte,
  readMask: byte,
  writeMask: byte,
  onStencilFail: stencilOperation,
  onDepthFail: stencilOperation,
  onPass: stencilOperation,
});
const blendChannel = object({
  equation: oneOf(BLEND_EQUATIONS),
  source: oneOf(BLEND_FACTORS),
  destination: oneOf(BLEND_FACTORS),
});

const blend = object({
  isEnabled: boolean,
  color: blendChannel,
  alpha: blendChannel,
  constant: fourOf(finiteNumber),
});
const colorTarget = object({
  blend: optional(blend),
  colorMask: optional(fourOf(boolean)),
  isSourceClamped: optional(boolean),
  redSpread: optional(oneOf(RED_SPREADS)),
});

const pipelineState = object({
  viewport: rect,
  depthRange: depthRange,
  scissor: nullable(rect),
  cullMode: oneOf(['none', 'front', 'back', 'front-and-back']),
  frontFace: oneOf(['counter-clockwise', 'clockwise']),
  polygonOffset: object({ isEnabled: boolean, factor: finiteNumber, units: finiteNumber }),
  depth: object({ isTestEnabled: boolean, isWriteEnabled: boolean, compare }),
  stencil: object({ isTestEnabled: boolean, front: stencilFace, back: stencilFace }),
  blend,
  colorMask: fourOf(boolean),
  colorTargets: optional(array(nullable(colorTarget), MAX_COLOR_TARGETS)),
  lineWidthPx: finiteNumber,
  logicOperation: optional(nullable(integer(0, 15))),
  pointClip: optional(oneOf(POINT_CLIPS)),
  pointMode: optional(oneOf(POINT_MODES)),
  isDepthClamped: optional(boolean),
  clipOrigin: optional(oneOf(CLIP_ORIGINS)),
  clipDepth: optional(oneOf(CLIP_DEPTHS)),
  polygonOffsetClamp: optional(finiteNumber),
  lineMode: optional(oneOf(LINE_MODES)),
  polygonMode: optional(
    object({
      front: oneOf(POLYGON_MODES),
      back: oneOf(POLYGON_MODES),
      isLineOffset: boolean,
      isPointOffset: boolean,
    }),
  ),
  multisample: optional(
    object({ isAlphaToCoverage: boolean, sampleMask: integer(0, ALL_SAMPLES) }),
  ),
  provokingVertex: optional(oneOf(PROVOKING_VERTICES)),
});

function depthRange(value: unknown): [near: number, far: number] {
  const [near, far, ...rest] = array(finiteNumber, 2)(value);
  if (near === undefined || far === undefined || rest.length > 0) {
    throw new MalformedError('', 'the array does not have 2 entries');
  }
  return [near, far];
}

/** Checks for one of SAMPLE_COUNTS. */
export const sampleCount: Check<number> = (value) => {
  const count = integer(1, Math.max(...SAMPLE_COUNTS))(value);
  if (!SAMPLE_COUNTS.includes(count))
    throw new MalformedError('', `${count} is not one of ${SAMPLE_COUNTS.join(', ')}`);
  return count;
};

const draw = object({
  programIndex: resourceIndex,
  topology: oneOf(TOPOLOGIES),
  first: integer(0, MAX_COUNT),
  count: integer(0, MAX_COUNT),
  indices: nullable(
    object({
      bufferIndex: resourceIndex,
      offsetBytes: byteOffset,
      componentType: oneOf(['uint8', 'uint16', 'uint32']),
    }),
  ),
  edgeFlags: optional(object({ bufferIndex: resourceIndex, offsetBytes: byteOffset })),
  instanceCount: integer(0, MAX_COUNT),
  attributes: array(attribute, MAX_SLOTS),
  constants: typedArray(Uint32Array, MAX_CONSTANT_WORDS),
  textures: array(
    nullable(
      object({
        textureIndex: resourceIndex,
        sampler: object({
          wrapS: oneOf(WRAP_MODES),
          wrapT: oneOf(WRAP_MODES),
          wrapR: optional(oneOf(WRAP_MODES)),
          magFilter: filter,
          minFilter: filter,
          mipmapFilter: oneOf(['none', 'nearest', 'linear']),
          compare: optional(compare),
          lodBias: optional(finiteNumber),
          minLod: optional(finiteNumber),
          maxLod: optional(finiteNumber),
          baseLevel: optional(integer(0, MAX_TEXTURE_LEVELS)),
          maxLevel: optional(integer(0, MAX_TEXTURE_LEVELS)),
          borderColor: optional(fourOf(finiteNumber)),
          swizzle: optional(fourOf(oneOf(SWIZZLE_SOURCES))),
          isCubeEdgeHard: optional(boolean),
          maxAnisotropy: optional(integer(1, 16)),
        }),
      }),
    ),
    MAX_SLOTS,
  ),
  state: pipelineState,
});

/** Size of a copy of a target: at most its pixels in the widest format, with all samples. */
const copyBytes = integer(0, MAX_TARGET_PX ** 2 * 16 * Math.max(...SAMPLE_COUNTS));

const fields = object({
  sha256,
  grid,
  visibilityShader: oneOf(VISIBILITY_SHADERS),
  visibilitySwitches: object({
    cullsPrimitives: boolean,
    cullsOccluded: boolean,
    rendersEarlyBin: boolean,
  }),
  visibilityChiplets: optional(integer(1, MAX_CHIPLETS)),
  visibilityDelivery: optional(oneOf(VISIBILITY_DELIVERIES)),
  earlyBinId: nullable(binId),
  spec: nullable(spec),
  alternativeSpecs: optional(array(spec, MAX_ALTERNATIVE_SPECS)),
  timing: oneOf(TIMINGS),
  coupling: optional(oneOf(COUPLINGS)),
  buffers: array(sha256, MAX_RESOURCES),
  textures: array(sha256, MAX_RESOURCES),
  programs: array(sha256, MAX_RESOURCES),
  passes: array(
    object({
      clear: object({
        color: fourOf(finiteNumber),
        colors: optional(array(fourOf(finiteNumber), MAX_COLOR_TARGETS)),
        depth: finiteNumber,
        stencil: byte,
      }),
      colorFormats: optional(
        array(nullable(oneOf(Object.keys(TEXTURE_FORMATS) as TextureFormat[])), MAX_COLOR_TARGETS),
      ),
      sampleCount: optional(sampleCount),
      isResolved: optional(boolean),
      draws: array(draw, MAX_DRAWS),
      queries: optional(
        array(
          object({ firstDraw: integer(0, MAX_DRAWS - 1), drawCount: integer(1, MAX_DRAWS) }),
          MAX_PASS_QUERIES,
        ),
      ),
      contents: nullable(
        object({
          colorBufferIndices: array(nullable(resourceIndex), MAX_COLOR_TARGETS),
          depthStencilBufferIndex: nullable(resourceIndex),
          isDepthLoaded: boolean,
          isStencilLoaded: boolean,
          isDepthStencilStored: boolean,
        }),
      ),
    }),
    MAX_PASSES,
  ),
  copies: optional(array(object({ readBytes: copyBytes, writtenBytes: copyBytes }), MAX_RESOURCES)),
});

/** Checks commands: the types of all fields, and that indices are inside their lists. */
export const frameCommands: Check<FrameCommands> = (value) => {
  const commands = fields(value);
  checkEdges('grid.columnEdgesPx', commands.grid.columnEdgesPx, commands.grid.columns, 'widthPx');
  if ((commands.earlyBinId ?? 0) >= commands.grid.columns * commands.grid.rows) {
    throw new MalformedError('earlyBinId', `${commands.earlyBinId} is not a bin of the grid`);
  }
  checkEdges('grid.rowEdgesPx', commands.grid.rowEdgesPx, commands.grid.rows, 'heightPx');
  if (commands.grid.columns * commands.grid.rows > MAX_COARSE_BINS) {
    throw new MalformedError('grid', `the grid has more than ${MAX_COARSE_BINS} bins`);
  }
  commands.passes.forEach((pass, p) => {
    const { draws, contents, queries = [] } = pass;
    if (pass.isResolved && (pass.colorFormats !== undefined || (pass.sampleCount ?? 1) === 1)) {
      throw new MalformedError(
        `passes[${p}].isResolved`,
        'the target is not one RGBA8 color with several samples',
      );
    }
    const loaded = [...(contents?.colorBufferIndices ?? []), contents?.depthStencilBufferIndex];
    for (const index of loaded) {
      if (index === null || index === undefined) continue;
      checkIndex(`passes[${p}].contents`, index, commands.buffers.length);
    }
    queries.forEach(({ firstDraw, drawCount }, q) => {
      checkIndex(`passes[${p}].queries[${q}]`, firstDraw + drawCount - 1, draws.length);
    });
    draws.forEach((drawn, d) => {
      const path = `passes[${p}].draws[${d}]`;
      checkIndex(`${path}.programIndex`, drawn.programIndex, commands.programs.length);
      if (drawn.indices !== null) {
        checkIndex(
          `${path}.indices.bufferIndex`,
          drawn.indices.bufferIndex,
          commands.buffers.length,
        );
      }
      if (drawn.edgeFlags !== undefined) {
        const { bufferIndex } = drawn.edgeFlags;
        checkIndex(`${path}.edgeFlags.bufferIndex`, bufferIndex, commands.buffers.length);
      }
      for (const { source } of drawn.attributes) {
        if (source.kind === 'constant') continue;
        checkIndex(`${path}.attributes`, source.bufferIndex, commands.buffers.length);
      }
      for (const binding of drawn.textures) {
        if (binding === null) continue;
        checkIndex(`${path}.textures`, binding.textureIndex, commands.textures.length);
      }
    });
  });
  return commands;

  function checkEdges(
    path: string,
    edges: readonly number[],
    binCount: number,
    size: 'widthPx' | 'heightPx',
  ): void {
    const isAscending = edges.every((edge, i) => i === 0 || edge > edges[i - 1]!);
    if (edges.length !== binCount + 1 || edges[0] !== 0 || !isAscending) {
      throw new MalformedError(path, `the list is not ${binCount + 1} ascending edges from 0`);
    }
    if (edges[binCount] !== commands.grid[size]) {
      throw new MalformedError(
        path,
        `the last edge, ${edges[binCount]}, is not equal to ${size}, ${commands.grid[size]}`,
      );
    }
  }
};

function checkIndex(path: string, index: number, length: number): void {
  if (index >= length)
    throw new MalformedError(
      path,
      `index ${index} is out of range; the list has ${length} entries`,
    );
}
