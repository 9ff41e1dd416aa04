/** Answers of the service. Its OpenAPI document has the same types. */
import type { Report } from '@tessera/frame';

export type { Report };

/** Statuses of a frame. */
export const FRAME_STATUSES = ['queued', 'running', 'done', 'failed', 'cancelled'] as const;
/** Name of a status of {@link FRAME_STATUSES}. */
export type FrameStatusName = (typeof FRAME_STATUSES)[number];

/** Problem details (RFC 9457). */
export interface Problem {
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
}

/** Status of one frame. */
export interface FrameStatus {
  readonly id: string;
  readonly status: FrameStatusName;
  readonly submittedAt: string;
  readonly name: string;
  readonly tags: readonly string[];
  /** Kind and size of the posted file. */
  readonly model: string;
  readonly options: {
    readonly policy: string;
    readonly bins: number;
    readonly visibility: string;
    readonly timing: 'functional' | 'cycle';
    readonly coupling: 'none' | 'exact';
    readonly spec: string;
    readonly organization: string;
    readonly visibilityChiplets: number;
    readonly visibilityDelivery: string;
    readonly chiplets: number | null;
  };
  readonly progress: {
    readonly phase: 'waiting' | 'visibility' | 'bins' | 'simulation' | 'encoding' | 'over';
    readonly binsDone: number;
    readonly binCount: number;
  };
  readonly warnings: readonly string[];
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly links: {
    readonly self: string;
    readonly image: string;
    readonly report: string;
    readonly timeline: string;
  };
}

/** One page of the list of frames. */
export interface FrameList {
  readonly frames: readonly FrameStatus[];
  /** Address of the next page. */
  readonly next: string | null;
}

/** Status of a connected chiplet. */
export interface ChipletStatus {
  /** Number of the chiplet; 0 is the visibility chiplet. */
  readonly id: number;
  readonly role: 'visibility' | 'worker';
  readonly isReady: boolean;
  readonly mode: 'idle' | 'visibility' | 'coarse-bin-rendering';
  readonly current: {
    readonly frameId: string;
    readonly passIndex: number;
    /** Bin in progress; null for a visibility phase. */
    readonly binId: number | null;
  } | null;
  readonly pendingRequests: number;
  readonly binsDone: number;
  readonly cyclesDone: number;
  /**
   * Number of wrong answers and of failures on work that other chiplets completed. Too many of them
   * quarantine the chiplet.
   */
  readonly faults: number;
  /** End of the quarantine in milliseconds since 1970; null if the chiplet receives work. */
  readonly setAsideUntilMs: number | null;
  /** Whether its bins are used without being rendered by another chiplet too. */
  readonly isTrusted: boolean;
  /** Number of bins that another chiplet rendered with the same result. */
  readonly agreedBins: number;
}

/** A chiplet that disconnected. */
export interface ChipletLeft {
  readonly id: number;
  readonly isConnected: false;
}

/** Load of the frame queue. */
export interface QueueLoad {
  readonly waiting: number;
  readonly running: number;
}

/** A finished coarse bin. */
export interface FinishedBin {
  /** Id of the frame, followed by a slash and the rendering. */
  readonly frameId: string;
  readonly passIndex: number;
  readonly binId: number;
  readonly chiplet: number;
  readonly cycles: number | null;
}

/** Numbers of a cluster, from a gateway. */
export interface ClusterStats {
  readonly waitingUnits: number;
  readonly runningUnits: number;
  readonly resultCount: number;
  readonly violationCount: number;
  readonly cells: readonly {
    readonly name: string;
    readonly version: string;
    readonly lastBeatMs: number;
    readonly unitsInHand: number;
  }[];
  readonly tenants: readonly {
    readonly name: string;
    readonly openUnits: number;
    readonly virtualMs: number;
  }[];
}

/** First event of the service's stream. */
export interface Snapshot {
  readonly queue: QueueLoad;
  readonly chiplets: readonly ChipletStatus[];
  readonly frames: readonly FrameStatus[];
  /** Numbers of the cluster; of a gateway only. */
  readonly cluster?: ClusterStats;
}

/** Unit and meaning of one counter. */
export interface CounterEntry {
  readonly name: string;
  readonly unit: string;
  readonly meaning: string;
  readonly chipletUnit: string;
  /** Whether it is a maximum, which is not summed. */
  readonly isMaximum?: boolean;
}

/**
 * A Chrome trace with a process per chiplet and one for the crosslink, and a thread per unit or
 * channel.
 */
export interface Timeline {
  readonly traceEvents: readonly TraceEvent[];
}

/** Event of a Chrome trace. */
export interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Start in microseconds; a nanosecond is a simulated cycle. `C` has no duration. */
  readonly ts?: number;
  readonly dur?: number;
  readonly args: Readonly<Record<string, string | number>>;
}
