/** Studies as the service returns them. */

export interface StudyStatus {
  readonly id: string;
  readonly title: string;
  readonly status: 'running' | 'done' | 'failed' | 'cancelled';
  readonly submittedAt: string;
  readonly sweep: {
    readonly frames: readonly string[];
    readonly chiplets: readonly number[];
    readonly policies: readonly string[];
    readonly bins: readonly number[];
    readonly visibility: readonly string[];
    /** Ways to share a frame; empty for those of the frames. */
    readonly organizations: readonly string[];
    readonly visibilityChiplets: readonly number[];
    readonly visibilityDelivery: readonly string[];
    /** Values by swept hardware parameter. */
    readonly parameters: Readonly<Record<string, readonly (number | boolean | string)[]>>;
    readonly coupling: 'none' | 'exact';
    /** Technologies of the energy of the rows; null or missing if they have none. */
    readonly energy?: object | null | undefined;
  };
  readonly progress: {
    readonly done: number;
    readonly total: number;
    readonly secondsLeft: number | null;
  };
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly links: {
    readonly self: string;
    readonly csv: string;
    readonly parquet: string;
    readonly rows: string;
    readonly series: string;
    /** Plots by their figures. */
    readonly plots: Readonly<Record<string, string>>;
  };
}

/** Measurement of one frame with one combination of parameters. */
export interface StudyRow {
  readonly frame: string;
  readonly scene: string;
  readonly spec: string;
  /** Values of the swept hardware parameters. */
  readonly settings?: Readonly<Record<string, number | boolean | string>> | undefined;
  readonly bins: number;
  readonly visibility: string;
  readonly organization: string;
  readonly visibilityChiplets: number;
  readonly visibilityDelivery: string;
  readonly policy: string;
  readonly chiplets: number;
  readonly cycles: number;
  readonly simulatedMs: number;
  readonly visibilityCycles: number;
  readonly speedUp: number;
  readonly efficiency: number;
  readonly imbalance: number;
  readonly linkBytes: number;
  /** Energy, power and energy × delay, which only some studies have. */
  readonly energyTypicalPj?: number | undefined;
  readonly powerTypicalMw?: number | undefined;
  readonly energyDelayTypicalPjS?: number | undefined;
}

/** Page of the rows of a study. */
export interface RowPage {
  /** Number of the first row. */
  readonly from: number;
  /** Rows of the study when it is done. */
  readonly total: number;
  /** Number of the first row of the next page; null on the last page. */
  readonly next: number | null;
  /** Rows that exist, with their numbers in the study. */
  readonly rows: readonly (StudyRow & { readonly number: number })[];
}

/** Line of a plot. */
export interface Series {
  readonly name: string;
  /** Points by position on the horizontal axis. */
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

/** Lines of a plot of a study. */
export interface StudySeries {
  readonly figure: string;
  readonly over: string;
  /** Whether points are geometric means over the frames. */
  readonly isMean: boolean;
  /** Number of lines with those that are left out. */
  readonly lineCount: number;
  readonly lines: readonly Series[];
}
