/**
 * Types and operations of the service, made from its OpenAPI document by scripts/generate-client.ts. One file, long
 * because the interface is; not to be edited.
 */

/** A posted frame */
export type FrameStatus = {
  readonly id: string;
  readonly status: 'queued' | 'running' | 'done' | 'failed' | 'cancelled';
  readonly submittedAt: string;

  /** Kind and size of what was posted */
  readonly model: string;

  /** What the query asked for */
  readonly options: {
    readonly policy: string;
    readonly bins: number;
    readonly visibility: string;
    readonly timing: 'functional' | 'cycle';
    readonly spec: null | string;
    readonly chiplets: null | number;
  };
  readonly progress: {
    readonly phase: 'waiting' | 'visibility' | 'bins' | 'encoding' | 'over';
    readonly binsDone: number;
    readonly binCount: number;
  };

  /** What of the model is not drawn as meant; what replaying a capture passed over or assumed */
  readonly warnings: readonly string[];
  readonly error: null | { readonly code: string; readonly message: string };
  readonly links: {
    readonly self: string;
    readonly image: string;
    readonly timeline: string;
    readonly report: string;
    readonly events: string;
  };
};

/** Problem details, RFC 9457 */
export type Problem = {
  /** urn:tessera:problem: and the code */
  readonly type: string;

  /** What the code means */
  readonly title: string;
  readonly status: number;

  /** What is wrong here: place, value, what is allowed */
  readonly detail: string;
  readonly code:
    | 'REQUEST_INVALID'
    | 'UNAUTHENTICATED'
    | 'ORIGIN_REFUSED'
    | 'REQUEST_TIMEOUT'
    | 'RATE_LIMITED'
    | 'HEADERS_TOO_LARGE'
    | 'TOO_MANY_CONNECTIONS'
    | 'TOO_MANY_STREAMS'
    | 'TOO_MANY_COMPUTATIONS'
    | 'TOO_MANY_SEQUENCES'
    | 'FRAME_INVALID'
    | 'FRAME_UNSUPPORTED'
    | 'MODEL_INVALID'
    | 'MODEL_UNSUPPORTED'
    | 'LIMIT_EXCEEDED'
    | 'SHADER_COMPILE_FAILED'
    | 'SHADER_BUDGET_EXCEEDED'
    | 'MEDIA_TYPE_UNSUPPORTED'
    | 'NOT_ACCEPTABLE'
    | 'RESOURCES_MISSING'
    | 'NOT_FOUND'
    | 'RESULT_NOT_READY'
    | 'RESULT_DAMAGED'
    | 'SOURCE_DAMAGED'
    | 'IDEMPOTENCY_KEY_REUSED'
    | 'FRAME_CANCELLED'
    | 'QUEUE_FULL'
    | 'UPLOADS_FULL'
    | 'STORAGE_FULL'
    | 'CHIPLET_LOST'
    | 'CHIPLET_TIMEOUT'
    | 'CHIPLETS_DISAGREE'
    | 'FRAME_KILLS_CHIPLETS'
    | 'FRAME_KILLS_COORDINATOR'
    | 'FRAME_TIMEOUT'
    | 'NO_CHIPLETS'
    | 'SHUTTING_DOWN'
    | 'INTERNAL';

  /** Path of the request */
  readonly instance: string;

  /** With RESOURCES_MISSING: the SHA-256 of all that the service does not have */
  readonly missing?: readonly string[];
};

/** The account of one frame */
export type Report = {
  readonly reportVersion: 1;
  readonly frame: { readonly sha256: string; readonly widthPx: number; readonly heightPx: number };
  readonly image: {
    /** Of the RGBA bytes */
    readonly sha256: string;
  };
  readonly timing: 'functional' | 'cycle';
  readonly spec: {
    readonly name: string;
    readonly fineBinPx: number;
    readonly clockHz: number;
    readonly parameters: {};
  };
  readonly policy: string;
  readonly totals: {
    readonly cycles: null | number;
    readonly simulatedMs: null | number;
    readonly vertices: number;
    readonly primitives: number;
    readonly fragments: number;
  };
  readonly visibility: {
    readonly cycles: null | number;
    readonly shader: 'minimal' | 'full' | 'auto';
    readonly verticesShaded: number;
    readonly instructionsExecuted: number;
    readonly primitivesIn: number;
    readonly culled: {
      readonly outsideView: number;
      readonly face: number;
      readonly zeroArea: number;
      readonly noSample: number;
      readonly occluded: number;
    };
    readonly earlyBins: number;
    readonly primitivesListed: number;
    readonly streamBytes: number;
    readonly tightness: null | number;
  };
  readonly bins: readonly {
    readonly passIndex: number;
    readonly id: number;
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
    readonly chiplet: number;
    readonly isEarly: boolean;
    readonly startCycle: null | number;
    readonly endCycle: null | number;
    readonly primitives: number;
    readonly fragments: number;
    readonly estimatedCost: number;
  }[];
  readonly chiplets: readonly {
    readonly id: number;
    readonly modes: readonly string[];
    readonly binCount: number;
    readonly estimatedCost: number;
    readonly busyCycles: null | number;
    readonly idleCycles: null | number;
    readonly idleShare: null | number;
    readonly memory: {
      readonly bytes: number;
      readonly achievedBytesPerCycle: number;
      readonly peakBytesPerCycle: number;
      readonly utilization: number;
    } | null;

    /** By name, see GET /v1/counters; a counter that did not move is left out */
    readonly counters: {};
  }[];
  readonly assignment: {
    readonly unit: 'estimatedCost' | 'cycles';

    /** What tells when a chiplet is free */
    readonly clock: 'cycles' | 'estimate';
    readonly prediction: 'none' | 'estimate' | 'history' | 'mixed';
    readonly predictionError: null | number;
    readonly steps: number;
    readonly cycles: null | number;
    readonly makespanCycles: null | number;
    readonly lowerBoundCycles: null | number;
    readonly imbalance: number;
  };
  readonly link: {
    readonly topology: string;
    readonly bytesPerCycle: number;
    readonly latencyCycles: number;
    readonly bytes: number;
    readonly cycles: null | number;

    /** By kind: commands, resources, streams, targets, bins */
    readonly transfers: {};
  };
  readonly passes: readonly {
    readonly draws: number;
    readonly bins: number;
    readonly target: 'screen' | 'texture';
    readonly textureIndex: number | null;
    readonly widthPx: number;
    readonly heightPx: number;
    readonly bytesExchanged: number;
    readonly startCycle: null | number;
    readonly visibilityCycles: null | number;
    readonly cycles: null | number;
  }[];

  /** Wall-clock figures, the only part that differs between two runs */
  readonly wall: {
    readonly prepareMs: number;
    readonly visibilityMs: number;
    readonly binsMs: number;
    readonly totalMs: number;
    readonly retriedBins: number;

    /** Bins that two chiplets or more rendered, with the same result */
    readonly checkedBins: number;
  };
};

