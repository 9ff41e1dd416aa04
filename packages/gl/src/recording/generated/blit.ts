/**
 * Blits between framebuffers (OpenGL ES 3.0, section 4.3.3). An unscaled blit without conversion is
 * a copy at the end of the pass that drew the source. Any other blit is a draw that samples the
 * source. Some sources cannot be sampled directly: the screen, the target itself, or a level above
 * 0. They are first copied to a texture.
 *
 * Pixels outside the source are not written.
 */
import {
  type Draw,
  defaultPipelineState,
  type RectPx,
  RenderError,
  type SamplerState,
  TEXTURE_FORMATS,
  type TextureFormat,
} from '@tessera/frame';
import { GL } from '../../api/constants.ts';
import {
  type ColorStore,
  isSigned,
  refuseSpreadSource,
  UNCLAMPED_TARGETS,
} from '../passes/color-stores.ts';
import type { FrameAssembler } from '../passes/frame-assembler.ts';
import {
  type BufferIdentity,
  type DrawnImage,
  isSameBuffer,
  type PassAttachments,
} from '../passes/pass-attachments.ts';
import type { PassList } from '../passes/pass-list.ts';

/**
 * Left, bottom, right and top edge in window coordinates. Right may be less than left, and top may
 * be less than bottom.
 */
export type BlitEdges = readonly [x0: number, y0: number, x1: number, y1: number];

/** Parameters of a blit: rectangles, buffers and filter. */
export interface Blit {
  readonly from: BlitEdges;
  readonly to: BlitEdges;
  readonly isLinear: boolean;
  readonly color: boolean;
  readonly depth: boolean;
  readonly stencil: boolean;
}

/** Framebuffer that a blit reads or writes. */
export interface BlitSide {
  readonly attachments: PassAttachments;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly sampleCount: number;
}

/** Destination of the generated passes, copies and draws. */
export interface BlitRecord {
  readonly passes: PassList;
  readonly assembler: FrameAssembler;
  /** Images that the blit replaces completely, from `listReplaced`. */
  readonly replaced: readonly DrawnImage[];
  /** Appends a draw into the destination framebuffer. */
  readonly append: (draw: Draw) => void;
}

const BYTE_FORMATS: readonly TextureFormat[] = [
  ...(['r8unorm', 'rg8unorm', 'rgba8unorm', 'rgba8unorm-srgb'] as const),
];

/**
 * Records a blit. The caller has checked that both framebuffers are complete and compatible.
 *
 * @param scissor Scissor rectangle with rows from the top, or `null` if the test is disabled.
 * @throws {RenderError} FRAME_UNSUPPORTED for depth or stencil that is scaled, blitted to the
 *   screen, or blitted to more samples per pixel.
 */
export function recordBlit(
  blit: Blit,
  source: BlitSide,
  into: BlitSide,
  scissor: RectPx | null,
  record: BlitRecord,
): void {
  const placed = normalize(blit);
  const clip = clipExact(placed, source, into, scissor);
  if (blit.color) recordColor({ ...blit, ...placed }, source, into, scissor, clip, record);
  if (blit.depth || blit.stencil) recordDepth(blit, source, into, clip, record);
}

/** Returns the images that a blit replaces completely, so their contents need not be loaded. */
export function listReplaced(
  blit: Blit,
  source: BlitSide,
  into: BlitSide,
  scissor: RectPx | null,
): readonly DrawnImage[] {
  const clip = clipExact(normalize(blit), source, into, scissor);
  if (clip === null || clip.widthPx < into.widthPx || clip.heightPx < into.heightPx) return [];
  const [read] = source.attachments.colors;
  const { colors, depth, stencil } = into.attachments;
  const isColor =
    blit.color && read !== null && read !== undefined && areCopied(source, read, into);
  const replaced = isColor ? colors.filter((color) => color !== null && color !== 'screen') : [];
  const isDepth = blit.depth && source.attachments.depth !== null;
  const isStencil = blit.stencil && source.attachments.stencil !== null;
  if (depth === null || depth === 'screen' || !isDepth) return replaced;
  const isWhole = (isStencil && stencil !== null) || !mayHoldStencil(depth.object);
  return isWhole ? [...replaced, depth] : replaced;
}

