/**
 * Attribute setup: the planes that fragment kernels evaluate, `(c + dx X) + dy Y` with X, Y in
 * pixels from the origin of the raster record. They are computed in doubles over the window
 * positions chosen by the basis of the primitive, and stored as floats.
 *
 * Primitive record of a draw with n varying components, 64 + 16 n bytes:
 *
 * | byte | |
 * | --- | --- |
 * | 0 | f32 x, y of the origin (a pixel center) |
 * | 8 | i32 flags: bit 0 front-facing, bit 1 point |
 * | 12 | f32 target height |
 * | 16 | plane c, dx, dy, 0 of 1 / w |
 * | 32 | plane c, dx, dy of window depth, 0 to 1; lines: y of the vector to the end |
 * | 48 | points: left, top, 1 / size, size; lines: x, y of the start, 1, x of the vector to the end |
 * | 64 + 16 j | plane of varying component j divided by w; flat ones: the value's bits as c |
 */

import { type ProvokingVertex, type ShaderProgram, VARYING_SLOT } from '@tessera/frame';
import { PRIMITIVE_FLAGS, PRIMITIVE_RECORD } from '@tessera/shader/codegen';
import type { VertexStore } from '../../geometry/vertices/vertex-store.ts';
import type { ChipletMemory } from '../../memory/chiplet-memory.ts';
import { DEPTH_24_MAX } from '../../records/depth-24.ts';
import {
  DEPTH_C,
  DEPTH_DX,
  DEPTH_DY,
  ORIGIN_X,
  ORIGIN_Y,
  RECORD_F64,
  RECORD_I32,
} from '../../records/raster-record.ts';
import { clampPointSize } from '../point-size.ts';
import type { LineBasis } from './line-basis.ts';
import type { TriangleBasis } from './triangle-basis.ts';

const HEAD_WORDS = PRIMITIVE_RECORD.varyings >> 2;

/** Sources of a fragment program's inputs. */
export interface AttributeLayout {
  /** Size of a primitive record, in bytes. */
  readonly recordBytes: number;
  /**
   * Per fragment input: 4 × its vertex output word, or −1 if the vertex stage does not write it.
   */
  readonly vertexWords: Int32Array;
  /** Corner that flat inputs come from. */
  readonly provoking: ProvokingVertex;
  /** Per fragment input: {@link FROM_LAST} or {@link FROM_FIRST} if flat, otherwise 0. */
  readonly isFlat: Uint8Array;
}

/** Flat input with the value of the last corner. Bit 0 says that an input is flat. */
export const FROM_LAST = 1;
/** Flat input with the value of the first corner. */
export const FROM_FIRST = 3;

const layoutsByProvoking = {
  last: new WeakMap<ShaderProgram, AttributeLayout>(),
  first: new WeakMap<ShaderProgram, AttributeLayout>(),
} as const satisfies Record<ProvokingVertex, unknown>;

/**
 * Matches the inputs of the fragment stage with the outputs of the vertex stage; the layout is made
 * once per program and provoking vertex.
 */
export function attributeLayoutOf(
  program: ShaderProgram,
  provoking: ProvokingVertex = 'last',
): AttributeLayout {
  const layouts = layoutsByProvoking[provoking];
  const layout = layouts.get(program) ?? makeAttributeLayout(program, provoking);
  layouts.set(program, layout);
  return layout;
}

function makeAttributeLayout(
  { vertex, fragment }: ShaderProgram,
  provoking: ProvokingVertex,
): AttributeLayout {
  const flat = provoking === 'first' ? FROM_FIRST : FROM_LAST;
  const wordBySlot = new Map(vertex.outputSlots.map((slot, word) => [slot, word]));
  const flatSlots = new Set(fragment.flatInputSlots);
  const words = fragment.inputSlots.map((slot) => {
    const word = wordBySlot.get(VARYING_SLOT + slot);
    return word === undefined ? -1 : 4 * word;
  });
  return {
    recordBytes: PRIMITIVE_RECORD.varyings + 16 * fragment.inputSlots.length,
    provoking,
    vertexWords: Int32Array.from(words),
    isFlat: Uint8Array.from(fragment.inputSlots, (slot) => (flatSlots.has(slot) ? flat : 0)),
  };
}