/** A study and the rows of all that was measured so far */
export type Study = {
  readonly id: string;
  readonly title: string;
  readonly status: 'running' | 'done' | 'failed' | 'cancelled';
  readonly submittedAt: string;
  readonly sweep: {
    readonly frames: readonly string[];
    readonly chiplets: readonly number[];
    readonly policies: readonly string[];
    readonly specs: readonly (null | string)[];
    readonly bins: readonly number[];
    readonly visibility: readonly string[];
  };
  readonly progress: {
    /** Frames that were rendered for it */
    readonly done: number;
    readonly total: number;

    /** At the pace so far; null before the first */
    readonly secondsLeft: null | number;
  };
  readonly error: null | { readonly code: string; readonly message: string };
  readonly links: {
    readonly self: string;
    readonly csv: string;
    readonly events: string;
    readonly plots: {};
  };
  readonly rows: readonly {
    readonly frame: string;
    readonly model: string;
    readonly spec: string;
    readonly bins: number;
    readonly visibility: string;
    readonly policy: string;
    readonly chiplets: number;
    readonly cycles: number;
    readonly simulatedMs: number;

    /** Of all visibility phases */
    readonly visibilityCycles: number;

    /** Cycles on one chiplet ÷ cycles */
    readonly speedup: number;

    /** Speed-up ÷ chiplets; best 1 */
    readonly efficiency: number;

    /** Longest share of the bins ÷ mean share; best 1 */
    readonly imbalance: number;
    readonly linkBytes: number;
    readonly imageSha256: string;
  }[];
};

/** A study without its rows */
export type StudyStatus = {
  readonly id: string;
  readonly title: string;
  readonly status: 'running' | 'done' | 'failed' | 'cancelled';
  readonly submittedAt: string;
  readonly sweep: {
    readonly frames: readonly string[];
    readonly chiplets: readonly number[];
    readonly policies: readonly string[];
    readonly specs: readonly (null | string)[];
    readonly bins: readonly number[];
    readonly visibility: readonly string[];
  };
  readonly progress: {
    /** Frames that were rendered for it */
    readonly done: number;
    readonly total: number;

    /** At the pace so far; null before the first */
    readonly secondsLeft: null | number;
  };
  readonly error: null | { readonly code: string; readonly message: string };
  readonly links: {
    readonly self: string;
    readonly csv: string;
    readonly events: string;
    readonly plots: {};
  };
};

/** What each operation takes and gives, by its name. */
export interface Operations {
  /** Cancel a frame that is not finished, forget one that is */
  deleteFrame: {
    readonly parameters: {
      /** As given by POST /v1/frames */
      readonly id: string;
    };
    readonly body: null;
    readonly answer: { readonly status: 204; readonly mediaType: null; readonly value: null };
  };

  /** Cancel a sequence that is not finished, forget one that is; its frames stay */
  deleteSequence: {
    readonly parameters: {
      /** As given by POST /v1/sequences */
      readonly id: string;
    };
    readonly body: null;
    readonly answer: { readonly status: 204; readonly mediaType: null; readonly value: null };
  };

  /** Cancel a study that is not over, forget one that is */
  deleteStudy: {
    readonly parameters: {
      /** As given by POST /v1/studies */
      readonly id: string;
    };
    readonly body: null;
    readonly answer: { readonly status: 204; readonly mediaType: null; readonly value: null };
  };

  /** How far a frame is */
  getFrame: {
    readonly parameters: {
      /** As given by POST /v1/frames */
      readonly id: string;
    };
    readonly body: null;
    readonly answer: {
      readonly status: 200;
      readonly mediaType: 'application/json';
      readonly value: FrameStatus;
    };
  };

