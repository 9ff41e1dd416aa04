/**
 * Values that `getParameter` returns (WebGL 1.0, section 5.14.3; WebGL 2.0, section 3.7.3). They
 * come from the state machine if it stores them in OpenGL's form, and from the context's core
 * otherwise.
 */
import { MAX_ANISOTROPY } from '@tessera/frame';
import { readParameter as readStateParameter } from '@tessera/gl';
import { DEFAULT_SHADER_LIMITS } from '@tessera/shader';
import type { ContextCore } from '../../context/context-core.ts';
import { TEXTURE_UNIT_COUNT } from '../../context/texture-units.ts';
import { GL } from '../../interface/constants.ts';
import { LIMITS } from '../../interface/limits.ts';
import { listCompressedFormats } from '../../rules/compressed-formats.ts';
import { attachedImage, framebufferStatus } from '../../rules/framebuffer-state.ts';
import { findSizedFormat, isColorTarget } from '../../rules/internal-formats.ts';
import { hasTimers } from '../draws/query-calls.ts';
import { ANISOTROPY_EXTENSION } from '../textures/anisotropy.ts';

type Reader = (core: ContextCore) => unknown;

/** Returns readers for parameters that the state machine stores as numbers or booleans. */
function stateReaders(...parameters: readonly number[]): readonly (readonly [number, Reader])[] {
  return parameters.map((parameter) => [parameter, stateReader(parameter)]);
}

function stateReader(parameter: number): Reader {
  return ({ gl }) => readStateParameter(gl, parameter);
}

function stateListReader<T>(
  parameter: number,
  List: { from(values: readonly number[]): T },
): readonly [number, Reader] {
  return [parameter, ({ gl }) => List.from(readStateParameter(gl, parameter) as readonly number[])];
}

const always = (value: unknown): Reader => {
  return () => value;
};

const limits = DEFAULT_SHADER_LIMITS;
const {
  maxVertexUniformVectors: vertexVectors,
  maxFragmentUniformVectors: fragmentVectors,
  maxVaryingVectors: varyingVectors,
} = limits;

/** Returns a reader for the number of bits of a channel of the draw framebuffer. */
function targetBits(channel: number): Reader {
  return (core) => {
    const { drawFramebuffer, attributes } = core;
    if (drawFramebuffer === null) {
      if (channel < 3) return 8;
      if (channel === 3) return attributes.alpha ? 8 : 0;
      if (channel === 4) return attributes.depth ? 24 : 0;
      return attributes.stencil ? 8 : 0;
    }
    const { attachments } = drawFramebuffer;
    const point =
      channel < 4
        ? GL.COLOR_ATTACHMENT0
        : channel === 4
          ? GL.DEPTH_ATTACHMENT
          : GL.STENCIL_ATTACHMENT;
    const both = channel < 4 ? undefined : attachments.get(GL.DEPTH_STENCIL_ATTACHMENT);
    const attachment = attachments.get(point) ?? both;
    const image = attachment === undefined ? null : attachedImage(attachment);
    return image?.format.bits[channel] ?? 0;
  };
}

/**
 * Returns a reader for the format or type that `readPixels` accepts in addition to RGBA and
 * UNSIGNED_BYTE.
 */
function readFormatReader(what: 'format' | 'type'): Reader {
  return (core) => {
    const { readFramebuffer } = core;
    if (framebufferStatus(core, readFramebuffer) !== GL.FRAMEBUFFER_COMPLETE) {
      core.raise(GL.INVALID_OPERATION, 'getParameter', 'the read framebuffer is incomplete');
      return null;
    }
    const attachment = readFramebuffer?.attachments.get(readFramebuffer.readBuffer);
    const format = attachment === undefined ? null : attachedImage(attachment)?.format;
    const isWide = format?.kind === 'float' || format?.kind === 'int' || format?.kind === 'uint';
    if (what === 'format') {
      if (format?.kind === 'int' || format?.kind === 'uint') return GL.RGBA_INTEGER;
      return GL.RGBA;
    }
    if (!isWide) return GL.UNSIGNED_BYTE;
    return format.kind === 'float' ? GL.FLOAT : format.kind === 'int' ? GL.INT : GL.UNSIGNED_INT;
  };
}