function writeHead(
  memory: ChipletMemory,
  at: number,
  record: number,
  flags: number,
  targetHeightPx: number,
): void {
  const { f32, f64, i32 } = memory;
  const d = (memory.rasterRecordsPtr >> 3) + record * RECORD_F64;
  f32[at] = i32[(memory.rasterRecordsPtr >> 2) + record * RECORD_I32 + ORIGIN_X]! + 0.5;
  f32[at + 1] = i32[(memory.rasterRecordsPtr >> 2) + record * RECORD_I32 + ORIGIN_Y]! + 0.5;
  i32[at + 2] = flags;
  f32[at + 3] = targetHeightPx;
  f32[at + 8] = f64[d + DEPTH_C]! / DEPTH_24_MAX;
  f32[at + 9] = f64[d + DEPTH_DX]! / DEPTH_24_MAX;
  f32[at + 10] = f64[d + DEPTH_DY]! / DEPTH_24_MAX;
  f32[at + 11] = 0;
}

/**
 * Writes the primitive record of a triangle.
 *
 * @param at Index of the record in the memory's 32-bit views.
 * @param record Raster record of the triangle, with its depth plane.
 * @param basis Basis of the triangle.
 * @param provoking Vertex that provides flat varyings.
 */
export function writeTrianglePlanes(
  memory: ChipletMemory,
  vertices: VertexStore,
  layout: AttributeLayout,
  at: number,
  record: number,
  basis: TriangleBasis,
  v0: number,
  v1: number,
  v2: number,
  provoking: number,
  isFrontFacing: boolean,
  targetHeightPx: number,
): void {
  const { f32, i32 } = memory;
  const { reciprocalW } = vertices;
  writeHead(memory, at, record, isFrontFacing ? PRIMITIVE_FLAGS.frontFacing : 0, targetHeightPx);

  // 1. The weights of v1 and v2 at the origin.
  const { dx1, dy1, dx2, dy2 } = basis;
  const origin = (memory.rasterRecordsPtr >> 2) + record * RECORD_I32;
  const originX = i32[origin + ORIGIN_X]! + 0.5 - basis.x0;
  const originY = i32[origin + ORIGIN_Y]! + 0.5 - basis.y0;
  const b1 = dx1 * originX + dy1 * originY;
  const b2 = dx2 * originX + dy2 * originY;

  // 2. 1 / w.
  const r0 = reciprocalW[v0]!;
  const r1 = reciprocalW[v1]!;
  const r2 = reciprocalW[v2]!;
  f32[at + 4] = r0 + (r1 - r0) * b1 + (r2 - r0) * b2;
  f32[at + 5] = (r1 - r0) * dx1 + (r2 - r0) * dx2;
  f32[at + 6] = (r1 - r0) * dy1 + (r2 - r0) * dy2;
  f32[at + 7] = 0;
  f32.fill(0, at + 12, at + 16);

  // 3. Varyings.
  const { vertexWords, isFlat } = layout;
  const from0 = vertices.outputIndex(v0);
  const from1 = vertices.outputIndex(v1);
  const from2 = vertices.outputIndex(v2);
  const fromProvoking = vertices.outputIndex(provoking);
  let to = at + HEAD_WORDS;
  for (let j = 0; j < vertexWords.length; j++, to += 4) {
    const word = vertexWords[j]!;
    if (word < 0 || isFlat[j] !== 0) {
      writeConstantPlane(i32, to, word < 0 ? 0 : i32[fromProvoking + word]!);
      continue;
    }
    const a0 = f32[from0 + word]! * r0;
    const a1 = f32[from1 + word]! * r1 - a0;
    const a2 = f32[from2 + word]! * r2 - a0;
    f32[to] = a0 + a1 * b1 + a2 * b2;
    f32[to + 1] = a1 * dx1 + a2 * dx2;
    f32[to + 2] = a1 * dy1 + a2 * dy2;
    f32[to + 3] = 0;
  }
}

/**
 * Writes the primitive record of a line. Values vary along v0→v1 only (GL ES 3.0, section 3.5.1).
 *
 * @param basis Basis of the line.
 */
