/** What the service answers with; the OpenAPI document of the service has the same. */
import type { Report } from '@tessera/frame';

export type { Report };

export const FRAME_STATUSES = ['queued', 'running', 'done', 'failed', 'cancelled'] as const;
export type FrameStatusName = (typeof FRAME_STATUSES)[number];

/** Problem details (RFC 9457). */
export interface Problem {
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
}

export interface FrameStatus {
  readonly id: string;
  readonly status: FrameStatusName;
  readonly submittedAt: string;
  readonly model: string;
  readonly options: {
    readonly policy: string;
    readonly bins: number;
    readonly visibility: string;
    readonly timing: 'functional' | 'cycle';
    readonly spec: string | null;
    readonly chiplets: number | null;
  };
  readonly progress: {
    readonly phase: 'waiting' | 'visibility' | 'bins' | 'encoding' | 'over';
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

export interface FrameList {
  readonly frames: readonly FrameStatus[];
  /** Address of the next page. */
  readonly next: string | null;
}

export interface ChipletStatus {
  /** 0 is the visibility chiplet. */
  readonly id: number;
  readonly role: 'visibility' | 'worker';
  readonly spec: { readonly name: string };
  readonly presets: readonly string[];
  readonly isReady: boolean;
  readonly mode: 'idle' | 'visibility' | 'coarse-bin-rendering';
  readonly current: {
    readonly frameId: string;
    readonly passIndex: number;
    /** Null for a visibility phase. */
    readonly binId: number | null;
  } | null;
  readonly pendingRequests: number;
  readonly binsDone: number;
  readonly cyclesDone: number;
  /** Wrong answers and failures at what others rendered; too many of them set it aside. */
  readonly faults: number;
  /** Until when it gets no work, in milliseconds since 1970; null if it does. */
  readonly setAsideUntilMs: number | null;
  /** Whether its bins are used without another chiplet rendering each of them too. */
  readonly isTrusted: boolean;
  /** Number of bins that another chiplet rendered to the same result. */
  readonly agreedBins: number;
}

/** A chiplet that went away. */
export interface ChipletLeft {
  readonly id: number;
  readonly isConnected: false;
}

export interface QueueLoad {
  readonly waiting: number;
  readonly running: number;
}

/** A coarse bin that is done. */
export interface FinishedBin {
  /** Id of the frame, a slash, and more. */
  readonly frameId: string;
  readonly passIndex: number;
  readonly binId: number;
  readonly chiplet: number;
  readonly cycles: number | null;
}

/** The first event of the service's stream. */
export interface Snapshot {
  readonly queue: QueueLoad;
  readonly chiplets: readonly ChipletStatus[];
  readonly frames: readonly FrameStatus[];
}

export interface CounterEntry {
  readonly name: string;
  readonly unit: string;
  readonly meaning: string;
  readonly chipletUnit: string;
  /** Whether it is a greatest value, which does not add up. */
  readonly isMaximum?: boolean;
}

/** A Chrome trace: a process for each chiplet and one for the crosslink, a thread for each unit or channel. */
export interface Timeline {
  readonly traceEvents: readonly TraceEvent[];
}

export interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds; a nanosecond is a simulated cycle. */
  readonly ts?: number;
  readonly dur?: number;
  readonly args: Readonly<Record<string, string | number>>;
}
