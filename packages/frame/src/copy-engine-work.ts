/**
 * Work of a chiplet's copy engine, which moves data in local memory besides rendering: resources
 * that arrive are stored, mipmap levels are generated, samples of bins are resolved, and parts of
 * targets are copied to textures.
 * The time of each depends on the specification and its size alone.
 */
import type { Counters } from './counters.ts';

/** Copy from a target to a texture after a pass. */
export interface CopySize {
  /** Bytes of the source, with all its samples. */
  readonly readBytes: number;
  readonly writtenBytes: number;
}

/** Cycles and counters of the copy engine's work on one resource or copy, which runs alone. */
export interface CopyTiming {
  readonly cycles: number;
  /** Cycles with each of the frame's alternative specifications; missing if there are none. */
  readonly alternativeCycles?: readonly number[] | undefined;
  readonly counters: Counters;
}

/** Work for a pass, as indices in a list of timings. */
export interface CopyEngineWork {
  /** Timings, each once. */
  readonly timings: readonly CopyTiming[];
  /** Storing a resource: the buffers of the pass, then its textures. */
  readonly stores: readonly number[];
  /** Generating the mipmap levels of a texture; −1 for textures without generated levels. */
  readonly mipmaps: readonly number[];
  /** The copies of the frame's commands. */
  readonly copies: readonly number[];
  /** Resolving the whole target of a pass whose bins are resolved; missing for other passes. */
  readonly resolve?: number | undefined;
}
