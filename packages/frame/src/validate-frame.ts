/**
 * The validation boundary for frames: code behind it trusts the frame. Every message names the
 * field (`passes[0].draws[3].indices: …`), the value found and what is permitted.
 */
import { RenderError } from './errors.ts';
import {
  type AttributeSource,
  COMPONENT_TYPES,
  type Draw,
  type EdgeFlagSource,
  type Frame,
  MAX_COLOR_TARGETS,
} from './frame.ts';
import {
  fail,
  requireEdge,
  requireFinite,
  requireInteger,
  requireOneOf,
  requireRange,
} from './frame-checks.ts';
import { IndexRanges } from './index-ranges.ts';
import {
  ALL_SAMPLES,
  BLEND_EQUATIONS,
  BLEND_FACTORS,
  type BlendState,
  CLIP_DEPTHS,
  CLIP_ORIGINS,
  COMPARE_FUNCTIONS,
  LINE_MODES,
  type PipelineState,
  POINT_CLIPS,
  POINT_MODES,
  POLYGON_MODES,
  PROVOKING_VERTICES,
  RED_SPREADS,
  type RectPx,
  STENCIL_OPERATIONS,
  type StencilFaceState,
  TOPOLOGIES,
} from './pipeline-state.ts';
import { primitiveCountOf, primitivesPerInstance } from './prepared-frame.ts';
import { validatePasses } from './validate-passes.ts';
import { requireSampleCount, validateSampler, validateTexture } from './validate-texture.ts';

/** Upper limits on the resources that one frame may use. */
export interface FrameLimits {
  readonly maxEdgePx: number;
  /** Maximum number of draws of all passes together. */
  readonly maxDraws: number;
  readonly maxPasses: number;
  /** Maximum number of samples of the targets of all passes together. */
  readonly maxTargetPixels: number;
  /** Maximum number of primitives of all draws and instances together. */
  readonly maxPrimitives: number;
  readonly maxTextureEdgePx: number;
  /** Maximum size of all textures together, including levels that are not given. */
  readonly maxTextureBytes: number;
  /** Whether a frame may draw into textures only, which gives it no image. Default: false. */
  readonly isScreenOptional?: boolean | undefined;
}

/** Limits that apply if the caller passes none. */
export const DEFAULT_FRAME_LIMITS: FrameLimits = Object.freeze({
  maxEdgePx: 16_384,
  maxDraws: 1_000_000,
  maxPasses: 65_536,
  maxTargetPixels: 2 ** 28,
  maxPrimitives: 20_000_000,
  maxTextureEdgePx: 8192,
  maxTextureBytes: 2 ** 31,
});

/** Largest absolute value of a viewport coordinate for which triangle setup is exact. */
const MAX_VIEWPORT_PX = 16_384;

/**
 * Checks a whole frame.
 *
 * @param ranges Cache of the largest indices, shared between frames.
 * @throws {RenderError} FRAME_INVALID or LIMIT_EXCEEDED, naming the first field that breaks a rule.
 */