/** Whether a depth image may also have stencil, which a blit of depth alone preserves. */
function mayHoldStencil(object: DrawnImage['object']): boolean {
  return !('internalFormat' in object) || !DEPTHS_ALONE.includes(object.internalFormat);
}

const DEPTHS_ALONE: readonly number[] = [GL.DEPTH_COMPONENT16, GL.DEPTH_COMPONENT24];

/**
 * Returns the rectangles with the destination's edges in ascending order. The source's edges are
 * swapped in the same way.
 */
function normalize({ from, to }: Pick<Blit, 'from' | 'to'>): {
  readonly from: BlitEdges;
  readonly to: BlitEdges;
} {
  const turn = ([a0, a1]: readonly [number, number], isTurned: boolean) =>
    isTurned ? ([a1, a0] as const) : ([a0, a1] as const);
  const isTurnedX = to[0] > to[2];
  const isTurnedY = to[1] > to[3];
  const edges = ([x0, y0, x1, y1]: BlitEdges): BlitEdges => {
    const [left, right] = turn([x0, x1], isTurnedX);
    const [bottom, top] = turn([y0, y1], isTurnedY);
    return [left, bottom, right, top];
  };
  return { from: edges(from), to: edges(to) };
}

/** Whether a blit neither scales nor mirrors. */
export function isExact(blit: Pick<Blit, 'from' | 'to'>): boolean {
  const { from, to } = normalize(blit);
  return from[2] - from[0] === to[2] - to[0] && from[3] - from[1] === to[3] - to[1];
}

/** Unscaled copy, clipped at all edges, with rows from the bottom. */
interface ExactCopy {
  readonly sourceX: number;
  readonly sourceY: number;
  readonly intoX: number;
  readonly intoY: number;
  /** Width of the copy in pixels. Nothing is copied if it is not positive. */
  readonly widthPx: number;
  readonly heightPx: number;
}

function clipExact(
  { from, to }: { readonly from: BlitEdges; readonly to: BlitEdges },
  source: BlitSide,
  into: BlitSide,
  scissor: RectPx | null,
): ExactCopy | null {
  if (!isExact({ from, to })) return null;
  const cut = scissor ?? { x: 0, y: 0, width: into.widthPx, height: into.heightPx };
  const dx = from[0] - to[0];
  const dy = from[1] - to[1];
  const left = Math.max(to[0], -dx, 0, cut.x);
  const right = Math.min(to[2], source.widthPx - dx, into.widthPx, cut.x + cut.width);
  // Scissor rows count from the top.
  const bottom = Math.max(to[1], -dy, 0, into.heightPx - cut.y - cut.height);
  const top = Math.min(to[3], source.heightPx - dy, into.heightPx, into.heightPx - cut.y);
  return {
    ...{ sourceX: left + dx, sourceY: bottom + dy, intoX: left, intoY: bottom },
    ...{ widthPx: right - left, heightPx: top - bottom },
  };
}

const isEmpty = ({ widthPx, heightPx }: ExactCopy): boolean => widthPx <= 0 || heightPx <= 0;

function recordColor(
  blit: Blit,
  source: BlitSide,
  into: BlitSide,
  scissor: RectPx | null,
  clip: ExactCopy | null,
  { passes, assembler, replaced, append }: BlitRecord,
): void {
  const [read] = source.attachments.colors;
  const written = into.attachments.colors;
  if (read === null || read === undefined || written.every((color) => color === null)) return;
  if (clip !== null && isEmpty(clip)) return;

  const stores = listStores(into.attachments);
  refuseSpreadSource('blitFramebuffer', source.attachments.stores, stores);
  // 1. A copy if the texels need no conversion.
  const hasAlpha = into.attachments.hasAlpha;
  if (clip !== null && areCopied(source, read, into)) {
    const isBytes = BYTE_FORMATS.includes(formatOf(read));
    const swizzle = !hasAlpha && isBytes ? { swizzle: WITHOUT_ALPHA } : {};
    for (const color of written) {
      if (color === null || color === 'screen') continue;
      const isReplaced = replaced.includes(color);
      passes.copy(source.attachments, { source: 0, ...clip, ...swizzle }, color, isReplaced);
    }
    return;
  }

  // 2. A draw that samples the source.
  const isDirect =
    source.sampleCount === 1 &&
    source.attachments.isUneven !== true &&
    !written.some((color) => sharesObject(color, read));
  const direct = isDirect ? passes.sampledIndexOf(read) : null;
  const textureIndex = direct ?? copyOut(source, read, passes);
  append(
    makeBlitDraw(blit, { textureIndex, format: formatOf(read) }, source, into, scissor, assembler),
  );
}

