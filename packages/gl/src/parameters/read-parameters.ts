/**
 * State returned by `getParameter`, by its enumeration (OpenGL ES 2.0, tables 6.2 to 6.20). Limits
 * of shaders belong to the compiler and are not included.
 */
import type { PipelineState, StencilFaceState } from '@tessera/frame';
import { GL } from '../api/constants.ts';
import { RASTER_ENUMS } from '../api/raster-enums.ts';
import { MAX_TEXTURE_EDGE_PX } from '../objects/textures/upload-targets.ts';
import { ATTRIBUTE_COUNT } from '../objects/vertex-arrays/vertex-array.ts';
import type { RasterState } from '../state/raster-state.ts';
import type { ParameterReader, ParameterState, ParameterValue } from './parameter-state.ts';
import { FIXED_READERS } from './read-fixed-parameters.ts';

/** Largest viewport and point that chiplets draw. */
const MAX_VIEWPORT_PX = 8192;
const MAX_POINT_SIZE_PX = 1024;
const MAX_LINE_WIDTH_PX = 16;

function pipeline(read: (state: PipelineState) => ParameterValue): ParameterReader {
  return ({ raster }) => read(raster.describe());
}

function stencil(
  face: 'front' | 'back',
  read: (state: StencilFaceState) => ParameterValue,
): ParameterReader {
  return pipeline((state) => read(state.stencil[face]));
}

const { compare, stencilOperation, blendFactor, blendEquation, cullMode } = RASTER_ENUMS;
const { clipOrigin, clipDepth } = RASTER_ENUMS;

/** Reader of the state that each draw buffer has. */
type TargetReader = (target: ReturnType<RasterState['describeTarget']>) => ParameterValue;
const TARGET_READERS: ReadonlyMap<number, TargetReader> = new Map<number, TargetReader>([
  [0x0c23, ({ colorMask }) => colorMask],
  [0x8009, ({ blend }) => blendEquation.enumOf(blend.color.equation)],
  [0x883d, ({ blend }) => blendEquation.enumOf(blend.alpha.equation)],
  [0x80c9, ({ blend }) => blendFactor.enumOf(blend.color.source)],
  [0x80c8, ({ blend }) => blendFactor.enumOf(blend.color.destination)],
  [0x80cb, ({ blend }) => blendFactor.enumOf(blend.alpha.source)],
  [0x80ca, ({ blend }) => blendFactor.enumOf(blend.alpha.destination)],
]);