export function validateFrame(
  frame: Frame,
  limits: FrameLimits = DEFAULT_FRAME_LIMITS,
  ranges = new IndexRanges(),
): void {
  requireEdge('widthPx', frame.widthPx, limits.maxEdgePx);
  requireEdge('heightPx', frame.heightPx, limits.maxEdgePx);
  requireSampleCount('sampleCount', frame.sampleCount);
  let textureBytes = 0;
  frame.textures.forEach((texture, i) => {
    textureBytes += validateTexture(`textures[${i}]`, texture, limits.maxTextureEdgePx);
    if (textureBytes > limits.maxTextureBytes) {
      throw new RenderError(
        'LIMIT_EXCEEDED',
        `textures[${i}]: the textures exceed ${limits.maxTextureBytes} bytes`,
      );
    }
  });
  validatePasses(frame, limits);
  let primitives = 0;
  let draws = 0;
  frame.passes.forEach((pass, passIndex) => {
    const { color, depth, stencil } = pass.clear;
    const at = `passes[${passIndex}]`;
    for (const component of color) requireFinite(`${at}.clear.color`, component);
    requireRange(`${at}.clear.depth`, depth, 0, 1);
    requireInteger(`${at}.clear.stencil`, stencil, 0, 255);
    draws += pass.draws.length;
    if (draws > limits.maxDraws) {
      throw new RenderError(
        'LIMIT_EXCEEDED',
        `${at}.draws: the frame has ${draws} draws or more; at most ${limits.maxDraws}`,
      );
    }
    pass.draws.forEach((draw, drawIndex) => {
      validateDraw(`${at}.draws[${drawIndex}]`, draw, frame, ranges);
      primitives += primitiveCountOf(draw);
      if (primitives > limits.maxPrimitives) {
        throw new RenderError(
          'LIMIT_EXCEEDED',
          `${at}.draws[${drawIndex}]: the frame exceeds ${limits.maxPrimitives} primitives`,
        );
      }
    });
  });
}

function validateDraw(at: string, draw: Draw, frame: Frame, ranges: IndexRanges): void {
  requireInteger(`${at}.programIndex`, draw.programIndex, 0, frame.programs.length - 1);
  requireOneOf(`${at}.topology`, draw.topology, TOPOLOGIES);
  requireInteger(`${at}.first`, draw.first, 0, 0x7fffffff);
  requireInteger(`${at}.count`, draw.count, 0, 0x7fffffff);
  requireInteger(`${at}.instanceCount`, draw.instanceCount, 0, 0xffffff);
  const lastVertex =
    draw.indices === null ? draw.first + draw.count - 1 : findLargestIndex(at, draw, frame, ranges);
  if (lastVertex > 0x7fffffff)
    fail(at, `vertex ${lastVertex} exceeds the largest vertex number 2147483647`);
  if (draw.count > 0 && draw.instanceCount > 0) {
    for (const [name, source] of Object.entries(draw.attributes)) {
      validateAttribute(`${at}.attributes.${name}`, source, frame, lastVertex, draw.instanceCount);
    }
  }
  for (const [name, value] of Object.entries(draw.uniforms)) {
    const isNumeric = ArrayBuffer.isView(value) || value.every((v) => typeof v === 'number');
    if (!isNumeric) fail(`${at}.uniforms.${name}`, 'an entry of the value is not a number');
  }
  for (const [name, binding] of Object.entries(draw.textures)) {
    const place = `${at}.textures.${name}`;
    requireInteger(`${place}.textureIndex`, binding.textureIndex, 0, frame.textures.length - 1);
    validateSampler(`${place}.sampler`, binding.sampler);
  }
  if (draw.edgeFlags !== undefined) {
    validateEdgeFlags(`${at}.edgeFlags`, draw.edgeFlags, draw, frame);
  }
  validateState(`${at}.state`, draw.state);
}

/** Checks that the buffer of the edge flags has a byte for each triangle of an instance. */
function validateEdgeFlags(
  at: string,
  { bufferIndex, offsetBytes }: EdgeFlagSource,
  { topology, count }: Draw,
  frame: Frame,
): void {
  requireInteger(`${at}.bufferIndex`, bufferIndex, 0, frame.buffers.length - 1);
  const { length } = frame.buffers[bufferIndex]!.bytes;
  requireInteger(`${at}.offsetBytes`, offsetBytes, 0, length);
  const endBytes = offsetBytes + primitivesPerInstance(topology, count);
  if (endBytes > length)
    fail(
      at,
      `flags end at byte ${endBytes}, past the end of buffer ${bufferIndex} (${length} bytes)`,
    );
}

/**
 * Returns the largest vertex number among the draw's indices, or −1 if the draw has no indices to
 * read.
 */
