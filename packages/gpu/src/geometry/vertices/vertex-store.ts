/**
 * Shaded vertices of one batch segment: the kernel's results in the vertex output pool, and the
 * post-transform values for assembly, clipping and setup.
 *
 * Output j of vertex v is the word `(v >> 2) × 4 × outputCount + 4 j + (v & 3)` of the pool.
 * Kernels shade groups of four vertices, one per lane.
 */
import type { IsaProgram } from '@tessera/frame';
import { OUTSIDE_SLOT, POINT_SIZE_SLOT, POSITION_SLOT } from '@tessera/frame';
import { instantiateKernel } from '../../kernel/instantiate-kernel.ts';
import { type ChipletMemory, MAX_CLIP_VERTICES } from '../../memory/chiplet-memory.ts';
import { FIRST_DISTANCE_BIT, NOT_FINITE, OUTSIDE_DEPTH } from './clip-codes.ts';
import { generateTransformKernel, type TransformRun } from './transform-kernel.ts';
import type { ViewportTransform } from './viewport-transform.ts';

const HIGHEST_POSITION_WORD = POSITION_SLOT + 3;

/** Vertices by number, which indexes all arrays. */
export class VertexStore {
  readonly #memory: ChipletMemory;
  /** Clip code of each vertex. */
  readonly code: Int32Array;
  /**
   * Window position in whole units of 1/256 pixel, y down, which decides coverage. This and the
   * following arrays are undefined for vertices that need clipping.
   */
  readonly windowX: Float64Array;
  readonly windowY: Float64Array;
  /** Window position before rounding, over which depth and varyings are interpolated. */
  readonly exactX: Float64Array;
  readonly exactY: Float64Array;
  readonly windowZ: Float64Array;
  /** Reciprocal of clip w. */
  readonly reciprocalW: Float64Array;
  readonly #transformGroups: TransformRun;
  #program: IsaProgram | null = null;
  /** Number of outputs per vertex in the pool. */
  outputCount = 0;
  /**
   * Index of the output word by output slot of the segment's program; −1 for slots that are not
   * written.
   */
  #wordBySlot = new Int32Array(256).fill(-1);

  constructor(memory: ChipletMemory) {
    this.#memory = memory;
    const { memory: wasm, u8 } = memory;
    const capacity = memory.vertexCapacity + MAX_CLIP_VERTICES;
    const doubles = (ptr: number) => new Float64Array(u8.buffer, ptr, capacity);
    this.code = new Int32Array(u8.buffer, memory.vertexCodePtr, capacity);
    this.windowX = doubles(memory.vertexWindowXPtr);
    this.windowY = doubles(memory.vertexWindowYPtr);
    this.exactX = doubles(memory.vertexExactXPtr);
    this.exactY = doubles(memory.vertexExactYPtr);
    this.windowZ = doubles(memory.vertexWindowZPtr);
    this.reciprocalW = doubles(memory.vertexReciprocalWPtr);
    this.#transformGroups = instantiateKernel<TransformRun>(generateTransformKernel(memory), wasm);
  }

  /** Sets the layout of a program's outputs. */
  setProgram(program: IsaProgram): void {
    if (this.#program === program) return;
    this.#program = program;
    this.outputCount = program.outputSlots.length;
    this.#wordBySlot.fill(-1);
    for (const [word, slot] of program.outputSlots.entries()) this.#wordBySlot[slot] = word;
  }

  /**
   * Returns the position of a slot among a vertex's outputs, or −1 if the program does not write
   * it.
   */
  wordOfSlot(slot: number): number {
    return this.#wordBySlot[slot]!;
  }

  /**
   * Returns the index of a vertex's output 0 in the memory's 32-bit views. Output j is at + 4 j.
   */
  outputIndex(vertex: number): number {
    return (
      (this.#memory.vertexOutputPtr >> 2) + (vertex >> 2) * 4 * this.outputCount + (vertex & 3)
    );
  }

  /** Returns output `slot` of a vertex as a float; `missing` if the program does not write it. */
  readFloat(vertex: number, slot: number, missing: number): number {
    const word = this.#wordBySlot[slot]!;
    return word < 0 ? missing : this.#memory.f32[this.outputIndex(vertex) + 4 * word]!;
  }

  /** Returns the size of a point in pixels; 1 if the shader did not write it. */
  pointSize(vertex: number): number {
    return this.readFloat(vertex, POINT_SIZE_SLOT, 1);
  }

  /** Computes the post-transform values of vertices 0 to `count` − 1 from their positions. */
  transform(count: number, viewport: ViewportTransform): void {
    const words = this.#wordBySlot;
    if (words[POSITION_SLOT]! < 0 || words[HIGHEST_POSITION_WORD]! < 0) {
      // A shader that never writes gl_Position leaves it undefined. Its primitives are not drawn.
      this.code.fill(NOT_FINITE, 0, count);
      return;
    }
    if (count === 0) return;
    this.#transformGroups(
      (count + 3) >> 2,
      16 * this.outputCount,
      16 * words[POSITION_SLOT]!,
      16 * words[POSITION_SLOT + 1]!,
      16 * words[POSITION_SLOT + 2]!,
      16 * words[POSITION_SLOT + 3]!,
      viewport.scaleX,
      viewport.offsetX,
      viewport.scaleY,
      viewport.offsetY,
      viewport.scaleZ,
      viewport.offsetZ,
      viewport.guardX,
      viewport.guardY,
      viewport.nearW,
    );
    if (words[OUTSIDE_SLOT]! >= 0) this.#addDistances(count, words[OUTSIDE_SLOT]!);
    if (viewport.isDepthClipped) return;
    for (let vertex = 0; vertex < count; vertex++) this.code[vertex]! &= ~OUTSIDE_DEPTH;
  }

  /** Adds the negative clip and cull distances to the codes. */
  #addDistances(count: number, word: number): void {
    const { u32 } = this.#memory;
    for (let vertex = 0; vertex < count; vertex++) {
      this.code[vertex]! |= u32[this.outputIndex(vertex) + 4 * word]! << FIRST_DISTANCE_BIT;
    }
  }

  /** Divides by w and maps to the window. The clip coordinates must be inside the guard band. */
  placeClipped(
    vertex: number,
    x: number,
    y: number,
    z: number,
    w: number,
    viewport: ViewportTransform,
  ): void {
    const reciprocalW = 1 / w;
    this.reciprocalW[vertex] = reciprocalW;
    const exactX = x * reciprocalW * viewport.scaleX + viewport.offsetX;
    const exactY = y * reciprocalW * viewport.scaleY + viewport.offsetY;
    this.exactX[vertex] = exactX;
    this.exactY[vertex] = exactY;
    this.windowX[vertex] = Math.floor(exactX + 0.5);
    this.windowY[vertex] = Math.floor(exactY + 0.5);
    this.windowZ[vertex] = z * reciprocalW * viewport.scaleZ + viewport.offsetZ;
  }
}
