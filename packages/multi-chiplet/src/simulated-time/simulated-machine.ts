/** A simulated chiplet that runs on from run to run, as the multi-chiplet layer sees it. */
import type {
  ActivityTracks,
  Counters,
  MemorySharing,
  PlacedTexture,
  RecordedRun,
  RunActivity,
  RunPlace,
  UnitSpan,
} from '@tessera/frame';

/** Activity of a machine. */
export interface MachineActivity {
  readonly cycles: number;
  readonly counters: Counters;
  /** Activity by run, in the order of their ends. */
  readonly runs: readonly RunActivity[];
  readonly spans: readonly UnitSpan[];
  /** Use of shared parts over time, if the timeline was asked for in intervals. */
  readonly tracks?: ActivityTracks | undefined;
}

/** Machine of one chiplet. `@tessera/gpu` has the only one. */
export interface SimulatedMachine {
  /** Upper bound on the runs that the machine should have at a time. */
  readonly maxRuns: number;
  /** Cycles of a message inside its two chiplets; they are counted at the receiver. */
  readonly interfaceCycles: number;
  /** Current cycle: all earlier ones were simulated. */
  readonly cycle: number;
  /** Whether the machine has read all runs and takes another one in this cycle. */
  readonly wantsRun: boolean;
  /** Number of runs that have left the chiplet. */
  readonly leftCount: number;
  /** Returns the cycle in which a run had left the chiplet. */
  leftAt(run: number): number;
  /** Returns the cycle in which the visibility stream of a run leaves; 0 while it is not known. */
  streamLeftAt(run: number): number;
  /** Returns the number of segments of a run's streamed visibility that leave in a known cycle. */
  segmentsSent(run: number): number;
  /** Returns the cycle in which a segment that was counted leaves. */
  segmentLeftAt(run: number, segment: number): number;
  /**
   * Lets the first primitives of a closed run be read from a cycle on that is not simulated; `null`
   * for all and for the end of the run.
   */
  openRun(run: number, primitives: number | null, cycle: number): void;
  /** Returns the number of cycles in which a run waited for segments of its visibility. */
  waitedCyclesOf(run: number): number;
  /**
   * Adds a run in the current cycle.
   *
   * @param pass Number of the run's pass, unique in the simulation.
   * @param place Place of the run if memories are shared.
   * @param isClosed Whether its primitives can be read only when `openRun` lets them.
   * @returns Number of the run.
   */
  feed(run: RecordedRun, pass: number, place?: RunPlace, isClosed?: boolean): number;
  /** Number of words of the traces of fragments that the machine has got with its runs. */
  readonly traceWordCount: number;
  /** Number of address spaces. */
  readonly spaceCount: number;
  /** Removes the lines of an address space from all caches. */
  dropSpace(space: number): void;
  /** Stores lines that arrive over the link, from a cycle on that the machine has not simulated. */
  storeArrival(lineCount: number, cycle: number): void;
  /** Number of arrivals that are stored. */
  readonly storedCount: number;
  /** Returns the cycle after which an arrival was stored. */
  storedAt(arrival: number): number;
  /** Returns the homes of a pass's textures in words, the same for all machines. */
  layOutTextures(textures: readonly PlacedTexture[]): Int32Array;
  /** Sets the homes of the textures of a space, as `layOutTextures` returns them. */
  placeTextures(space: number, homes: Int32Array): void;
  /** Whether nothing happens before the machine gets a run or a message. */
  readonly isIdle: boolean;
  /** Bytes of the header of each message to another machine. */
  readonly messageHeaderBytes: number;
  /**
   * Returns the messages to other machines since the last call, in the order of their cycles, in
   * words of REMOTE. They are valid until the machine advances.
   */
  takeMessages(): Int32Array;
  /**
   * Delivers requests and replies, each in the order of their cycles, which the machine has not
   * simulated. Words are those of REMOTE, whose `chiplet` is the sender.
   */
  deliver(requests: Int32Array, replies: Int32Array): void;
  /** Reports the units that wait for each other. @throws {Error} Always. */
  failAsleep(): void;
  /**
   * Simulates up to cycle `until`. Returns earlier when a run is wanted, has left, or the end of
   * its stream became known, when an arrival is stored, and when activity is sampled.
   */
  advance(until: number): void;
  /** Notes that a run has left the chiplet, or the streams of a visibility phase have. */
  noteEnd(isVisibility: boolean): void;
  /** Ends the machine's work. */
  finish(): MachineActivity;
}

/**
 * Creates the machine of a chiplet, which may share its memory. `timelineCycles` is the length of
 * the intervals in which it samples its activity.
 */
export type MachineMaker = (sharing?: MemorySharing, timelineCycles?: number) => SimulatedMachine;