/** Mode of both faces, which are equal in WebGL. */
const polygonMode: Reader = ({ gl }) =>
  gl.raster.polygonModes.front === 'line' ? GL.LINE_WEBGL : GL.FILL_WEBGL;

function readProvokingVertex({ gl }: ContextCore): number {
  const isFirst = gl.raster.provokingVertex === 'first';
  return isFirst ? GL.FIRST_VERTEX_CONVENTION_WEBGL : GL.LAST_VERTEX_CONVENTION_WEBGL;
}

/** Number of bits after the point that `interpolateAtOffset` distinguishes, at least 4. */
const INTERPOLATION_OFFSET_BITS = 4;
/** Enumeration of EXT_texture_filter_anisotropic. */
const MAX_TEXTURE_MAX_ANISOTROPY = 0x84ff;

const isOn = (core: ContextCore, name: string): boolean => core.extensions.isEnabled(name);

const WEBGL1_READERS: ReadonlyMap<number, Reader> = new Map<number, Reader>([
  ...stateReaders(GL.BLEND, GL.CULL_FACE, GL.DEPTH_TEST, GL.DITHER, GL.POLYGON_OFFSET_FILL),
  ...stateReaders(
    GL.SAMPLE_ALPHA_TO_COVERAGE,
    GL.SAMPLE_COVERAGE,
    GL.SCISSOR_TEST,
    GL.STENCIL_TEST,
  ),
  ...stateReaders(GL.BLEND_DST_ALPHA, GL.BLEND_DST_RGB, GL.BLEND_SRC_ALPHA, GL.BLEND_SRC_RGB),
  ...stateReaders(GL.BLEND_EQUATION_RGB, GL.BLEND_EQUATION_ALPHA, GL.CULL_FACE_MODE, GL.FRONT_FACE),
  ...stateReaders(GL.DEPTH_FUNC, GL.DEPTH_WRITEMASK, GL.DEPTH_CLEAR_VALUE, GL.LINE_WIDTH),
  ...stateReaders(GL.POLYGON_OFFSET_FACTOR, GL.POLYGON_OFFSET_UNITS),
  ...stateReaders(
    GL.STENCIL_FUNC,
    GL.STENCIL_FAIL,
    GL.STENCIL_PASS_DEPTH_FAIL,
    GL.STENCIL_PASS_DEPTH_PASS,
  ),
  ...stateReaders(GL.STENCIL_BACK_FUNC, GL.STENCIL_BACK_FAIL),
  ...stateReaders(GL.STENCIL_BACK_PASS_DEPTH_FAIL, GL.STENCIL_BACK_PASS_DEPTH_PASS),
  stateListReader(GL.DEPTH_RANGE, Float32Array),
  stateListReader(GL.VIEWPORT, Int32Array),
  stateListReader(GL.SCISSOR_BOX, Int32Array),
  [GL.COLOR_WRITEMASK, ({ gl }) => [...(readStateParameter(gl, GL.COLOR_WRITEMASK) as boolean[])]],
  [GL.COLOR_CLEAR_VALUE, ({ clearColor }) => Float32Array.from(clearColor)],
  [GL.BLEND_COLOR, ({ gl }) => Float32Array.from(gl.raster.blendColor)],
  [GL.STENCIL_CLEAR_VALUE, ({ clearStencil }) => clearStencil],
  [GL.STENCIL_REF, ({ stencil }) => stencil.front.reference],
  [GL.STENCIL_VALUE_MASK, ({ stencil }) => stencil.front.readMask],
  [GL.STENCIL_WRITEMASK, ({ stencil }) => stencil.front.writeMask],
  [GL.STENCIL_BACK_REF, ({ stencil }) => stencil.back.reference],
  [GL.STENCIL_BACK_VALUE_MASK, ({ stencil }) => stencil.back.readMask],
  [GL.STENCIL_BACK_WRITEMASK, ({ stencil }) => stencil.back.writeMask],
  [GL.SAMPLE_COVERAGE_VALUE, ({ sampleCoverage }) => sampleCoverage.value],
  [GL.SAMPLE_COVERAGE_INVERT, ({ sampleCoverage }) => sampleCoverage.isInverted],
  [GL.GENERATE_MIPMAP_HINT, ({ hints }) => hints.get(GL.GENERATE_MIPMAP_HINT) ?? GL.DONT_CARE],
  [GL.ACTIVE_TEXTURE, ({ textureUnits }) => GL.TEXTURE0 + textureUnits.active],
  [GL.TEXTURE_BINDING_2D, ({ textureUnits }) => textureUnits.bound(GL.TEXTURE_2D)],
  [GL.TEXTURE_BINDING_CUBE_MAP, ({ textureUnits }) => textureUnits.bound(GL.TEXTURE_CUBE_MAP)],
  [GL.ARRAY_BUFFER_BINDING, ({ boundBuffers }) => boundBuffers.get(GL.ARRAY_BUFFER) ?? null],
  [GL.ELEMENT_ARRAY_BUFFER_BINDING, ({ vertexArray }) => vertexArray.elementBuffer],
  [GL.CURRENT_PROGRAM, ({ program }) => program],
  [GL.FRAMEBUFFER_BINDING, ({ drawFramebuffer }) => drawFramebuffer],
  [GL.RENDERBUFFER_BINDING, ({ renderbuffer }) => renderbuffer],
  [GL.RED_BITS, targetBits(0)],
  [GL.GREEN_BITS, targetBits(1)],
  [GL.BLUE_BITS, targetBits(2)],
  [GL.ALPHA_BITS, targetBits(3)],
  [GL.DEPTH_BITS, targetBits(4)],
  [GL.STENCIL_BITS, targetBits(5)],
  [GL.SUBPIXEL_BITS, always(8)],
  [GL.SAMPLE_BUFFERS, (core) => Number(samplesOf(core) > 0)],
  [GL.SAMPLES, samplesOf],
  [GL.IMPLEMENTATION_COLOR_READ_FORMAT, readFormatReader('format')],
  [GL.IMPLEMENTATION_COLOR_READ_TYPE, readFormatReader('type')],
  [GL.COMPRESSED_TEXTURE_FORMATS, (core) => Uint32Array.from(listCompressedFormats(core))],
  [GL.ALIASED_LINE_WIDTH_RANGE, () => Float32Array.of(1, LIMITS.lineWidthPx)],
  [GL.ALIASED_POINT_SIZE_RANGE, () => Float32Array.of(1, LIMITS.pointSizePx)],
  [GL.MAX_VIEWPORT_DIMS, () => Int32Array.of(LIMITS.textureEdgePx, LIMITS.textureEdgePx)],
  [GL.MAX_TEXTURE_SIZE, always(LIMITS.textureEdgePx)],
  [GL.MAX_CUBE_MAP_TEXTURE_SIZE, always(LIMITS.textureEdgePx)],
  [GL.MAX_RENDERBUFFER_SIZE, always(LIMITS.textureEdgePx)],
  [GL.MAX_VERTEX_ATTRIBS, always(LIMITS.attributes)],
  [GL.MAX_VERTEX_UNIFORM_VECTORS, always(vertexVectors)],
  [GL.MAX_FRAGMENT_UNIFORM_VECTORS, always(fragmentVectors)],
  [GL.MAX_VARYING_VECTORS, always(varyingVectors)],
  [GL.MAX_TEXTURE_IMAGE_UNITS, always(limits.maxTextureImageUnits)],
  [GL.MAX_VERTEX_TEXTURE_IMAGE_UNITS, always(limits.maxVertexTextureImageUnits)],
  [GL.MAX_COMBINED_TEXTURE_IMAGE_UNITS, always(TEXTURE_UNIT_COUNT)],
  [GL.VENDOR, always('Tessera')],
  [GL.RENDERER, always('Tessera simulated GPU')],
  [GL.VERSION, ({ rules }) => `WebGL ${rules.versionText} (Tessera)`],
  [GL.SHADING_LANGUAGE_VERSION, ({ rules }) => `WebGL GLSL ES ${rules.glslVersionText} (Tessera)`],
]);