  /** The picture of a frame, of one of its passes, or of its bins */
  getFrameImage: {
    readonly parameters: {
      /** What this pass left in its target; without it what is on the screen in the end */
      readonly target?: number;

      /** Draws the coarse bins over it, coloured by who rendered them or by their cost */
      readonly bins?: 'owner' | 'cost';

      /** As given by POST /v1/frames */
      readonly id: string;
    };
    readonly body: null;
    readonly answer:
      | { readonly status: 200; readonly mediaType: 'image/png'; readonly value: Uint8Array }
      | { readonly status: 304; readonly mediaType: null; readonly value: null };
  };

  /** The report of a frame */
  getFrameReport: {
    readonly parameters: {
      /** As given by POST /v1/frames */
      readonly id: string;
    };
    readonly body: null;
    readonly answer:
      | { readonly status: 200; readonly mediaType: 'application/json'; readonly value: Report }
      | { readonly status: 304; readonly mediaType: null; readonly value: null };
  };

  /** Phases, bins, transfers and how busy units were, as a Chrome trace; opens in Perfetto */
  getFrameTimeline: {
    readonly parameters: {
      /** As given by POST /v1/frames */
      readonly id: string;
    };
    readonly body: null;
    readonly answer:
      | {
          readonly status: 200;
          readonly mediaType: 'application/json';
          readonly value: {
            readonly displayTimeUnit: 'ns';
            readonly otherData: {};
            readonly traceEvents: readonly {
              readonly name: string;
              readonly ph: string;
              readonly pid: number;
              readonly tid: number;

              /** Microseconds; 1 ns is 1 simulated cycle */
              readonly ts?: number;
              readonly dur?: number;
              readonly args: {};
            }[];
          };
        }
      | { readonly status: 304; readonly mediaType: null; readonly value: null };
  };

  /** Metrics for Prometheus */
  getMetrics: {
    readonly parameters: Readonly<Record<string, never>>;
    readonly body: null;
    readonly answer: {
      readonly status: 200;
      readonly mediaType: 'text/plain';
      readonly value: string;
    };
  };

  /** How far a sequence is */
  getSequence: {
    readonly parameters: {
      /** As given by POST /v1/sequences */
      readonly id: string;
    };
    readonly body: null;
    readonly answer: {
      readonly status: 200;
      readonly mediaType: 'application/json';
      readonly value: {
        readonly id: string;
        readonly status: 'running' | 'done' | 'failed' | 'cancelled';
        readonly submittedAt: string;
        readonly title: string;
        readonly frameCount: number;

        /** Addresses of the frames that were admitted */
        readonly frames: readonly string[];
        readonly error: null | { readonly code: string; readonly message: string };
        readonly links: {
          readonly self: string;
          readonly report: string;
          readonly timeline: string;
          readonly images: string;
        };
      };
    };
  };

  /** The pictures of all frames and the report in one archive */
  getSequenceImages: {
    readonly parameters: {
      /** As given by POST /v1/sequences */
      readonly id: string;
    };
    readonly body: null;
    readonly answer: {
      readonly status: 200;
      readonly mediaType: 'application/zip';
      readonly value: Uint8Array;
    };
  };

  /** Latency of each frame, frames per time, idle time that overlap filled */
  getSequenceReport: {
    readonly parameters: {
      /** As given by POST /v1/sequences */
      readonly id: string;
    };
    readonly body: null;
    readonly answer: {
      readonly status: 200;
      readonly mediaType: 'application/json';
      readonly value: {
        readonly sequenceVersion: 1;
        readonly timing: string;

        /** As in the report of a frame */
        readonly spec: unknown;
        readonly policy: string;
        readonly overlap: string;
        readonly framesInFlight: number;
        readonly totals: {
          readonly frames: number;
          readonly cycles: null | number;
          readonly simulatedMs: null | number;
        };
        readonly frames: readonly {
          readonly index: number;
          readonly frameSha256: string;
          readonly imageSha256: string;
          readonly startCycle: null | number;
          readonly visibilityStartCycle: null | number;
          readonly visibilityEndCycle: null | number;
          readonly firstBinCycle: null | number;
          readonly endCycle: null | number;
          readonly latencyCycles: null | number;

          /** What the assignment of bins went by */
          readonly prediction: string;
        }[];
        readonly steadyState: null | {
          readonly firstFrame: number;
          readonly lastFrame: number;
          readonly cyclesPerFrame: number;
          readonly framesPerSecond: number;

          /** Over one chiplet */
          readonly speedUp: number;
          readonly serialFraction: number;

          /** min(N, 1/s) */
          readonly speedUpBound: number;
        };
        readonly chiplets: readonly {
          readonly id: number;
          readonly busyCycles: null | number;
          readonly idleCycles: null | number;
          readonly idleShare: null | number;
        }[];
        readonly withoutOverlap: {
          readonly cycles: null | number;
          readonly idleCycles: null | number;
          readonly cyclesPerFrame: null | number;
        };
        readonly idleCyclesFilled: null | number;

        /** As in the report of a frame */
        readonly link: unknown;
        readonly wall: { readonly totalMs: number; readonly retriedBins: number };
      };
    };
  };

  /** Phases, bins and transfers of all frames as a Chrome trace; opens in Perfetto */
  getSequenceTimeline: {
    readonly parameters: {
      /** As given by POST /v1/sequences */
      readonly id: string;
    };
    readonly body: null;
    readonly answer: {
      readonly status: 200;
      readonly mediaType: 'application/json';
      readonly value: {
        readonly displayTimeUnit: 'ns';
        readonly otherData: {};
        readonly traceEvents: readonly {
          readonly name: string;
          readonly ph: string;
          readonly pid: number;
          readonly tid: number;

          /** Microseconds; 1 ns is 1 simulated cycle */
          readonly ts?: number;
          readonly dur?: number;
          readonly args: {};
        }[];
      };
    };
  };