function findLargestIndex(at: string, draw: Draw, frame: Frame, ranges: IndexRanges): number {
  const indices = draw.indices!;
  requireInteger(`${at}.indices.bufferIndex`, indices.bufferIndex, 0, frame.buffers.length - 1);
  requireOneOf(`${at}.indices.componentType`, indices.componentType, ['uint8', 'uint16', 'uint32']);
  const { bytes } = frame.buffers[indices.bufferIndex]!;
  const indexBytes = COMPONENT_TYPES[indices.componentType].bytes;
  requireInteger(`${at}.indices.offsetBytes`, indices.offsetBytes, 0, bytes.length);
  if (indices.offsetBytes % indexBytes !== 0) {
    fail(`${at}.indices.offsetBytes`, `${indices.offsetBytes} is not a multiple of ${indexBytes}`);
  }
  const available = Math.floor((bytes.length - indices.offsetBytes) / indexBytes);
  if (draw.first + draw.count > available) {
    fail(
      `${at}.indices`,
      `indices ${draw.first} to ${draw.first + draw.count - 1} exceed buffer ${indices.bufferIndex} (${available} indices)`,
    );
  }
  const startBytes = indices.offsetBytes + draw.first * indexBytes;
  return ranges.largest(bytes, indices.componentType, startBytes, draw.count);
}

function validateAttribute(
  at: string,
  source: AttributeSource,
  frame: Frame,
  lastVertex: number,
  instanceCount: number,
): void {
  if (source.kind === 'constant') {
    if (source.value.length !== 4) fail(at, 'a constant attribute must have four components');
    return;
  }
  requireInteger(`${at}.bufferIndex`, source.bufferIndex, 0, frame.buffers.length - 1);
  requireOneOf(`${at}.componentType`, source.componentType, Object.keys(COMPONENT_TYPES));
  requireInteger(`${at}.componentCount`, source.componentCount, 1, 4);
  requireInteger(`${at}.offsetBytes`, source.offsetBytes, 0, 0x7fffffff);
  requireInteger(`${at}.strideBytes`, source.strideBytes, 0, 65_536);
  requireInteger(`${at}.instanceDivisor`, source.instanceDivisor, 0, 0xffffff);
  const lastElement =
    source.instanceDivisor === 0
      ? lastVertex
      : Math.floor((instanceCount - 1) / source.instanceDivisor);
  const { bytes } = frame.buffers[source.bufferIndex]!;
  const elementBytes = COMPONENT_TYPES[source.componentType].bytes * source.componentCount;
  const end = source.offsetBytes + source.strideBytes * Math.max(0, lastElement) + elementBytes;
  if (end > bytes.length) {
    fail(
      at,
      `element ${lastElement} ends at byte ${end}, past the end of buffer ${source.bufferIndex} (${bytes.length} bytes)`,
    );
  }
}