/** Whether a blit copies all colors without conversion. */
function areCopied(source: BlitSide, read: BufferIdentity, into: BlitSide): boolean {
  const { colors, hasAlpha, stores } = into.attachments;
  const [ofSource] = listStores(source.attachments);
  if (stores?.some((store) => store !== ofSource) === true) return false;
  // A draw writes all samples of a pixel.
  if (into.sampleCount > source.sampleCount) return false;
  return colors.every(
    (color) =>
      color === null || (color !== 'screen' && areTexelsTaken(source, read, color, hasAlpha)),
  );
}

/** Returns the channels that each color stores. */
function listStores({ colors, hasAlpha, stores }: PassAttachments): readonly ColorStore[] {
  return stores ?? colors.map(() => (hasAlpha ? 'rgba' : 'rgb'));
}

const WITHOUT_ALPHA = ['red', 'green', 'blue', 'one'] as const;

function formatOf(buffer: BufferIdentity): TextureFormat {
  return buffer === 'screen' ? 'rgba8unorm' : buffer.format;
}

function sharesObject(a: BufferIdentity | null, b: BufferIdentity): boolean {
  return a !== null && a !== 'screen' && b !== 'screen' && a.object === b.object;
}

/** Whether a copy of the texels without conversion is equivalent to the blit. */
function areTexelsTaken(
  source: BlitSide,
  read: BufferIdentity,
  written: BufferIdentity,
  hasAlpha: boolean,
): boolean {
  const from = formatOf(read);
  const to = formatOf(written);
  const areBytes = BYTE_FORMATS.includes(from) && BYTE_FORMATS.includes(to);
  if (from === to) return areBytes || hasAlpha || !source.attachments.hasAlpha;
  return areBytes && from.endsWith('srgb') === to.endsWith('srgb');
}

/**
 * Copies the whole source into a new texture and resolves its samples.
 *
 * @returns Index of the texture.
 */
function copyOut(source: BlitSide, read: BufferIdentity, passes: PassList): number {
  const { widthPx, heightPx } = source;
  return passes.copyOut(
    source.attachments,
    { source: 0, sourceX: 0, sourceY: 0, intoX: 0, intoY: 0, widthPx, heightPx },
    { format: formatOf(read), widthPx, heightPx, levels: [], isMipmapGenerated: false },
  );
}

function recordDepth(
  { depth, stencil }: Blit,
  source: BlitSide,
  into: BlitSide,
  clip: ExactCopy | null,
  { passes, replaced }: BlitRecord,
): void {
  const has = (aspect: 'depth' | 'stencil') =>
    source.attachments[aspect] !== null && into.attachments[aspect] !== null;
  const isDepth = depth && has('depth');
  const isStencil = stencil && has('stencil');
  if (!isDepth && !isStencil) return;
  const written = into.attachments.depth ?? into.attachments.stencil;
  const isSpread = into.sampleCount > source.sampleCount;
  if (written === null || written === 'screen' || clip === null || isSpread) {
    const why = isSpread
      ? 'of fewer samples per pixel'
      : clip === null
        ? 'scaled or mirrored'
        : 'blitted to the screen';
    throw new RenderError('FRAME_UNSUPPORTED', `blitFramebuffer: depth or stencil, ${why}`);
  }
  if (isEmpty(clip) || isSameBuffer(written, source.attachments.depth)) return;
  const aspect = isDepth && isStencil ? {} : ({ aspect: isDepth ? 'depth' : 'stencil' } as const);
  const copy = { source: 'depth-stencil', ...clip, ...aspect } as const;
  passes.copy(source.attachments, copy, written, replaced.includes(written));
}