export function writeLinePlanes(
  memory: ChipletMemory,
  vertices: VertexStore,
  layout: AttributeLayout,
  at: number,
  record: number,
  basis: LineBasis,
  v0: number,
  v1: number,
  provoking: number,
  isFrontFacing: boolean,
  targetHeightPx: number,
): void {
  const { f32, i32 } = memory;
  const { reciprocalW } = vertices;
  writeHead(memory, at, record, isFrontFacing ? PRIMITIVE_FLAGS.frontFacing : 0, targetHeightPx);
  const { dx, dy } = basis;
  const origin = (memory.rasterRecordsPtr >> 2) + record * RECORD_I32;
  const t =
    dx * (i32[origin + ORIGIN_X]! + 0.5 - basis.x0) +
    dy * (i32[origin + ORIGIN_Y]! + 0.5 - basis.y0);

  const r0 = reciprocalW[v0]!;
  const r1 = reciprocalW[v1]!;
  f32[at + 4] = r0 + (r1 - r0) * t;
  f32[at + 5] = (r1 - r0) * dx;
  f32[at + 6] = (r1 - r0) * dy;
  f32[at + 7] = 0;

  const { exactX, exactY } = vertices;
  f32[at + 11] = (exactY[v1]! - exactY[v0]!) / 256;
  f32[at + 12] = exactX[v0]! / 256;
  f32[at + 13] = exactY[v0]! / 256;
  f32[at + 14] = 1;
  f32[at + 15] = (exactX[v1]! - exactX[v0]!) / 256;

  const from0 = vertices.outputIndex(v0);
  const from1 = vertices.outputIndex(v1);
  const fromProvoking = vertices.outputIndex(provoking);
  let to = at + HEAD_WORDS;
  for (let j = 0; j < layout.vertexWords.length; j++, to += 4) {
    const word = layout.vertexWords[j]!;
    if (word < 0 || layout.isFlat[j] !== 0) {
      writeConstantPlane(i32, to, word < 0 ? 0 : i32[fromProvoking + word]!);
      continue;
    }
    const a0 = f32[from0 + word]! * r0;
    const a1 = f32[from1 + word]! * r1 - a0;
    f32[to] = a0 + a1 * t;
    f32[to + 1] = a1 * dx;
    f32[to + 2] = a1 * dy;
    f32[to + 3] = 0;
  }
}

/**
 * Writes the primitive record of a point. Every varying is constant.
 *
 * @param provoking Vertex that provides flat varyings.
 */
export function writePointPlanes(
  memory: ChipletMemory,
  vertices: VertexStore,
  layout: AttributeLayout,
  at: number,
  record: number,
  vertex: number,
  provoking: number,
  isFrontFacing: boolean,
  targetHeightPx: number,
): void {
  const { f32, i32 } = memory;
  writeHead(
    memory,
    at,
    record,
    (isFrontFacing ? PRIMITIVE_FLAGS.frontFacing : 0) | PRIMITIVE_FLAGS.point,
    targetHeightPx,
  );
  const reciprocalW = vertices.reciprocalW[vertex]!;
  f32[at + 4] = reciprocalW;
  f32[at + 5] = 0;
  f32[at + 6] = 0;
  f32[at + 7] = 0;
  const size = clampPointSize(vertices.pointSize(vertex));
  f32[at + 12] = (vertices.windowX[vertex]! - (size >> 1)) / 256;
  f32[at + 13] = (vertices.windowY[vertex]! - (size >> 1)) / 256;
  f32[at + 14] = 256 / size;
  f32[at + 15] = size / 256;
  const from = vertices.outputIndex(vertex);
  const fromProvoking = vertices.outputIndex(provoking);
  let to = at + HEAD_WORDS;
  for (let j = 0; j < layout.vertexWords.length; j++, to += 4) {
    const word = layout.vertexWords[j]!;
    writeConstantPlane(i32, to, word < 0 ? 0 : i32[fromProvoking + word]!);
    if (word >= 0 && layout.isFlat[j] === 0) f32[to] = f32[from + word]! * reciprocalW;
  }
}

function writeConstantPlane(i32: Int32Array, at: number, bits: number): void {
  i32[at] = bits;
  i32[at + 1] = 0;
  i32[at + 2] = 0;
  i32[at + 3] = 0;
}