  /** Whether this service asks for a token, and whether the client has a session */
  getSession: {
    readonly parameters: Readonly<Record<string, never>>;
    readonly body: null;
    readonly answer: {
      readonly status: 200;
      readonly mediaType: 'application/json';
      readonly value: {
        /** Whether requests need a token or a session */
        readonly isRequired: boolean;
        readonly isSignedIn: boolean;
      };
    };
  };

  /** How far a study is, and its rows so far */
  getStudy: {
    readonly parameters: {
      /** As given by POST /v1/studies */
      readonly id: string;
    };
    readonly body: null;
    readonly answer: {
      readonly status: 200;
      readonly mediaType: 'application/json';
      readonly value: Study;
    };
  };

  /** The rows so far as CSV */
  getStudyCsv: {
    readonly parameters: {
      /** As given by POST /v1/studies */
      readonly id: string;
    };
    readonly body: null;
    readonly answer: {
      readonly status: 200;
      readonly mediaType: 'text/csv';
      readonly value: string;
    };
  };

  /** A figure over the number of chiplets, as SVG */
  getStudyPlot: {
    readonly parameters: {
      readonly id: string;
      readonly plot: 'speedup' | 'cycles' | 'efficiency' | 'imbalance';
    };
    readonly body: null;
    readonly answer: {
      readonly status: 200;
      readonly mediaType: 'image/svg+xml';
      readonly value: string;
    };
  };

  /** Whether the process answers */
  isLive: {
    readonly parameters: Readonly<Record<string, never>>;
    readonly body: null;
    readonly answer: {
      readonly status: 200;
      readonly mediaType: 'application/json';
      readonly value: { readonly status: 'ok' };
    };
  };

  /** Whether a frame that is posted now can be rendered now */
  isReady: {
    readonly parameters: Readonly<Record<string, never>>;
    readonly body: null;
    readonly answer: {
      readonly status: 200;
      readonly mediaType: 'application/json';
      readonly value: { readonly status: 'ok' };
    };
  };

  /** The chiplets that are connected */
  listChiplets: {
    readonly parameters: Readonly<Record<string, never>>;
    readonly body: null;
    readonly answer: {
      readonly status: 200;
      readonly mediaType: 'application/json';
      readonly value: {
        readonly chiplets: readonly {
          /** 0 is the visibility chiplet */
          readonly id: number;
          readonly role: 'visibility' | 'worker';
          readonly instance: string;
          readonly spec: {
            readonly name: string;
            readonly fineBinPx: number;
            readonly clockHz: number;
            readonly parameters: {};
          };

          /** What a frame may ask for by `spec` */
          readonly presets: readonly string[];

          /** Takes part in the next frame */
          readonly isReady: boolean;
          readonly mode: 'idle' | 'visibility' | 'coarse-bin-rendering';

          /** What it works at; without a bin a visibility phase */
          readonly current: null | {
            /** A rendering: id of the frame, a slash, and more */
            readonly frameId: string;
            readonly passIndex: number;
            readonly binId: null | number;
          };
          readonly pendingRequests: number;

          /** Since it connected */
          readonly binsDone: number;

          /** Simulated cycles since it connected */
          readonly cyclesDone: number;

          /** Wrong or needless answers, and failures at what others rendered; three set it aside */
          readonly faults: number;

          /** Until when it gets no work, in milliseconds since 1970 */
          readonly setAsideUntilMs: null | number;

          /** Whether its bins are used without another chiplet rendering each of them too */
          readonly isTrusted: boolean;

          /** Bins that another chiplet rendered to the same result, since it connected or was quarantined */
          readonly agreedBins: number;
        }[];
      };
    };
  };

  /** The catalogue of counters */
  listCounters: {
    readonly parameters: Readonly<Record<string, never>>;
    readonly body: null;
    readonly answer: {
      readonly status: 200;
      readonly mediaType: 'application/json';
      readonly value: {
        readonly counters: readonly {
          readonly name: string;

          /** What one count is */
          readonly unit: string;

          /** When it goes up by one */
          readonly meaning: string;

          /** The unit of the chiplet that counts it */
          readonly chipletUnit: string;
        }[];
      };
    };
  };

  /** Frames, the newest first */
  listFrames: {
    readonly parameters: {
      readonly status?: 'queued' | 'running' | 'done' | 'failed' | 'cancelled';
      readonly policy?:
        | 'static'
        | 'dynamic'
        | 'static-blocks'
        | 'static-interleaved'
        | 'static-diagonal'
        | 'static-morton'
        | 'dynamic-least-loaded'
        | 'dynamic-longest-first'
        | 'dynamic-pull'
        | 'dynamic-history';

      /** Posted at this date and time (ISO 8601) or later */
      readonly from?: string;

      /** Part of what was posted */
      readonly search?: string;
      readonly limit?: number;

      /** Of `next` of the page before */
      readonly cursor?: number;
    };
    readonly body: null;
    readonly answer: {
      readonly status: 200;
      readonly mediaType: 'application/json';
      readonly value: {
        readonly frames: readonly FrameStatus[];

        /** Address of the next page; null on the last */
        readonly next: null | string;
      };
    };
  };

