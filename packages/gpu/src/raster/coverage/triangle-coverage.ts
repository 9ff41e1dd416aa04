/**
 * Tests of raster records against rectangles of pixels: those of triangles by the kernel, with the
 * results of rect-coverage.ts, which handles all records.
 */
import { instantiateKernel } from '../../kernel/instantiate-kernel.ts';
import type { ChipletMemory } from '../../memory/chiplet-memory.ts';
import { mayCoverRect } from './rect-coverage.ts';
import { generateRectCoverageKernel, type RectCoverageRun } from './rect-coverage-kernel.ts';

const LEAST = -(2 ** 31);
const MOST = 2 ** 31 - 1;

/** Tests of the records of one pass at a time. */
export class TriangleCoverage {
  /** Whether a record may cover any sample, by record, after {@link testBoxes}. */
  readonly covers: Uint8Array;
  readonly #memory: ChipletMemory;
  readonly #flagsPtr: number;
  /** Kernels by samples per pixel. */
  readonly #kernels = new Map<number, RectCoverageRun>();
  #sampleCount = 1;
  #test: RectCoverageRun;

  constructor(memory: ChipletMemory) {
    this.#memory = memory;
    this.#flagsPtr = memory.coverageFlagsPtr;
    this.covers = memory.u8.subarray(this.#flagsPtr, this.#flagsPtr + memory.primitiveCapacity);
    this.#test = this.#kernelFor(1);
  }

  /** Selects the samples per pixel of the following records. */
  begin(sampleCount: number): void {
    this.#sampleCount = sampleCount;
    this.#test = this.#kernelFor(sampleCount);
  }

  #kernelFor(sampleCount: number): RectCoverageRun {
    let kernel = this.#kernels.get(sampleCount);
    if (kernel === undefined) {
      const module = generateRectCoverageKernel(this.#memory, sampleCount);
      kernel = instantiateKernel<RectCoverageRun>(module, this.#memory.memory);
      this.#kernels.set(sampleCount, kernel);
    }
    return kernel;
  }

  /** Tests `count` triangles, starting at `record`, within their boxes. */
  testBoxes(record: number, count: number): void {
    if (count > 0) this.#test(record, count, LEAST, LEAST, MOST, MOST, this.#flagsPtr + record);
  }

  /**
   * Returns whether a triangle may cover a sample of a rectangle, bounds inclusive, as `mayCover`
   * does.
   */
  mayCoverRect(record: number, left: number, top: number, right: number, bottom: number): boolean {
    return this.#test(record, 1, left, top, right, bottom, this.#flagsPtr + record) === 1;
  }

  /** Returns whether any record may cover a sample of a rectangle, bounds inclusive. */
  mayCover(record: number, left: number, top: number, right: number, bottom: number): boolean {
    return mayCoverRect(this.#memory, record, left, top, right, bottom, this.#sampleCount);
  }
}