function samplesOf({ drawFramebuffer, attributes }: ContextCore): number {
  if (drawFramebuffer === null) return attributes.antialias ? LIMITS.samples : 0;
  for (const attachment of drawFramebuffer.attachments.values()) {
    return attachedImage(attachment)?.sampleCount ?? 0;
  }
  return 0;
}

const boundTo =
  (target: number): Reader =>
  ({ boundBuffers }) =>
    boundBuffers.get(target) ?? null;

const WEBGL2_READERS: ReadonlyMap<number, Reader> = new Map<number, Reader>([
  ...stateReaders(GL.RASTERIZER_DISCARD),
  [GL.COPY_READ_BUFFER_BINDING, boundTo(GL.COPY_READ_BUFFER)],
  [GL.COPY_WRITE_BUFFER_BINDING, boundTo(GL.COPY_WRITE_BUFFER)],
  [GL.PIXEL_PACK_BUFFER_BINDING, boundTo(GL.PIXEL_PACK_BUFFER)],
  [GL.PIXEL_UNPACK_BUFFER_BINDING, boundTo(GL.PIXEL_UNPACK_BUFFER)],
  [GL.UNIFORM_BUFFER_BINDING, boundTo(GL.UNIFORM_BUFFER)],
  [GL.TRANSFORM_FEEDBACK_BUFFER_BINDING, boundTo(GL.TRANSFORM_FEEDBACK_BUFFER)],
  [
    GL.TRANSFORM_FEEDBACK_BINDING,
    ({ transformFeedback, defaultFeedback }) =>
      transformFeedback === defaultFeedback ? null : transformFeedback,
  ],
  [GL.TRANSFORM_FEEDBACK_ACTIVE, ({ transformFeedback }) => transformFeedback.isActive],
  [GL.TRANSFORM_FEEDBACK_PAUSED, ({ transformFeedback }) => transformFeedback.isPaused],
  [GL.READ_FRAMEBUFFER_BINDING, ({ readFramebuffer }) => readFramebuffer],
  [GL.TEXTURE_BINDING_3D, ({ textureUnits }) => textureUnits.bound(GL.TEXTURE_3D)],
  [GL.TEXTURE_BINDING_2D_ARRAY, ({ textureUnits }) => textureUnits.bound(GL.TEXTURE_2D_ARRAY)],
  [GL.SAMPLER_BINDING, ({ textureUnits }) => textureUnits.samplers[textureUnits.active]],
  [
    GL.VERTEX_ARRAY_BINDING,
    ({ vertexArray, defaultVertexArray }) =>
      vertexArray === defaultVertexArray ? null : vertexArray,
  ],
  [
    GL.READ_BUFFER,
    ({ readFramebuffer, defaultReadBuffer }) => readFramebuffer?.readBuffer ?? defaultReadBuffer,
  ],
  [
    GL.FRAGMENT_SHADER_DERIVATIVE_HINT,
    ({ hints }) => hints.get(GL.FRAGMENT_SHADER_DERIVATIVE_HINT) ?? GL.DONT_CARE,
  ],
  [GL.MAX_3D_TEXTURE_SIZE, always(LIMITS.textureSlices)],
  [GL.MAX_ARRAY_TEXTURE_LAYERS, always(LIMITS.textureSlices)],
  [GL.MAX_COLOR_ATTACHMENTS, always(LIMITS.colorAttachments)],
  [GL.MAX_DRAW_BUFFERS, always(LIMITS.colorAttachments)],
  [GL.MAX_SAMPLES, always(LIMITS.samples)],
  [GL.MAX_ELEMENTS_INDICES, always(2 ** 31 - 1)],
  [GL.MAX_ELEMENTS_VERTICES, always(2 ** 31 - 1)],
  [GL.MAX_ELEMENT_INDEX, always(2 ** 32 - 2)],
  [GL.MAX_TEXTURE_LOD_BIAS, always(16)],
  [GL.MIN_PROGRAM_TEXEL_OFFSET, always(limits.minProgramTexelOffset)],
  [GL.MAX_PROGRAM_TEXEL_OFFSET, always(limits.maxProgramTexelOffset)],
  [GL.MAX_SERVER_WAIT_TIMEOUT, always(0)],
  [GL.MAX_CLIENT_WAIT_TIMEOUT_WEBGL, always(0)],
  [GL.MAX_VERTEX_UNIFORM_COMPONENTS, always(4 * vertexVectors)],
  [GL.MAX_FRAGMENT_UNIFORM_COMPONENTS, always(4 * fragmentVectors)],
  [GL.MAX_VARYING_COMPONENTS, always(4 * varyingVectors)],
  [GL.MAX_VERTEX_OUTPUT_COMPONENTS, always(4 * (varyingVectors + 1))],
  [GL.MAX_FRAGMENT_INPUT_COMPONENTS, always(4 * varyingVectors)],
  [GL.MAX_VERTEX_UNIFORM_BLOCKS, always(LIMITS.uniformBlocksOfStage)],
  [GL.MAX_FRAGMENT_UNIFORM_BLOCKS, always(LIMITS.uniformBlocksOfStage)],
  [GL.MAX_COMBINED_UNIFORM_BLOCKS, always(2 * LIMITS.uniformBlocksOfStage)],
  [GL.MAX_UNIFORM_BUFFER_BINDINGS, always(LIMITS.uniformBufferBindings)],
  [GL.MAX_UNIFORM_BLOCK_SIZE, always(LIMITS.uniformBlockBytes)],
  [GL.UNIFORM_BUFFER_OFFSET_ALIGNMENT, always(LIMITS.uniformOffsetBytes)],
  [
    GL.MAX_COMBINED_VERTEX_UNIFORM_COMPONENTS,
    always(4 * vertexVectors + (LIMITS.uniformBlocksOfStage * LIMITS.uniformBlockBytes) / 4),
  ],
  [
    GL.MAX_COMBINED_FRAGMENT_UNIFORM_COMPONENTS,
    always(4 * fragmentVectors + (LIMITS.uniformBlocksOfStage * LIMITS.uniformBlockBytes) / 4),
  ],
  [GL.MAX_TRANSFORM_FEEDBACK_INTERLEAVED_COMPONENTS, always(64)],
  [GL.MAX_TRANSFORM_FEEDBACK_SEPARATE_ATTRIBS, always(LIMITS.transformFeedbackBindings)],
  [GL.MAX_TRANSFORM_FEEDBACK_SEPARATE_COMPONENTS, always(4)],
]);