  /** Sequences that are kept, the newest first */
  listSequences: {
    readonly parameters: {
      readonly limit?: number;

      /** Of `next` of the page before */
      readonly cursor?: number;
    };
    readonly body: null;
    readonly answer: {
      readonly status: 200;
      readonly mediaType: 'application/json';
      readonly value: {
        /** Address of the next page; null on the last */
        readonly next: null | string;
        readonly sequences: readonly {
          readonly id: string;
          readonly status: 'running' | 'done' | 'failed' | 'cancelled';
          readonly submittedAt: string;
          readonly title: string;
          readonly frameCount: number;

          /** Addresses of the frames that were admitted */
          readonly frames: readonly string[];
          readonly error: null | { readonly code: string; readonly message: string };
          readonly links: {
            readonly self: string;
            readonly report: string;
            readonly timeline: string;
            readonly images: string;
          };
        }[];
      };
    };
  };

  /** Studies, the newest first */
  listStudies: {
    readonly parameters: Readonly<Record<string, never>>;
    readonly body: null;
    readonly answer: {
      readonly status: 200;
      readonly mediaType: 'application/json';
      readonly value: { readonly studies: readonly StudyStatus[] };
    };
  };

  /** Render a model, a frame of an OpenGL program, or a native frame */
  postFrame: {
    readonly parameters: {
      /** In pixels; 1280 for a model. Not with a capture, which has its window’s size */
      readonly width?: number;

      /** In pixels; 720 for a model. Not with a capture */
      readonly height?: number;

      /** How coarse bins are assigned to chiplets; changes the report, never the picture */
      readonly policy?:
        | 'static'
        | 'dynamic'
        | 'static-blocks'
        | 'static-interleaved'
        | 'static-diagonal'
        | 'static-morton'
        | 'dynamic-least-loaded'
        | 'dynamic-longest-first'
        | 'dynamic-pull'
        | 'dynamic-history';

      /** Coarse bins wanted; small pictures get fewer */
      readonly bins?: number;

      /** Instead of `bins`: 2x2 (columns × rows), 32 (bins), 8/chiplet, or auto */
      readonly grid?: string;

      /** How often the costliest bin is halved after the visibility phase */
      readonly split?: number;

      /** Vertex shader of the visibility phase: what positions need, all of it, or the cheaper for the pass */
      readonly visibility?: 'minimal' | 'full' | 'auto';

      /** The visibility phase leaves out what lies behind earlier primitives */
      readonly occlusion?: boolean;

      /** functional: picture and counters, figures in cycles are null; cycle: every unit to the cycle */
      readonly timing?: 'functional' | 'cycle';

      /** Preset of the simulated chiplet, see GET /v1/chiplets; without it the one that the service was started with */
      readonly spec?: string;

      /** Chiplets of the simulated GPU, the visibility chiplet among them; without it those that are connected. Where more are asked for than are connected they share processes, which changes no result */
      readonly chiplets?: number;

      /** How chiplets are joined; without it as the service was started, bus by default */
      readonly linkTopology?: 'bus' | 'ring' | 'full';

      /** Of the crosslink, bytes per cycle: a channel carries in one direction; without it as the service was started, 256 by default */
      readonly linkBytesPerCycle?: number;

      /** Of the crosslink, cycles: from a byte sent to the byte received, over one channel; without it as the service was started, 32 by default */
      readonly linkLatencyCycles?: number;

      /** When chiplet 0 turns to the next visibility phase, of a pass or frame: when all before is done, after its own bins, or as soon as it may; visibility-first without it */
      readonly overlap?: 'none' | 'after-own-bins' | 'visibility-first';

      /** Which of the model’s cameras; without it the first, or one that frames the model */
      readonly camera?: number;

      /** Point in time of the model’s animation in seconds; 0 without it */
      readonly time?: number;

      /** Which frame of the capture, counted in buffer swaps from 0; 0 without it */
      readonly frame?: number;

      /** Names the request: sent again under the same key it gives the same frame */
      readonly 'idempotency-key'?: string;
    };
    readonly body:
      | { readonly mediaType: 'model/gltf-binary'; readonly value: Uint8Array | string }
      | { readonly mediaType: 'model/gltf+json'; readonly value: Uint8Array | string }
      | { readonly mediaType: 'application/vnd.apitrace'; readonly value: Uint8Array | string }
      | {
          readonly mediaType: 'application/vnd.tessera.frame+msgpack';
          readonly value: Uint8Array | string;
        }
      | { readonly mediaType: 'application/json'; readonly value: Uint8Array | string }
      | { readonly mediaType: 'multipart/form-data'; readonly value: Uint8Array | string };
    readonly answer:
      | { readonly status: 200; readonly mediaType: 'image/png'; readonly value: Uint8Array }
      | { readonly status: 200; readonly mediaType: 'application/json'; readonly value: Report }
      | {
          readonly status: 202;
          readonly mediaType: 'application/json';
          readonly value: FrameStatus;
        };
  };