const VERTEX_SOURCE = `#version 300 es
uniform vec4 edges;
void main() {
  gl_Position = vec4(
    gl_VertexID % 2 == 0 ? edges.x : edges.z, gl_VertexID < 2 ? edges.y : edges.w, 0.0, 1.0);
}
`;

/** GLSL types of vectors and samplers, by kind of texel. */
const TEXEL_TYPES = {
  float: { vector: 'vec4', sampler: 'sampler2D' },
  depth: { vector: 'vec4', sampler: 'sampler2D' },
  sint: { vector: 'ivec4', sampler: 'isampler2D' },
  uint: { vector: 'uvec4', sampler: 'usampler2D' },
} as const;

function makeFragmentSource(
  kind: keyof typeof TEXEL_TYPES,
  outputs: readonly number[],
  isLinear: boolean,
  isCut: boolean,
): string {
  const { vector, sampler } = TEXEL_TYPES[kind];
  const cut = 'if (any(lessThan(at, vec2(0.0))) || any(greaterThanEqual(at, size))) discard;';
  return `#version 300 es
precision highp float;
precision highp int;
uniform highp ${sampler} image;
uniform vec2 size;
uniform vec2 target;
uniform vec2 origin;
uniform vec2 scale;
${outputs.map((output) => `layout(location = ${output}) out ${vector} color${output};`).join('\n')}
void main() {
  vec2 at = origin + (gl_FragCoord.xy - target) * scale;
  ${isCut ? cut : ''}
  ${vector} texel = ${isLinear ? 'texture(image, at / size)' : 'texelFetch(image, ivec2(at), 0)'};
  ${outputs.map((output) => `color${output} = texel;`).join('\n  ')}
}
`;
}

function makeBlitDraw(
  { from, to, isLinear }: Blit,
  { textureIndex, format }: { readonly textureIndex: number; readonly format: TextureFormat },
  source: BlitSide,
  { attachments, widthPx, heightPx }: BlitSide,
  scissor: RectPx | null,
  assembler: FrameAssembler,
): Draw {
  const [x0, x1] = [Math.min(from[0], from[2]), Math.max(from[0], from[2])];
  const [y0, y1] = [Math.min(from[1], from[3]), Math.max(from[1], from[3])];
  const isCut = x0 < 0 || y0 < 0 || x1 > source.widthPx || y1 > source.heightPx;
  const outputs = attachments.colors.flatMap((color, output) => (color === null ? [] : [output]));
  const { kind } = TEXTURE_FORMATS[format];
  const filter = isLinear ? 'linear' : 'nearest';
  const sampler: SamplerState = {
    ...{ wrapS: 'clamp-to-edge', wrapT: 'clamp-to-edge' },
    ...{ magFilter: filter, minFilter: filter, mipmapFilter: 'none' },
  };
  const device = (edge: number, sizePx: number) => (2 * edge) / sizePx - 1;
  return {
    programIndex: assembler.addProgram({
      vertexSource: VERTEX_SOURCE,
      fragmentSource: makeFragmentSource(kind, outputs, isLinear, isCut),
    }),
    ...{ topology: 'triangle-strip', first: 0, count: 4, indices: null, instanceCount: 1 },
    attributes: {},
    uniforms: {
      edges: to.map((edge, i) => device(edge, i % 2 === 0 ? widthPx : heightPx)),
      size: [source.widthPx, source.heightPx],
      target: [to[0], to[1]],
      origin: [from[0], from[1]],
      scale: [(from[2] - from[0]) / (to[2] - to[0]), (from[3] - from[1]) / (to[3] - to[1])],
    },
    textures: { image: { textureIndex, sampler } },
    state: {
      ...defaultPipelineState(widthPx, heightPx),
      scissor,
      ...(attachments.colors.some(isSigned) ? { colorTargets: UNCLAMPED_TARGETS } : {}),
    },
  };
}