/** Parameters that need an extension, with its name. */
const EXTENSION_READERS: ReadonlyMap<number, readonly [string, Reader]> = new Map<
  number,
  readonly [string, Reader]
>([
  [GL.UNMASKED_VENDOR_WEBGL, ['WEBGL_debug_renderer_info', always('Tessera')]],
  [GL.UNMASKED_RENDERER_WEBGL, ['WEBGL_debug_renderer_info', always('Tessera simulated GPU')]],
  [
    GL.FRAGMENT_SHADER_DERIVATIVE_HINT,
    ['OES_standard_derivatives', WEBGL2_READERS.get(GL.FRAGMENT_SHADER_DERIVATIVE_HINT)!],
  ],
  [
    GL.VERTEX_ARRAY_BINDING,
    ['OES_vertex_array_object', WEBGL2_READERS.get(GL.VERTEX_ARRAY_BINDING)!],
  ],
  [MAX_TEXTURE_MAX_ANISOTROPY, [ANISOTROPY_EXTENSION, always(MAX_ANISOTROPY)]],
  [GL.MAX_CLIP_DISTANCES_WEBGL, ['WEBGL_clip_cull_distance', always(limits.maxClipDistances)]],
  [GL.MAX_CULL_DISTANCES_WEBGL, ['WEBGL_clip_cull_distance', always(limits.maxCullDistances)]],
  [
    GL.MAX_COMBINED_CLIP_AND_CULL_DISTANCES_WEBGL,
    ['WEBGL_clip_cull_distance', always(limits.maxCombinedClipAndCullDistances)],
  ],
  [GL.CLIP_ORIGIN_EXT, ['EXT_clip_control', stateReader(GL.CLIP_ORIGIN_EXT)]],
  [GL.CLIP_DEPTH_MODE_EXT, ['EXT_clip_control', stateReader(GL.CLIP_DEPTH_MODE_EXT)]],
  [
    GL.POLYGON_OFFSET_CLAMP_EXT,
    ['EXT_polygon_offset_clamp', stateReader(GL.POLYGON_OFFSET_CLAMP_EXT)],
  ],
  [GL.POLYGON_MODE_WEBGL, ['WEBGL_polygon_mode', polygonMode]],
  ...[
    [GL.MIN_FRAGMENT_INTERPOLATION_OFFSET_OES, -0.5] as const,
    [GL.MAX_FRAGMENT_INTERPOLATION_OFFSET_OES, 0.5] as const,
    [GL.FRAGMENT_INTERPOLATION_OFFSET_BITS_OES, INTERPOLATION_OFFSET_BITS] as const,
  ].map(
    ([parameter, value]) =>
      [parameter, ['OES_shader_multisample_interpolation', always(value)]] as const,
  ),
  [
    GL.MAX_DUAL_SOURCE_DRAW_BUFFERS_WEBGL,
    ['WEBGL_blend_func_extended', always(limits.maxDualSourceDrawBuffers)],
  ],
  [GL.MAX_VIEWS_OVR, ['OVR_multiview2', always(limits.maxViews)]],
  [GL.PROVOKING_VERTEX_WEBGL, ['WEBGL_provoking_vertex', readProvokingVertex]],
  [GL.MAX_COLOR_ATTACHMENTS, ['WEBGL_draw_buffers', always(LIMITS.colorAttachments)]],
  [GL.MAX_DRAW_BUFFERS, ['WEBGL_draw_buffers', always(LIMITS.colorAttachments)]],
]);

