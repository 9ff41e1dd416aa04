/**
 * Draws of bitmaps and pixel rectangles. Each is a rectangle over whole pixels, with one texel per
 * pixel.
 */
import {
  type Draw,
  defaultPipelineState,
  type PipelineState,
  type ProgramSource,
  type SamplerState,
} from '@tessera/frame';
import {
  IMAGE_DECLARATIONS,
  type ImageKind,
  makeImageVertexSource,
  PRIMARY_COLORS,
} from '../../fixed/image-source.ts';
import { declareAlphaTest, testAlpha } from '../../fixed/stage-interface.ts';
import type { TextureContent } from '../../objects/textures/texture-content.ts';
import type { AlphaTestValues } from '../../state/fixed/fixed-state.ts';
import type { FrameAssembler } from '../passes/frame-assembler.ts';
import { STIPPLE_SAMPLING } from './stipple-texture.ts';

const VERTEX_SOURCE = makeImageVertexSource([], false);

/** Bitmap or pixel rectangle. */
export interface RasterImage {
  readonly kind: ImageKind;
  /** Contents, or the index of a texture of the frame. */
  readonly content: TextureContent | number;
  /** Stencil values beside depth bytes, or texels to add: the index of a texture of the frame. */
  readonly secondIndex?: number;
  /** Whether the first three depth bytes are blue, green and red. Default: red, green and blue. */
  readonly isBlueFirst?: boolean;
  /** Bit of the stencil value that selects pixels; 0 to 7. */
  readonly stencilBit?: number;
  /** Color of the pixels that bits select, or that depths have; factor of scaled texels. */
  readonly color: readonly number[];
  /** Source of each channel that texels are read with. Default: each channel is its own source. */
  readonly swizzle?: SamplerState['swizzle'];
  /** Left, bottom, right and top edge in window coordinates. Right may be less than left. */
  readonly edges: readonly [number, number, number, number];
  readonly depth: number;
  /** Alpha test, or `null` if it is disabled. */
  readonly alphaTest: AlphaTestValues | null;
}

function makeSource(kind: RasterImage['kind'], alphaTest: AlphaTestValues | null): ProgramSource {
  const compare = alphaTest?.compare ?? null;
  const fragmentSource = `#version 120
${IMAGE_DECLARATIONS}
${declareAlphaTest(compare)}
void main() {
  ${PRIMARY_COLORS[kind]}
  gl_FragColor = primary;
  ${testAlpha(compare, 'gl_FragColor.a')}
}
`;
  return { vertexSource: VERTEX_SOURCE, fragmentSource };
}

/**
 * Returns a draw of an image.
 *
 * @param state Pipeline state for polygons in the target.
 * @param stage Program for colors that pass fixed functions other than the alpha test.
 */
export function makeImageDraw(
  image: RasterImage,
  state: PipelineState,
  widthPx: number,
  heightPx: number,
  assembler: FrameAssembler,
  stage?: ImageStage,
): Draw {
  const [left, bottom, right, top] = image.edges;
  const x = (edge: number) => (2 * edge) / widthPx - 1;
  const y = (edge: number) => (2 * edge) / heightPx - 1;
  const z = 2 * image.depth - 1;
  const corners = [
    ...[x(left), y(bottom), z, 0, 0],
    ...[x(right), y(bottom), z, 1, 0],
    ...[x(left), y(top), z, 0, 1],
    ...[x(right), y(top), z, 1, 1],
  ];
  return makeRectangle({
    corners,
    programIndex:
      stage?.programIndex ?? assembler.addProgram(makeSource(image.kind, image.alphaTest)),
    textures: stage?.textures ?? {},
    uniforms: {
      ...stage?.uniforms,
      color: [...image.color],
      ...(image.kind === 'stencil-bits' ? { stencilWeight: [2 ** (image.stencilBit ?? 0)] } : {}),
      ...(image.kind === 'depth-bytes'
        ? { isBlueFirst: [image.isBlueFirst === true ? 1 : 0] }
        : {}),
      tessera_AlphaReference: [image.alphaTest?.reference ?? 0],
    },
    textureIndex:
      typeof image.content === 'number' ? image.content : assembler.addTexture(image.content),
    ...(image.swizzle === undefined ? {} : { swizzle: image.swizzle }),
    ...(image.secondIndex === undefined ? {} : { secondIndex: image.secondIndex }),
    state,
    ...{ widthPx, heightPx, assembler },
  });
}

/** Program of an image whose fragments pass fixed functions, with its inputs. */
export interface ImageStage {
  readonly programIndex: number;
  readonly uniforms: Draw['uniforms'];
  readonly textures: Draw['textures'];
}

/** Returns a draw that covers the whole target with a texture of the frame, one texel per pixel. */
export function makeScreenDraw(
  textureIndex: number,
  widthPx: number,
  heightPx: number,
  assembler: FrameAssembler,
  swizzle?: SamplerState['swizzle'],
): Draw {
  return makeRectangle({
    corners: [...[-1, -1, 0, 0, 0], ...[1, -1, 0, 1, 0], ...[-1, 1, 0, 0, 1], ...[1, 1, 0, 1, 1]],
    programIndex: assembler.addProgram(makeSource('texels', null)),
    uniforms: { tessera_AlphaReference: [0] },
    textureIndex,
    ...(swizzle === undefined ? {} : { swizzle }),
    state: defaultPipelineState(widthPx, heightPx),
    ...{ widthPx, heightPx, assembler },
  });
}

interface TexturedRectangle {
  /** Position and texture coordinates of each corner. */
  readonly corners: readonly number[];
  readonly programIndex: number;
  readonly uniforms: Draw['uniforms'];
  readonly textures?: Draw['textures'];
  readonly textureIndex: number;
  readonly secondIndex?: number;
  readonly swizzle?: SamplerState['swizzle'];
  readonly state: PipelineState;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly assembler: FrameAssembler;
}

function makeRectangle(rectangle: TexturedRectangle): Draw {
  const { corners, widthPx, heightPx, assembler, state, textureIndex, secondIndex, swizzle } =
    rectangle;
  const sampler = swizzle === undefined ? STIPPLE_SAMPLING : { ...STIPPLE_SAMPLING, swizzle };
  const bufferIndex = assembler.addBuffer(new Uint8Array(Float32Array.from(corners).buffer));
  const shared = {
    kind: 'buffer',
    bufferIndex,
    strideBytes: 20,
    componentType: 'float32',
    isNormalized: false,
    instanceDivisor: 0,
  } as const;
  const { viewport } = defaultPipelineState(widthPx, heightPx);
  return {
    programIndex: rectangle.programIndex,
    topology: 'triangle-strip',
    first: 0,
    count: 4,
    indices: null,
    instanceCount: 1,
    attributes: {
      corner: { ...shared, offsetBytes: 0, componentCount: 3 },
      texel: { ...shared, offsetBytes: 12, componentCount: 2 },
    },
    uniforms: rectangle.uniforms,
    textures: {
      ...rectangle.textures,
      image: { textureIndex, sampler },
      ...(secondIndex === undefined ? {} : { secondImage: { textureIndex: secondIndex, sampler } }),
    },
    state: {
      ...state,
      viewport,
      depthRange: [0, 1],
      cullMode: 'none',
      polygonOffset: { ...state.polygonOffset, isEnabled: false },
      clipOrigin: undefined,
      clipDepth: undefined,
    },
  };
}