function validateState(at: string, state: PipelineState): void {
  validateRect(`${at}.viewport`, state.viewport);
  state.depthRange.forEach((depth, i) => {
    requireRange(`${at}.depthRange[${i}]`, depth, 0, 1);
  });
  if (state.scissor !== null) {
    validateRect(`${at}.scissor`, state.scissor);
    for (const key of ['x', 'y', 'width', 'height'] as const) {
      requireInteger(`${at}.scissor.${key}`, state.scissor[key], -MAX_VIEWPORT_PX, MAX_VIEWPORT_PX);
    }
  }
  requireOneOf(`${at}.cullMode`, state.cullMode, ['none', 'front', 'back', 'front-and-back']);
  requireOneOf(`${at}.frontFace`, state.frontFace, ['counter-clockwise', 'clockwise']);
  requireFinite(`${at}.polygonOffset.factor`, state.polygonOffset.factor);
  requireFinite(`${at}.polygonOffset.units`, state.polygonOffset.units);
  if (state.polygonOffsetClamp !== undefined) {
    requireFinite(`${at}.polygonOffsetClamp`, state.polygonOffsetClamp);
  }
  requireOneOf(`${at}.depth.compare`, state.depth.compare, COMPARE_FUNCTIONS);
  validateStencilFace(`${at}.stencil.front`, state.stencil.front);
  validateStencilFace(`${at}.stencil.back`, state.stencil.back);
  validateBlend(`${at}.blend`, state.blend);
  if (state.colorTargets !== undefined) {
    requireInteger(`${at}.colorTargets.length`, state.colorTargets.length, 0, MAX_COLOR_TARGETS);
    state.colorTargets.forEach((target, t) => {
      const { blend, redSpread } = target ?? {};
      if (blend !== undefined) validateBlend(`${at}.colorTargets[${t}].blend`, blend);
      if (redSpread !== undefined) {
        requireOneOf(`${at}.colorTargets[${t}].redSpread`, redSpread, RED_SPREADS);
      }
    });
  }
  requireRange(`${at}.lineWidthPx`, state.lineWidthPx, 1, 16);
  if (state.logicOperation !== undefined && state.logicOperation !== null) {
    requireInteger(`${at}.logicOperation`, state.logicOperation, 0, 15);
  }
  if (state.pointMode !== undefined) requireOneOf(`${at}.pointMode`, state.pointMode, POINT_MODES);
  if (state.lineMode !== undefined) requireOneOf(`${at}.lineMode`, state.lineMode, LINE_MODES);
  if (state.polygonMode !== undefined) {
    requireOneOf(`${at}.polygonMode.front`, state.polygonMode.front, POLYGON_MODES);
    requireOneOf(`${at}.polygonMode.back`, state.polygonMode.back, POLYGON_MODES);
  }
  if (state.pointClip !== undefined) requireOneOf(`${at}.pointClip`, state.pointClip, POINT_CLIPS);
  if (state.clipOrigin !== undefined) {
    requireOneOf(`${at}.clipOrigin`, state.clipOrigin, CLIP_ORIGINS);
  }
  if (state.clipDepth !== undefined) requireOneOf(`${at}.clipDepth`, state.clipDepth, CLIP_DEPTHS);
  if (state.provokingVertex !== undefined) {
    requireOneOf(`${at}.provokingVertex`, state.provokingVertex, PROVOKING_VERTICES);
  }
  if (state.multisample !== undefined) {
    requireInteger(`${at}.multisample.sampleMask`, state.multisample.sampleMask, 0, ALL_SAMPLES);
  }
}

function validateBlend(at: string, blend: BlendState): void {
  for (const channel of ['color', 'alpha'] as const) {
    const { equation, source, destination } = blend[channel];
    requireOneOf(`${at}.${channel}.equation`, equation, BLEND_EQUATIONS);
    requireOneOf(`${at}.${channel}.source`, source, BLEND_FACTORS);
    requireOneOf(`${at}.${channel}.destination`, destination, BLEND_FACTORS);
  }
  for (const component of blend.constant) requireFinite(`${at}.constant`, component);
}

function validateStencilFace(at: string, face: StencilFaceState): void {
  requireOneOf(`${at}.compare`, face.compare, COMPARE_FUNCTIONS);
  for (const key of ['reference', 'readMask', 'writeMask'] as const) {
    requireInteger(`${at}.${key}`, face[key], 0, 255);
  }
  for (const key of ['onStencilFail', 'onDepthFail', 'onPass'] as const) {
    requireOneOf(`${at}.${key}`, face[key], STENCIL_OPERATIONS);
  }
}

function validateRect(at: string, rect: RectPx): void {
  requireRange(`${at}.x`, rect.x, -MAX_VIEWPORT_PX, MAX_VIEWPORT_PX);
  requireRange(`${at}.y`, rect.y, -MAX_VIEWPORT_PX, MAX_VIEWPORT_PX);
  requireRange(`${at}.width`, rect.width, 0, MAX_VIEWPORT_PX);
  requireRange(`${at}.height`, rect.height, 0, MAX_VIEWPORT_PX);
}
