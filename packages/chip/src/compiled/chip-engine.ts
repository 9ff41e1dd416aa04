/**
 * What runs a simulated chip, seen from outside: the compiled chip of {@link CompiledChip}, or in tests the same files
 * as they are. Words go in and out as views of its memory.
 */
import { cycleModelCode } from './cycle-model-code.ts';

/** A ring of records with room for more of them. A view: it holds until the next one is asked for. */
export interface RingView {
  readonly words: Int32Array;
  /** Records that it holds, less one. */
  readonly mask: number;
  /** Records written so far. */
  readonly end: number;
}

/** Forms the trace of a vertex warp and appends it; see VertexTraceSource. */
export type VertexTraceMaker = (draw: number, vertices: Int32Array, count: number) => number;

export interface ChipEngine {
  /** Names of the modules, by number. */
  readonly moduleNames: readonly string[];
  /** Starts a run. @param plan Words of PLAN. */
  begin(plan: Int32Array): void;
  /** Makes room for `count` more records. @param ring Of RING. */
  reserve(ring: number, count: number): RingView;
  /** The chip may read records up to `end`. */
  publish(ring: number, end: number): void;
  /** Makes room for so many words of arrays of attributes in all. */
  reserveArrays(count: number): Float64Array;
  /** See Chip. */
  advance(): void;
  finish(outputBytes: number, streamBytes: number): void;
  readonly cycle: number;
  readonly streamEnd: number;
  /** By COUNT. */
  readonly counts: Float64Array;
  /** See Schedule.cycles. */
  readonly stateCycles: Int32Array;
  /** See ActivitySamples. */
  readonly stretchCount: number;
  readonly stretchEnds: Int32Array;
  readonly stretchSums: Int32Array;
}

/** What the compiled chip exports: assembly/chip-exports.ts. */
interface ChipExports {
  readonly memory: WebAssembly.Memory;
  wordsPtr(): number;
  create(maxUnitSpans: number, isNaive: number): void;
  begin(): void;
  advance(): void;
  finish(outputBytes: number, streamBytes: number): void;
  cycle(): number;
  streamEnd(): number;
  reserve(ring: number, count: number): number;
  ringLength(ring: number): number;
  ringMask(ring: number): number;
  ringEnd(ring: number): number;
  publish(ring: number, end: number): void;
  reserveArrays(count: number): number;
  arraysLength(): number;
  countsPtr(): number;
  stateCyclesPtr(): number;
  stretchCount(): number;
  stretchEndsPtr(): number;
  stretchSumsPtr(): number;
  moduleCount(): number;
  moduleName(module: number): number;
}

let compiled: WebAssembly.Module | null = null;

/** Compiled once a thread. */
function cycleModel(): WebAssembly.Module {
  compiled ??= new WebAssembly.Module(cycleModelCode());
  return compiled;
}

export class CompiledChip implements ChipEngine {
  readonly moduleNames: readonly string[];
  readonly #exports: ChipExports;
  readonly #countWords: number;
  #view: Int32Array;

  /**
   * @param spec Words of a TimingSpec. @param countWords Of `counts`.
   * @param maxUnitSpans @param isNaive See Clock. @param module In tests another build of the cycle model.
   * @param isStopped Asked every few thousand cycles: whether the run is to stop. See RunControl.
   */
  constructor(
    spec: Int32Array,
    countWords: number,
    maxUnitSpans: number,
    isNaive: boolean,
    formVertexTrace: VertexTraceMaker,
    module = cycleModel(),
    isStopped: () => boolean = () => false,
  ) {
    const { exports } = new WebAssembly.Instance(module, {
      'chip-exports': {
        formVertexTrace: (draw: number, vertices: number, count: number) =>
          formVertexTrace(draw, this.#words(vertices, count).slice(), count),
        isRunStopped: () => (isStopped() ? 1 : 0),
      },
      env: {
        abort: (message: number) => {
          throw new Error(this.#text(message));
        },
      },
    });
    this.#exports = exports as unknown as ChipExports; // compiled from the file that it describes
    this.#countWords = countWords;
    this.#view = new Int32Array(this.#exports.memory.buffer);
    this.#words(this.#exports.wordsPtr(), spec.length).set(spec);
    this.#exports.create(maxUnitSpans, isNaive ? 1 : 0);
    this.moduleNames = Array.from({ length: this.#exports.moduleCount() }, (_, module) =>
      this.#text(this.#exports.moduleName(module)),
    );
  }

  begin(plan: Int32Array): void {
    this.#words(this.#exports.wordsPtr(), plan.length).set(plan);
    this.#exports.begin();
  }

  reserve(ring: number, count: number): RingView {
    const ptr = this.#exports.reserve(ring, count);
    return {
      words: this.#words(ptr, this.#exports.ringLength(ring)),
      mask: this.#exports.ringMask(ring),
      end: this.#exports.ringEnd(ring),
    };
  }

  publish(ring: number, end: number): void {
    this.#exports.publish(ring, end);
  }

  reserveArrays(count: number): Float64Array {
    const ptr = this.#exports.reserveArrays(count);
    return new Float64Array(this.#exports.memory.buffer, ptr, this.#exports.arraysLength());
  }

  advance(): void {
    this.#exports.advance();
  }

  finish(outputBytes: number, streamBytes: number): void {
    this.#exports.finish(outputBytes, streamBytes);
  }

  get cycle(): number {
    return this.#exports.cycle();
  }

  get streamEnd(): number {
    return this.#exports.streamEnd();
  }

  get counts(): Float64Array {
    const { memory } = this.#exports;
    return new Float64Array(memory.buffer, this.#exports.countsPtr(), this.#countWords);
  }

  get stateCycles(): Int32Array {
    return this.#words(this.#exports.stateCyclesPtr());
  }

  get stretchCount(): number {
    return this.#exports.stretchCount();
  }

  get stretchEnds(): Int32Array {
    return this.#words(this.#exports.stretchEndsPtr());
  }

  get stretchSums(): Int32Array {
    return this.#words(this.#exports.stretchSumsPtr());
  }

  /** Words of the chip's memory from an address on. Memory may have grown, which ends the views of before. */
  #words(ptr: number, count?: number): Int32Array {
    const { buffer } = this.#exports.memory;
    if (this.#view.buffer !== buffer) this.#view = new Int32Array(buffer);
    return this.#view.subarray(ptr >>> 2, count === undefined ? undefined : (ptr >>> 2) + count);
  }

  /** A string of AssemblyScript: UTF-16, its bytes counted in the word before it. */
  #text(ptr: number): string {
    const { buffer } = this.#exports.memory;
    const bytes = new Uint32Array(buffer, ptr - 4, 1)[0]!;
    return String.fromCharCode(...new Uint16Array(buffer, ptr, bytes >> 1));
  }
}