  /** Render frames in order, or account for frames that were rendered */
  postSequence: {
    readonly parameters: {
      /** In pixels; 1280 for a model. Not with a capture, which has its window’s size */
      readonly width?: number;

      /** In pixels; 720 for a model. Not with a capture */
      readonly height?: number;

      /** How coarse bins are assigned to chiplets; changes the report, never the picture */
      readonly policy?:
        | 'static'
        | 'dynamic'
        | 'static-blocks'
        | 'static-interleaved'
        | 'static-diagonal'
        | 'static-morton'
        | 'dynamic-least-loaded'
        | 'dynamic-longest-first'
        | 'dynamic-pull'
        | 'dynamic-history';

      /** Coarse bins wanted; small pictures get fewer */
      readonly bins?: number;

      /** Instead of `bins`: 2x2 (columns × rows), 32 (bins), 8/chiplet, or auto */
      readonly grid?: string;

      /** How often the costliest bin is halved after the visibility phase */
      readonly split?: number;

      /** Vertex shader of the visibility phase: what positions need, all of it, or the cheaper for the pass */
      readonly visibility?: 'minimal' | 'full' | 'auto';

      /** The visibility phase leaves out what lies behind earlier primitives */
      readonly occlusion?: boolean;

      /** functional: picture and counters, figures in cycles are null; cycle: every unit to the cycle */
      readonly timing?: 'functional' | 'cycle';

      /** Preset of the simulated chiplet, see GET /v1/chiplets; without it the one that the service was started with */
      readonly spec?: string;

      /** Chiplets of the simulated GPU, the visibility chiplet among them; without it those that are connected. Where more are asked for than are connected they share processes, which changes no result */
      readonly chiplets?: number;

      /** How chiplets are joined; without it as the service was started, bus by default */
      readonly linkTopology?: 'bus' | 'ring' | 'full';

      /** Of the crosslink, bytes per cycle: a channel carries in one direction; without it as the service was started, 256 by default */
      readonly linkBytesPerCycle?: number;

      /** Of the crosslink, cycles: from a byte sent to the byte received, over one channel; without it as the service was started, 32 by default */
      readonly linkLatencyCycles?: number;

      /** When chiplet 0 turns to the next visibility phase, of a pass or frame: when all before is done, after its own bins, or as soon as it may; visibility-first without it */
      readonly overlap?: 'none' | 'after-own-bins' | 'visibility-first';

      /** Which of the model’s cameras; without it the first, or one that frames the model */
      readonly camera?: number;

      /** Which frame of the capture, counted in buffer swaps from 0; 0 without it */
      readonly frame?: number;

      /** Frames of a model or capture */
      readonly frames?: number;

      /** Time of a model’s first frame in seconds */
      readonly from?: number;

      /** Time of a model’s last frame in seconds */
      readonly to?: number;

      /** Frames between their start and their last bin at once, in simulated time */
      readonly inFlight?: number;
    };
    readonly body:
      | { readonly mediaType: 'model/gltf-binary'; readonly value: Uint8Array | string }
      | { readonly mediaType: 'model/gltf+json'; readonly value: Uint8Array | string }
      | { readonly mediaType: 'application/vnd.apitrace'; readonly value: Uint8Array | string }
      | {
          readonly mediaType: 'application/vnd.tessera.frame+msgpack';
          readonly value: Uint8Array | string;
        }
      | { readonly mediaType: 'application/json'; readonly value: Uint8Array | string }
      | { readonly mediaType: 'multipart/form-data'; readonly value: Uint8Array | string };
    readonly answer:
      | {
          readonly status: 200;
          readonly mediaType: 'application/json';
          readonly value: {
            readonly sequenceVersion: 1;
            readonly timing: string;

            /** As in the report of a frame */
            readonly spec: unknown;
            readonly policy: string;
            readonly overlap: string;
            readonly framesInFlight: number;
            readonly totals: {
              readonly frames: number;
              readonly cycles: null | number;
              readonly simulatedMs: null | number;
            };
            readonly frames: readonly {
              readonly index: number;
              readonly frameSha256: string;
              readonly imageSha256: string;
              readonly startCycle: null | number;
              readonly visibilityStartCycle: null | number;
              readonly visibilityEndCycle: null | number;
              readonly firstBinCycle: null | number;
              readonly endCycle: null | number;
              readonly latencyCycles: null | number;

              /** What the assignment of bins went by */
              readonly prediction: string;
            }[];
            readonly steadyState: null | {
              readonly firstFrame: number;
              readonly lastFrame: number;
              readonly cyclesPerFrame: number;
              readonly framesPerSecond: number;

              /** Over one chiplet */
              readonly speedUp: number;
              readonly serialFraction: number;

              /** min(N, 1/s) */
              readonly speedUpBound: number;
            };
            readonly chiplets: readonly {
              readonly id: number;
              readonly busyCycles: null | number;
              readonly idleCycles: null | number;
              readonly idleShare: null | number;
            }[];
            readonly withoutOverlap: {
              readonly cycles: null | number;
              readonly idleCycles: null | number;
              readonly cyclesPerFrame: null | number;
            };
            readonly idleCyclesFilled: null | number;

            /** As in the report of a frame */
            readonly link: unknown;
            readonly wall: { readonly totalMs: number; readonly retriedBins: number };
          };
        }
      | {
          readonly status: 202;
          readonly mediaType: 'application/json';
          readonly value: {
            readonly id: string;
            readonly status: 'running' | 'done' | 'failed' | 'cancelled';
            readonly submittedAt: string;
            readonly title: string;
            readonly frameCount: number;

            /** Addresses of the frames that were admitted */
            readonly frames: readonly string[];
            readonly error: null | { readonly code: string; readonly message: string };
            readonly links: {
              readonly self: string;
              readonly report: string;
              readonly timeline: string;
              readonly images: string;
            };
          };
        };
  };

