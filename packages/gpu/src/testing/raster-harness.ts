/** Sets up and walks single primitives given in window subpixels, for tests. */

import { DEFAULT_CHIPLET_SPEC, defineChipletSpec } from '@tessera/chiplet-spec';
import { defaultPipelineState, type PipelineState } from '@tessera/frame';
import { KernelLibrary } from '../command/kernel-library.ts';
import { VertexStore } from '../geometry/vertices/vertex-store.ts';
import { ChipletMemory } from '../memory/chiplet-memory.ts';
import { TileTraversal } from '../raster/coverage/tile-traversal.ts';
import { setupLine } from '../raster/setup/line-setup.ts';
import { setupTriangle } from '../raster/setup/triangle-setup.ts';
import { makeSetupState } from '../raster/setup-state.ts';
import { SET_UP, type SetupResult } from '../records/raster-record.ts';

const FINE_BIN_PX = 64;

/** Coordinates x, y in 1/256 pixel. */
export type Point = readonly [number, number];

/** Setup and tile traversal on a small target. */
export class RasterHarness {
  readonly memory = new ChipletMemory(
    defineChipletSpec({ maxBinPixels: 2 ** 20, texturePoolBytes: 2 ** 20 }),
  );
  readonly #vertices = new VertexStore(this.memory);
  readonly #library = new KernelLibrary(this.memory, DEFAULT_CHIPLET_SPEC);
  readonly #traversal = new TileTraversal(this.memory);
  readonly widthPx: number;
  readonly heightPx: number;
  readonly #state;

  constructor(
    widthPx: number,
    heightPx: number,
    state: Partial<PipelineState> = {},
    sampleCount = 1,
  ) {
    this.widthPx = widthPx;
    this.heightPx = heightPx;
    const whole = { ...defaultPipelineState(widthPx, heightPx), ...state };
    this.#state = makeSetupState(whole, { widthPx, heightPx }, sampleCount);
  }

  /** Sets up a triangle (three points) or a line (two) as record 0. */
  setUp(points: readonly Point[]): SetupResult {
    for (const [vertex, [x, y]] of points.entries()) {
      this.#vertices.windowX[vertex] = x;
      this.#vertices.windowY[vertex] = y;
      this.#vertices.windowZ[vertex] = 0.5;
    }
    return points.length === 3
      ? setupTriangle(this.memory, this.#vertices, this.#state, 0, 0, 1, 2)
      : setupLine(this.memory, this.#vertices, this.#state, 0, 0, 1);
  }

  /** Returns how often each pixel is covered; all zeros if setup drops the primitive. */
  cover(points: readonly Point[]): Uint8Array {
    const counts = new Uint8Array(this.widthPx * this.heightPx);
    if (this.setUp(points) !== SET_UP) return counts;
    const kernel = this.#library.traversalKernel({
      depthStage: 'none',
      depthCompare: 'always',
      isDepthWritten: false,
      edgeCount: points.length === 3 ? 3 : 4,
      sampleCount: this.#state.sampleCount,
      depthBounds: [0, 1],
    });
    const traversal = this.#traversal;
    traversal.beginBin(0, 0, Math.ceil(this.widthPx / 2));
    const { i32, fineBinEntriesPtr } = this.memory;
    i32[fineBinEntriesPtr >> 2] = 0;
    for (let y = 0; y < this.heightPx; y += FINE_BIN_PX) {
      for (let x = 0; x < this.widthPx; x += FINE_BIN_PX) {
        const width = Math.min(FINE_BIN_PX, this.widthPx - x);
        const height = Math.min(FINE_BIN_PX, this.heightPx - y);
        traversal.traverse(kernel, 0, 1, { x, y, width, height });
        this.#count(counts);
      }
    }
    return counts;
  }

  #count(counts: Uint8Array): void {
    const { i32, quadsPtr } = this.memory;
    for (let quad = 0; quad < this.#traversal.quadCount; quad++) {
      const at = (quadsPtr >> 2) + 4 * quad;
      for (let lane = 0; lane < 4; lane++) {
        if ((i32[at + 2]! & (1 << lane)) === 0) continue;
        counts[(i32[at + 1]! + (lane >> 1)) * this.widthPx + i32[at]! + (lane & 1)]!++;
      }
    }
    this.#traversal.clearList();
  }
}

/**
 * Returns the pixels inside a triangle, evaluating every sample with big integers as the reference.
 */
export function coverByBruteForce(
  points: readonly [Point, Point, Point],
  widthPx: number,
  heightPx: number,
): Uint8Array {
  const big = points.map(([x, y]) => [BigInt(x), BigInt(y)] as const);
  const cross = (i: number, j: number, x: bigint, y: bigint): bigint => {
    const [a, b] = [big[i]!, big[j]!];
    return (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]);
  };
  const counts = new Uint8Array(widthPx * heightPx);
  const area = cross(0, 1, big[2]![0], big[2]![1]);
  if (area === 0n) return counts;
  const edges =
    area > 0n
      ? [
          [0, 1],
          [1, 2],
          [2, 0],
        ]
      : [
          [0, 2],
          [2, 1],
          [1, 0],
        ];
  for (let y = 0; y < heightPx; y++) {
    for (let x = 0; x < widthPx; x++) {
      const isInside = edges.every(([i, j]) => {
        const e = cross(i!, j!, BigInt(256 * x + 128), BigInt(256 * y + 128));
        const [a, b] = [big[i!]!, big[j!]!];
        const isTopOrLeft = b[1] < a[1] || (b[1] === a[1] && b[0] > a[0]);
        return e > 0n || (e === 0n && isTopOrLeft);
      });
      if (isInside) counts[y * widthPx + x] = 1;
    }
  }
  return counts;
}
