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
    readonly coupling: 'none' | 'exact';
  };
  readonly progress: {
    readonly done: number;
    readonly total: number;
    readonly secondsLeft: number | null;
  };
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly links: { readonly self: string; readonly csv: string };
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
  readonly policy: string;
  readonly chiplets: number;
  readonly cycles: number;
  readonly simulatedMs: number;
  readonly visibilityCycles: number;
  readonly speedUp: number;
  readonly efficiency: number;
  readonly imbalance: number;
  readonly linkBytes: number;
}

/** A study with its rows. */
export interface Study extends StudyStatus {
  readonly rows: readonly StudyRow[];
}