  /** Sweep over chiplets, policies, presets, bins and visibility shaders */
  postStudy: {
    readonly parameters: Readonly<Record<string, never>>;
    readonly body: {
      readonly mediaType: 'application/json';
      readonly value: {
        readonly title?: string;

        /** Ids of frames that were posted, whatever their status */
        readonly frames: readonly string[];

        /** Numbers of chiplets, the visibility chiplet among them */
        readonly chiplets: readonly number[];
        readonly policies?: readonly (
          | 'static'
          | 'dynamic'
          | 'static-blocks'
          | 'static-interleaved'
          | 'static-diagonal'
          | 'static-morton'
          | 'dynamic-least-loaded'
          | 'dynamic-longest-first'
          | 'dynamic-pull'
          | 'dynamic-history'
        )[];

        /** Presets, see GET /v1/chiplets */
        readonly specs?: readonly string[];
        readonly bins?: readonly number[];
        readonly visibility?: readonly ('minimal' | 'full')[];
      };
    };
    readonly answer: {
      readonly status: 202;
      readonly mediaType: 'application/json';
      readonly value: StudyStatus;
    };
  };

  /** Put a buffer, a level of a texture or a shader’s source for frames to name */
  putResource: {
    readonly parameters: {
      /** In lower-case hexadecimal */
      readonly sha256: string;
    };
    readonly body: {
      readonly mediaType: 'application/octet-stream';
      readonly value: Uint8Array | string;
    };
    readonly answer:
      | { readonly status: 201; readonly mediaType: 'application/json'; readonly value: unknown }
      | { readonly status: 204; readonly mediaType: 'application/json'; readonly value: unknown };
  };

  /** Render what was posted as a frame once more, with other options */
  renderFrameAgain: {
    readonly parameters: {
      /** In pixels; 1280 for a model. Not with a capture, which has its window’s size */
      readonly width?: number;

      /** In pixels; 720 for a model. Not with a capture */
      readonly height?: number;

      /** Instead of `bins`: 2x2 (columns × rows), 32 (bins), 8/chiplet, or auto */
      readonly grid?: string;

      /** How often the costliest bin is halved after the visibility phase */
      readonly split?: number;

      /** The visibility phase leaves out what lies behind earlier primitives */
      readonly occlusion?: boolean;

      /** Preset of the simulated chiplet, see GET /v1/chiplets; without it the one that the service was started with */
      readonly spec?: string;

      /** Chiplets of the simulated GPU, the visibility chiplet among them; without it those that are connected. Where more are asked for than are connected they share processes, which changes no result */
      readonly chiplets?: number;

      /** How chiplets are joined; without it as the service was started, bus by default */
      readonly linkTopology?: 'bus' | 'ring' | 'full';

      /** Of the crosslink, bytes per cycle: a channel carries in one direction; without it as the service was started, 256 by default */
      readonly linkBytesPerCycle?: number;

      /** Of the crosslink, cycles: from a byte sent to the byte received, over one channel; without it as the service was started, 32 by default */
      readonly linkLatencyCycles?: number;

      /** When chiplet 0 turns to the next visibility phase, of a pass or frame: when all before is done, after its own bins, or as soon as it may; visibility-first without it */
      readonly overlap?: 'none' | 'after-own-bins' | 'visibility-first';

      /** Which of the model’s cameras; without it the first, or one that frames the model */
      readonly camera?: number;

      /** Point in time of the model’s animation in seconds; 0 without it */
      readonly time?: number;

      /** How coarse bins are assigned to chiplets; changes the report, never the picture */
      readonly policy?:
        | 'static'
        | 'dynamic'
        | 'static-blocks'
        | 'static-interleaved'
        | 'static-diagonal'
        | 'static-morton'
        | 'dynamic-least-loaded'
        | 'dynamic-longest-first'
        | 'dynamic-pull'
        | 'dynamic-history';

      /** Coarse bins wanted; small pictures get fewer */
      readonly bins?: number;

      /** Vertex shader of the visibility phase: what positions need, all of it, or the cheaper for the pass */
      readonly visibility?: 'minimal' | 'full' | 'auto';

      /** functional: picture and counters, figures in cycles are null; cycle: every unit to the cycle */
      readonly timing?: 'functional' | 'cycle';

      /** As given by POST /v1/frames */
      readonly id: string;
    };
    readonly body: null;
    readonly answer: {
      readonly status: 202;
      readonly mediaType: 'application/json';
      readonly value: FrameStatus;
    };
  };

  /** Sign in: a cookie for a token, for pages, which cannot send headers everywhere */
  signIn: {
    readonly parameters: Readonly<Record<string, never>>;
    readonly body: {
      readonly mediaType: 'application/json';
      readonly value: { readonly token: string };
    };
    readonly answer: { readonly status: 204; readonly mediaType: null; readonly value: null };
  };

  /** Sign out: ends the cookie */
  signOut: {
    readonly parameters: Readonly<Record<string, never>>;
    readonly body: null;
    readonly answer: { readonly status: 204; readonly mediaType: null; readonly value: null };
  };

  /** How a frame gets on, as server-sent events */
  watchFrame: {
    readonly parameters: {
      /** As given by POST /v1/frames */
      readonly id: string;

      /** The last event that was received */
      readonly 'last-event-id'?: string;
    };
    readonly body: null;
    readonly answer:
      | { readonly status: 200; readonly mediaType: 'text/event-stream'; readonly value: null }
      | { readonly status: 204; readonly mediaType: null; readonly value: null };
  };