/** Returns the value of a parameter, or `undefined` if it does not exist. */
export function readParameter(core: ContextCore, parameter: number): unknown {
  const reader = WEBGL1_READERS.get(parameter);
  if (reader !== undefined) return reader(core);
  const stored = core.pixelStorage.get(parameter, core.rules);
  if (stored !== null) return stored;
  if (core.rules.version === 2) {
    const ofWebGL2 = WEBGL2_READERS.get(parameter);
    if (ofWebGL2 !== undefined) return ofWebGL2(core);
  }
  const drawBuffer = parameter - GL.DRAW_BUFFER0;
  const hasDrawBuffers = core.hasFeature('colorAttachments');
  if (hasDrawBuffers && drawBuffer >= 0 && drawBuffer < LIMITS.colorAttachments) {
    const buffers = core.drawFramebuffer?.drawBuffers ?? core.defaultDrawBuffers;
    return buffers[drawBuffer] ?? GL.NONE;
  }
  if (core.extensions.hasCapability(parameter)) return readStateParameter(core.gl, parameter);
  if (hasTimers(core)) {
    if (parameter === GL.GPU_DISJOINT_EXT) return core.gl.frames.takeDisjoint();
    if (parameter === GL.TIMESTAMP_EXT) return 0;
  }
  const ofExtension = EXTENSION_READERS.get(parameter);
  if (ofExtension !== undefined && isOn(core, ofExtension[0])) return ofExtension[1](core);
  return undefined;
}

/**
 * Returns the sample counts that a format supports, largest first (`getInternalformatParameter`).
 * Returns `null` for a format that cannot be drawn to.
 */
export function sampleCounts(core: ContextCore, internalFormat: number): Int32Array | null {
  // These two unsized formats are also renderable (OpenGL ES 3.0, section 4.4.4).
  if (internalFormat === GL.RGBA || internalFormat === GL.RGB) return Int32Array.of(LIMITS.samples);
  const format = findSizedFormat(internalFormat);
  const isDepth = format !== null && format.bits[4] + format.bits[5] > 0;
  if (format === null || !(isDepth || isColorTarget(core, format))) return null;
  const isInteger = format.kind === 'int' || format.kind === 'uint';
  return isInteger ? new Int32Array(0) : Int32Array.of(LIMITS.samples);
}
