/**
 * Tests of triangles' raster records against rectangles of pixels by the kernel. rect-coverage.ts
 * defines the results and handles all records.
 */
import { instantiateKernel } from '../../kernel/instantiate-kernel.ts';
import type { ChipletMemory } from '../../memory/chiplet-memory.ts';
import { generateRectCoverageKernel, type RectCoverageRun } from './rect-coverage-kernel.ts';

const LEAST = -(2 ** 31);
const MOST = 2 ** 31 - 1;

/** Tests of records with three edges and one sample per pixel. */
export class TriangleCoverage {
  /** Whether a record may cover any sample, by record, after {@link testBoxes}. */
  readonly covers: Uint8Array;
  readonly #flagsPtr: number;
  readonly #test: RectCoverageRun;

  constructor(memory: ChipletMemory) {
    this.#flagsPtr = memory.coverageFlagsPtr;
    this.covers = memory.u8.subarray(this.#flagsPtr, this.#flagsPtr + memory.primitiveCapacity);
    this.#test = instantiateKernel<RectCoverageRun>(
      generateRectCoverageKernel(memory),
      memory.memory,
    );
  }

  /** Tests `count` records, starting at `record`, within their boxes. */
  testBoxes(record: number, count: number): void {
    if (count > 0) this.#test(record, count, LEAST, LEAST, MOST, MOST, this.#flagsPtr + record);
  }

  /**
   * Returns whether a record may cover a sample of a rectangle, bounds inclusive, as `mayCoverRect`
   * does.
   */
  mayCoverRect(record: number, left: number, top: number, right: number, bottom: number): boolean {
    return this.#test(record, 1, left, top, right, bottom, this.#flagsPtr + record) === 1;
  }
}