  /** Queue, frames, chiplets and studies as server-sent events */
  watchService: {
    readonly parameters: {
      /** The last event that was received */
      readonly 'last-event-id'?: string;
    };
    readonly body: null;
    readonly answer: {
      readonly status: 200;
      readonly mediaType: 'text/event-stream';
      readonly value: null;
    };
  };

  /** How a study gets on, as server-sent events */
  watchStudy: {
    readonly parameters: {
      /** As given by POST /v1/studies */
      readonly id: string;

      /** The last event that was received */
      readonly 'last-event-id'?: string;
    };
    readonly body: null;
    readonly answer:
      | { readonly status: 200; readonly mediaType: 'text/event-stream'; readonly value: null }
      | { readonly status: 204; readonly mediaType: null; readonly value: null };
  };
}

/** Where each operation is. */
export const OPERATIONS = {
  deleteFrame: { method: 'DELETE', path: '/v1/frames/{id}', query: [], headers: [] },
  deleteSequence: { method: 'DELETE', path: '/v1/sequences/{id}', query: [], headers: [] },
  deleteStudy: { method: 'DELETE', path: '/v1/studies/{id}', query: [], headers: [] },
  getFrame: { method: 'GET', path: '/v1/frames/{id}', query: [], headers: [] },
  getFrameImage: {
    method: 'GET',
    path: '/v1/frames/{id}/image',
    query: ['target', 'bins'],
    headers: [],
  },
  getFrameReport: { method: 'GET', path: '/v1/frames/{id}/report', query: [], headers: [] },
  getFrameTimeline: { method: 'GET', path: '/v1/frames/{id}/timeline', query: [], headers: [] },
  getMetrics: { method: 'GET', path: '/metrics', query: [], headers: [] },
  getSequence: { method: 'GET', path: '/v1/sequences/{id}', query: [], headers: [] },
  getSequenceImages: { method: 'GET', path: '/v1/sequences/{id}/images', query: [], headers: [] },
  getSequenceReport: { method: 'GET', path: '/v1/sequences/{id}/report', query: [], headers: [] },
  getSequenceTimeline: {
    method: 'GET',
    path: '/v1/sequences/{id}/timeline',
    query: [],
    headers: [],
  },
  getSession: { method: 'GET', path: '/v1/session', query: [], headers: [] },
  getStudy: { method: 'GET', path: '/v1/studies/{id}', query: [], headers: [] },
  getStudyCsv: { method: 'GET', path: '/v1/studies/{id}/results.csv', query: [], headers: [] },
  getStudyPlot: { method: 'GET', path: '/v1/studies/{id}/plots/{plot}', query: [], headers: [] },
  isLive: { method: 'GET', path: '/livez', query: [], headers: [] },
  isReady: { method: 'GET', path: '/readyz', query: [], headers: [] },
  listChiplets: { method: 'GET', path: '/v1/chiplets', query: [], headers: [] },
  listCounters: { method: 'GET', path: '/v1/counters', query: [], headers: [] },
  listFrames: {
    method: 'GET',
    path: '/v1/frames',
    query: ['status', 'policy', 'from', 'search', 'limit', 'cursor'],
    headers: [],
  },
  listSequences: { method: 'GET', path: '/v1/sequences', query: ['limit', 'cursor'], headers: [] },
  listStudies: { method: 'GET', path: '/v1/studies', query: [], headers: [] },
  postFrame: {
    method: 'POST',
    path: '/v1/frames',
    query: [
      'width',
      'height',
      'policy',
      'bins',
      'grid',
      'split',
      'visibility',
      'occlusion',
      'timing',
      'spec',
      'chiplets',
      'linkTopology',
      'linkBytesPerCycle',
      'linkLatencyCycles',
      'overlap',
      'camera',
      'time',
      'frame',
    ],
    headers: ['idempotency-key'],
  },
  postSequence: {
    method: 'POST',
    path: '/v1/sequences',
    query: [
      'width',
      'height',
      'policy',
      'bins',
      'grid',
      'split',
      'visibility',
      'occlusion',
      'timing',
      'spec',
      'chiplets',
      'linkTopology',
      'linkBytesPerCycle',
      'linkLatencyCycles',
      'overlap',
      'camera',
      'frame',
      'frames',
      'from',
      'to',
      'inFlight',
    ],
    headers: [],
  },
  postStudy: { method: 'POST', path: '/v1/studies', query: [], headers: [] },
  putResource: { method: 'PUT', path: '/v1/resources/{sha256}', query: [], headers: [] },
  renderFrameAgain: {
    method: 'POST',
    path: '/v1/frames/{id}/again',
    query: [
      'width',
      'height',
      'grid',
      'split',
      'occlusion',
      'spec',
      'chiplets',
      'linkTopology',
      'linkBytesPerCycle',
      'linkLatencyCycles',
      'overlap',
      'camera',
      'time',
      'policy',
      'bins',
      'visibility',
      'timing',
    ],
    headers: [],
  },
  signIn: { method: 'POST', path: '/v1/session', query: [], headers: [] },
  signOut: { method: 'DELETE', path: '/v1/session', query: [], headers: [] },
  watchFrame: {
    method: 'GET',
    path: '/v1/frames/{id}/events',
    query: [],
    headers: ['last-event-id'],
  },
  watchService: { method: 'GET', path: '/v1/events', query: [], headers: ['last-event-id'] },
  watchStudy: {
    method: 'GET',
    path: '/v1/studies/{id}/events',
    query: [],
    headers: ['last-event-id'],
  },
} as const;
