/**
 * The shaded vertices of one batch segment: what the kernel wrote to the vertex output pool, and the
 * post-transform values that assembly, clipping and set-up need.
 *
 * Output j of vertex v is the word `(v >> 2) × 4 × outputCount + 4 j + (v & 3)` of the pool: kernels
 * shade groups of four vertices, one per lane.
 */
import type { IsaProgram } from '@tessera/frame';
import { POINT_SIZE_SLOT, POSITION_SLOT } from '@tessera/frame';
import { type ChipletMemory, MAX_CLIP_VERTICES } from '../memory/chiplet-memory.ts';
import type { ViewportTransform } from './viewport-transform.ts';

/** Outside the view volume: −x, +x, −y, +y, near, far. */
export const OUTSIDE_LEFT = 1;
export const OUTSIDE_RIGHT = 2;
export const OUTSIDE_BOTTOM = 4;
export const OUTSIDE_TOP = 8;
export const OUTSIDE_NEAR = 16;
export const OUTSIDE_FAR = 32;
/** All six planes of the view volume. */
export const OUTSIDE_VIEW = 63;
/** Outside the guard band, or w too small to divide by. */
export const OUTSIDE_GUARD_LEFT = 64;
export const OUTSIDE_GUARD_RIGHT = 128;
export const OUTSIDE_GUARD_BOTTOM = 256;
export const OUTSIDE_GUARD_TOP = 512;
export const OUTSIDE_W = 1024;
/** A coordinate is infinite or not a number: primitives of this vertex are dropped. */
export const NOT_FINITE = 2048;
/** Bits that make a triangle that has them go through the clipper. */
export const NEEDS_CLIPPING =
  OUTSIDE_NEAR |
  OUTSIDE_FAR |
  OUTSIDE_GUARD_LEFT |
  OUTSIDE_GUARD_RIGHT |
  OUTSIDE_GUARD_BOTTOM |
  OUTSIDE_GUARD_TOP |
  OUTSIDE_W;

/** Smallest clip w that is divided by. */
export const MIN_CLIP_W = 2 ** -40;

const HIGHEST_POSITION_WORD = POSITION_SLOT + 3;

/** Vertices by number; all arrays are indexed by it. */
export class VertexStore {
  readonly #memory: ChipletMemory;
  /** Which planes the vertex is outside of. */
  readonly code: Int32Array;
  /**
   * Window position in 1/256 pixel, y down: whole ones, which decide coverage. These and the arrays below
   * are undefined where the vertex needs clipping.
   */
  readonly windowX: Float64Array;
  readonly windowY: Float64Array;
  /** The same before rounding: what depth and varyings are interpolated over. */
  readonly exactX: Float64Array;
  readonly exactY: Float64Array;
  readonly windowZ: Float64Array;
  /** 1 / clip w. */
  readonly reciprocalW: Float64Array;
  /** Outputs that each vertex has in the pool. */
  outputCount = 0;
  /** Index of output word by output slot of the segment's program; −1 for slots that are not written. */
  #wordBySlot = new Int32Array(256).fill(-1);

  constructor(memory: ChipletMemory) {
    this.#memory = memory;
    const capacity = memory.vertexCapacity + MAX_CLIP_VERTICES;
    this.code = new Int32Array(capacity);
    this.windowX = new Float64Array(capacity);
    this.windowY = new Float64Array(capacity);
    this.exactX = new Float64Array(capacity);
    this.exactY = new Float64Array(capacity);
    this.windowZ = new Float64Array(capacity);
    this.reciprocalW = new Float64Array(capacity);
  }

  /** Takes the layout of a program's outputs. */
  setProgram(program: IsaProgram): void {
    this.outputCount = program.outputSlots.length;
    this.#wordBySlot.fill(-1);
    for (const [word, slot] of program.outputSlots.entries()) this.#wordBySlot[slot] = word;
  }

  /** Position of a slot among the outputs of a vertex, or −1 when the program does not write it. */
  wordOfSlot(slot: number): number {
    return this.#wordBySlot[slot]!;
  }

  /** Index into the memory's 32-bit views of output 0 of a vertex; output j is 4 j further. */
  outputIndex(vertex: number): number {
    return (
      (this.#memory.vertexOutputPtr >> 2) + (vertex >> 2) * 4 * this.outputCount + (vertex & 3)
    );
  }

  /** Output `slot` of a vertex as a float; `missing` when the program does not write it. */
  readFloat(vertex: number, slot: number, missing: number): number {
    const word = this.#wordBySlot[slot]!;
    return word < 0 ? missing : this.#memory.f32[this.outputIndex(vertex) + 4 * word]!;
  }

  /** Size of a point in pixels, as the shader wrote it; 1 when it did not. */
  pointSize(vertex: number): number {
    return this.readFloat(vertex, POINT_SIZE_SLOT, 1);
  }

  /** Computes the post-transform values of vertices 0 to `count` − 1 from their positions. */
  transform(count: number, viewport: ViewportTransform): void {
    const { f32 } = this.#memory;
    const words = this.#wordBySlot;
    const isWhole = words[POSITION_SLOT]! >= 0 && words[HIGHEST_POSITION_WORD]! >= 0;
    const wordX = 4 * words[POSITION_SLOT]!;
    const wordY = 4 * words[POSITION_SLOT + 1]!;
    const wordZ = 4 * words[POSITION_SLOT + 2]!;
    const wordW = 4 * words[POSITION_SLOT + 3]!;
    for (let vertex = 0; vertex < count; vertex++) {
      if (!isWhole) {
        // A shader that never writes gl_Position leaves it undefined; nothing of it is drawn.
        this.code[vertex] = NOT_FINITE;
        continue;
      }
      const at = this.outputIndex(vertex);
      this.place(
        vertex,
        f32[at + wordX]!,
        f32[at + wordY]!,
        f32[at + wordZ]!,
        f32[at + wordW]!,
        viewport,
      );
    }
  }

  /** Computes the post-transform values of one vertex from clip coordinates. */
  place(
    vertex: number,
    x: number,
    y: number,
    z: number,
    w: number,
    viewport: ViewportTransform,
  ): void {
    const guardX = viewport.guardX * w;
    const guardY = viewport.guardY * w;
    let code = 0;
    if (x < -w) code |= x < -guardX ? OUTSIDE_LEFT | OUTSIDE_GUARD_LEFT : OUTSIDE_LEFT;
    if (x > w) code |= x > guardX ? OUTSIDE_RIGHT | OUTSIDE_GUARD_RIGHT : OUTSIDE_RIGHT;
    if (y < -w) code |= y < -guardY ? OUTSIDE_BOTTOM | OUTSIDE_GUARD_BOTTOM : OUTSIDE_BOTTOM;
    if (y > w) code |= y > guardY ? OUTSIDE_TOP | OUTSIDE_GUARD_TOP : OUTSIDE_TOP;
    if (z < -w) code |= OUTSIDE_NEAR;
    if (z > w) code |= OUTSIDE_FAR;
    if (w < MIN_CLIP_W) code |= OUTSIDE_W;
    // x − x is 0 for finite numbers and NaN for the others.
    if (x - x + (y - y) + (z - z) + (w - w) !== 0) code = NOT_FINITE;
    this.code[vertex] = code;
    if ((code & (NEEDS_CLIPPING | NOT_FINITE)) === 0)
      this.placeClipped(vertex, x, y, z, w, viewport);
  }

  /** Divides by w and maps to the window; the clip coordinates are inside the guard band. */
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