const READERS: ReadonlyMap<number, ParameterReader> = new Map<number, ParameterReader>([
  [0x0b21, pipeline((state) => state.lineWidthPx)],
  [0x0b45, pipeline((state) => cullMode.enumOf(state.cullMode))],
  [0x0b46, pipeline((state) => (state.frontFace === 'clockwise' ? GL.CW : GL.CCW))],
  [0x0b70, ({ raster }) => raster.depthRange],
  [0x0b72, ({ raster }) => raster.isDepthWritten],
  [0x0b73, ({ raster }) => raster.clearDepth],
  [0x0b74, pipeline((state) => compare.enumOf(state.depth.compare))],
  [0x0b91, ({ raster }) => raster.clearStencil],
  [0x0b92, stencil('front', (face) => compare.enumOf(face.compare))],
  [0x0b93, stencil('front', (face) => face.readMask)],
  [0x0b94, stencil('front', (face) => stencilOperation.enumOf(face.onStencilFail))],
  [0x0b95, stencil('front', (face) => stencilOperation.enumOf(face.onDepthFail))],
  [0x0b96, stencil('front', (face) => stencilOperation.enumOf(face.onPass))],
  [0x0b97, stencil('front', (face) => face.reference)],
  [0x0b98, stencil('front', (face) => face.writeMask)],
  [0x8800, stencil('back', (face) => compare.enumOf(face.compare))],
  [0x8801, stencil('back', (face) => stencilOperation.enumOf(face.onStencilFail))],
  [0x8802, stencil('back', (face) => stencilOperation.enumOf(face.onDepthFail))],
  [0x8803, stencil('back', (face) => stencilOperation.enumOf(face.onPass))],
  [0x8ca3, stencil('back', (face) => face.reference)],
  [0x8ca4, stencil('back', (face) => face.readMask)],
  [0x8ca5, stencil('back', (face) => face.writeMask)],
  [0x0ba2, ({ raster }) => rectNumbers(raster.viewport)],
  [0x0c10, ({ raster }) => rectNumbers(raster.scissor)],
  [0x0c22, ({ raster }) => raster.clearColor],
  [0x8005, pipeline((state) => state.blend.constant)],
  [0x2a00, pipeline((state) => state.polygonOffset.units)],
  [0x8038, pipeline((state) => state.polygonOffset.factor)],
  [0x8e1b, pipeline((state) => state.polygonOffsetClamp ?? 0)],
  [0x935c, ({ raster }) => clipOrigin.enumOf(raster.clipControl.origin)],
  [0x935d, ({ raster }) => clipDepth.enumOf(raster.clipControl.depth)],
  [0x84e0, ({ textures }) => GL.TEXTURE0 + textures.activeUnit],
  [0x8069, ({ textures }) => textures.bound(textures.activeUnit, GL.TEXTURE_2D).name],
  [0x8514, ({ textures }) => textures.bound(textures.activeUnit, GL.TEXTURE_CUBE_MAP).name],
  [GL.UNPACK_ALIGNMENT, ({ textures }) => textures.pixelStore.unpackLayout.alignmentBytes],
  [0x8894, ({ buffers }) => buffers.bound(GL.ARRAY_BUFFER)?.name ?? 0],
  [0x8895, ({ buffers }) => buffers.bound(GL.ELEMENT_ARRAY_BUFFER)?.name ?? 0],
  [0x8b8d, ({ programs }) => programs.current?.name ?? 0],
  [0x8ca6, ({ framebuffers }) => framebuffers.drawFramebuffer?.name ?? 0],
  [0x8ca7, ({ renderbuffers }) => renderbuffers.bound?.name ?? 0],
  // Limits and the screen's format.
  [0x0d33, () => MAX_TEXTURE_EDGE_PX],
  [0x84e8, () => MAX_TEXTURE_EDGE_PX],
  [0x0d3a, () => [MAX_VIEWPORT_PX, MAX_VIEWPORT_PX]],
  [0x846d, () => [1, MAX_POINT_SIZE_PX]],
  [0x846e, () => [1, MAX_LINE_WIDTH_PX]],
  [0x8869, () => ATTRIBUTE_COUNT],
  [0x8b4d, ({ rules }) => rules.textureUnitCount],
  [0x0d50, () => 8],
  [0x0d52, () => 8],
  [0x0d53, () => 8],
  [0x0d54, () => 8],
  [0x0d55, () => 8],
  [0x0d56, () => 24],
  [0x0d57, () => 8],
  [0x80a8, () => 0],
  [0x80a9, () => 0],
]);

const DESKTOP_READERS: ReadonlyMap<number, ParameterReader> = new Map([
  ...READERS,
  ...FIXED_READERS,
]);

/**
 * Returns the value of a state variable, limit or switch; `null`, without an error, if this package
 * does not keep it.
 */
export function readParameter(state: ParameterState, parameter: number): ParameterValue | null {
  const { capabilities } = state;
  if (capabilities.isCapability(parameter)) return capabilities.has(parameter);
  // Without an index, state of draw buffers is that of the first.
  const ofTarget = TARGET_READERS.get(parameter);
  if (ofTarget !== undefined) return ofTarget(state.raster.describeTarget(0));
  const readers = state.rules.hasFixedFunctions ? DESKTOP_READERS : READERS;
  return readers.get(parameter)?.(state) ?? null;
}

function rectNumbers(rect: { x: number; y: number; width: number; height: number }): number[] {
  return [rect.x, rect.y, rect.width, rect.height];
}

/** Returns blending or mask of a draw buffer; `null` for another parameter. */
export function readTargetParameter(
  { raster }: Pick<ParameterState, 'raster'>,
  parameter: number,
  drawBuffer: number,
): ParameterValue | null {
  return TARGET_READERS.get(parameter)?.(raster.describeTarget(drawBuffer)) ?? null;
}
