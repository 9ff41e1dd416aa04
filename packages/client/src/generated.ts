/**
 * Types and operations of the service, generated from its OpenAPI document by
 * scripts/generate/generate-client.ts. Do not edit. One file because it mirrors one document.
 */

/** Posted frame */
export type FrameStatus = {
  readonly id: string;
  readonly status: 'queued' | 'running' | 'done' | 'failed' | 'cancelled';
  readonly submittedAt: string;

  /** Name in lists, studies and plots */
  readonly name: string;

  /** Words by which the frame can be found */
  readonly tags: readonly string[];

  /** Kind and size of the posted file */
  readonly model: string;

  /** Options of the query */
  readonly options: {
    readonly policy: string;
    readonly bins: number;
    readonly visibility: string;
    readonly timing: 'functional' | 'cycle';
    readonly coupling: 'none' | 'exact';
    readonly organization: 'binned' | 'split-frame' | 'sort-last' | 'alternate-frame';
    readonly visibilityChiplets: number;
    readonly visibilityDelivery: 'phase' | 'stream';

    /** Preset or stored specification, and settings */
    readonly spec: string;
    readonly chiplets: null | number;
  };
  readonly progress: {
    readonly phase: 'waiting' | 'visibility' | 'bins' | 'simulation' | 'encoding' | 'over';
    readonly binsDone: number;
    readonly binCount: number;
  };

  /** Features of the model that are not rendered as intended; calls of a capture that were ignored or assumed */
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
  /** urn:tessera:problem: followed by the code */
  readonly type: string;

  /** Meaning of the code */
  readonly title: string;
  readonly status: number;

  /** Cause of this problem: place, value, permitted values */
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
    | 'UPLOAD_OFFSET_WRONG'
    | 'UPLOAD_BUSY'
    | 'CONTENT_MISMATCH'
    | 'BLOBS_UNAVAILABLE'
    | 'NOT_FOUND'
    | 'RESULT_NOT_READY'
    | 'MEASUREMENT_MISSING'
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
    | 'QUOTA_EXCEEDED'
    | 'ENGINE_UNAVAILABLE'
    | 'CELL_LOST'
    | 'NO_CHIPLETS'
    | 'SHUTTING_DOWN'
    | 'INTERNAL';

  /** Path of the request */
  readonly instance: string;

  /** SHA-256 of each missing resource, with RESOURCES_MISSING */
  readonly missing?: readonly string[];

  /** Quota that is used up, with QUOTA_EXCEEDED */
  readonly quota?: {
    readonly name: 'places' | 'bytes' | 'connections' | 'prepareSeconds' | 'chipletSeconds';
    readonly limit: number;
    readonly used: number;
  };
};

/** Report of a frame */
export type Report = {
  readonly reportVersion: 1;
  readonly frame: { readonly sha256: string; readonly widthPx: number; readonly heightPx: number };
  readonly image: {
    /** SHA-256 of the RGBA bytes */
    readonly sha256: string;
  };
  readonly timing: 'functional' | 'cycle';
  readonly coupling: 'none' | 'exact';
  readonly spec: {
    readonly name: string;
    readonly fineBinPx: number;
    readonly clockHz: number;
    readonly parameters: {};
  };
  readonly policy: string;

  /** Way in which chiplets share the frame */
  readonly organization: string;
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
    readonly segments?: {
      readonly count: number;
      readonly bytes: number;
      readonly waitedCycles: null | number;
    };
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
    readonly copyCycles: null | number;
    readonly memory: {
      readonly bytes: number;
      readonly achievedBytesPerCycle: number;
      readonly peakBytesPerCycle: number;
      readonly utilization: number;
    } | null;

    /** Counts by counter name (see GET /v1/counters); counters that are 0 are omitted */
    readonly counters: {};
  }[];
  readonly assignment: {
    readonly unit: 'estimatedCost' | 'cycles';

    /** Source of the time at which a chiplet is free */
    readonly clock: 'cycles' | 'estimate';
    readonly prediction: 'none' | 'estimate' | 'history' | 'mixed';
    readonly predictionError: null | number;
    readonly steps: number;
    readonly cycles: null | number;
    readonly makespanCycles: null | number;
    readonly lowerBoundCycles: null | number;
    readonly imbalance: number;
  };

  /** Memories that hold resources and pixels; replicated is a copy in each */
  readonly placement: {
    readonly textures: 'replicated' | 'interleaved' | 'first-touch' | 'home';
    readonly buffers: 'replicated' | 'interleaved' | 'first-touch' | 'home';
    readonly streams: 'replicated' | 'interleaved' | 'first-touch' | 'home';
    readonly targets: 'gathered' | 'kept' | 'interleaved';
    readonly framebuffer: 'gathered' | 'kept' | 'interleaved';
  };
  readonly link: {
    readonly topology: string;
    readonly bytesPerCycle: number;
    readonly latencyCycles: number;
    readonly bytes: number;
    readonly cycles: null | number;

    /** Transfers by kind: commands, resources, streams, targets, layers, bins, scanout */
    readonly transfers: {};

    /** Traffic of each channel, named by its ends */
    readonly channels: readonly {
      readonly channel: string;
      readonly packets: number;
      readonly bytes: number;
      readonly busyCycles: null | number;
    }[];
    readonly remote: {
      readonly reads: readonly number[];
      readonly writes: readonly number[];
      readonly bytes: readonly (readonly number[])[];
      readonly lines: readonly {
        readonly wanted: number;
        readonly cached: number;
        readonly merged: number;
        readonly fetched: number;
        readonly hitRate: number | null;
      }[];
    } | null;
  };
  readonly passes: readonly {
    readonly draws: number;
    readonly bins: number;
    readonly target: 'screen' | 'texture';
    readonly textureIndex: number | null;
    readonly widthPx: number;
    readonly heightPx: number;
    readonly bytesExchanged: number;

    /** Fragments that passed, by occlusion query of the pass */
    readonly queryCounts?: readonly number[];
    readonly startCycle: null | number;
    readonly uploadCycles: null | number;
    readonly visibilityCycles: null | number;
    readonly copyCycles: null | number;
    readonly cycles: null | number;
  }[];
  readonly causes: {
    /** Steps, longest first; they add up to the cycles of the frame */
    readonly criticalPath: readonly {
      readonly kind:
        | 'commands'
        | 'resources'
        | 'streams'
        | 'targets'
        | 'layers'
        | 'pixels'
        | 'visibility'
        | 'bins'
        | 'uploads'
        | 'resolves'
        | 'composition'
        | 'copies'
        | 'stores'
        | 'decisions';

      /** Chiplet that works; null for the link */
      readonly chiplet: number | null;
      readonly cycles: number;
    }[];

    /** Idle cycles of each chiplet by reason */
    readonly idle: readonly {
      readonly resources: number;
      readonly visibility: number;
      readonly passes: number;
      readonly link: number;
      readonly decisions: number;
      readonly imbalance: number;
      readonly composition: number;
    }[];

    /** Bounds of the frame: the first, and the one that it would have then */
    readonly bounds: readonly {
      /** Units that bound the frame together, or the link */
      readonly resources: readonly string[];

      /** Part of the critical path in which they are the busiest */
      readonly share: number;

      /** Busy share of that part */
      readonly utilization: number;

      /** Factor by which they would be faster, mostly 2 */
      readonly factor: number;

      /** Cycles of the frame if these, and those before, were so much faster */
      readonly predictedCycles: number;

      /** Parameters that make them faster; null if there are none */
      readonly settings: {} | null;
    }[];

    /** The causes in English */
    readonly explanation: readonly string[];
  } | null;
  readonly energy: {
    readonly technology: {
      readonly nodeNm: number;

      /** Technology of local memory */
      readonly memory: string;

      /** Class of links between chiplets */
      readonly linkClass: string;

      /** Class of links between packages */
      readonly packageLinkClass: string;
    };
    readonly total: {
      /** Range of an energy in picojoules */
      readonly dynamic: {
        readonly lowPj: number;
        readonly typicalPj: number;
        readonly highPj: number;
      };

      /** Range of an energy in picojoules */
      readonly leakage: {
        readonly lowPj: number;
        readonly typicalPj: number;
        readonly highPj: number;
      };

      /** Range of an energy in picojoules */
      readonly refresh: {
        readonly lowPj: number;
        readonly typicalPj: number;
        readonly highPj: number;
      };

      /** Range of an energy in picojoules */
      readonly total: {
        readonly lowPj: number;
        readonly typicalPj: number;
        readonly highPj: number;
      };
    };

    /** Total ÷ simulated time, in milliwatts */
    readonly averagePower: {
      readonly lowMw: number;
      readonly typicalMw: number;
      readonly highMw: number;
    };

    /** All instances of each unit; dram are the memory chips */
    readonly units: readonly {
      readonly unit: string;

      /** Range of an energy in picojoules */
      readonly dynamic: {
        readonly lowPj: number;
        readonly typicalPj: number;
        readonly highPj: number;
      };

      /** Range of an energy in picojoules */
      readonly leakage: {
        readonly lowPj: number;
        readonly typicalPj: number;
        readonly highPj: number;
      };

      /** Range of an energy in picojoules */
      readonly refresh: {
        readonly lowPj: number;
        readonly typicalPj: number;
        readonly highPj: number;
      };

      /** Range of an energy in picojoules */
      readonly total: {
        readonly lowPj: number;
        readonly typicalPj: number;
        readonly highPj: number;
      };
    }[];
    readonly chiplets: readonly {
      readonly id: number;

      /** Range of an energy in picojoules */
      readonly dynamic: {
        readonly lowPj: number;
        readonly typicalPj: number;
        readonly highPj: number;
      };

      /** Range of an energy in picojoules */
      readonly leakage: {
        readonly lowPj: number;
        readonly typicalPj: number;
        readonly highPj: number;
      };

      /** Range of an energy in picojoules */
      readonly refresh: {
        readonly lowPj: number;
        readonly typicalPj: number;
        readonly highPj: number;
      };

      /** Range of an energy in picojoules */
      readonly total: {
        readonly lowPj: number;
        readonly typicalPj: number;
        readonly highPj: number;
      };
    }[];
    readonly passes: readonly {
      /** Range of an energy in picojoules */
      readonly dynamic: {
        readonly lowPj: number;
        readonly typicalPj: number;
        readonly highPj: number;
      };
    }[];

    /** Events that are counted by bin, in the order of the bins */
    readonly bins: readonly {
      readonly passIndex: number;
      readonly id: number;

      /** Range of an energy in picojoules */
      readonly dynamic: {
        readonly lowPj: number;
        readonly typicalPj: number;
        readonly highPj: number;
      };
    }[];

    /** Range of an energy in picojoules */
    readonly notByPass: {
      readonly lowPj: number;
      readonly typicalPj: number;
      readonly highPj: number;
    };

    /** Range of an energy in picojoules */
    readonly notByBin: {
      readonly lowPj: number;
      readonly typicalPj: number;
      readonly highPj: number;
    };
    readonly link: {
      /** Range of an energy in picojoules */
      readonly dynamic: {
        readonly lowPj: number;
        readonly typicalPj: number;
        readonly highPj: number;
      };
      readonly channels: readonly {
        readonly channel: string;
        readonly linkClass: string;

        /** Range of an energy in picojoules */
        readonly dynamic: {
          readonly lowPj: number;
          readonly typicalPj: number;
          readonly highPj: number;
        };
      }[];
    };
  } | null;

  /** Wall-clock times, the only part that differs between runs */
  readonly wall: {
    readonly prepareMs: number;
    readonly visibilityMs: number;
    readonly binsMs: number;
    readonly totalMs: number;
    readonly retriedBins: number;

    /** Number of bins that two or more chiplets rendered with the same result */
    readonly checkedBins: number;
  };
};

/** Study with its rows so far */
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
    readonly parameters: {};
    readonly bins: readonly number[];
    readonly visibility: readonly string[];
    readonly coupling: 'none' | 'exact';
    readonly grids: readonly string[];
    readonly splits: readonly number[];
    readonly occlusion: readonly boolean[];
    readonly organizations: readonly string[];
    readonly visibilityChiplets: readonly number[];
    readonly visibilityDelivery: readonly string[];
    readonly sizes: readonly string[];
    readonly frameIndices: readonly number[];
    readonly linkTopologies: readonly string[];
    readonly linkBytesPerCycle: readonly number[];
    readonly linkLatencyCycles: readonly number[];
    readonly placements: readonly string[];
    readonly overlaps: readonly string[];
    readonly counters: readonly string[];

    /** Technologies of the energy; null if rows have none */
    readonly energy: null | {
      /** Technology of local memory, for the energy alone; gddr6 by default */
      readonly memory?: 'gddr6' | 'lpddr5' | 'hbm2';

      /** Class of links between chiplets, for the energy alone; standard-package by default */
      readonly linkClass?: 'on-chip' | 'standard-package' | 'advanced-package' | 'board' | 'system';

      /** Class of links between packages, for the energy alone; board by default */
      readonly packageLinkClass?:
        | 'on-chip'
        | 'standard-package'
        | 'advanced-package'
        | 'board'
        | 'system';
    };
  };
  readonly progress: {
    /** Number of frames rendered */
    readonly done: number;
    readonly total: number;

    /** Estimate from the mean time per frame; null before the first frame is done */
    readonly secondsLeft: null | number;
  };
  readonly error: null | { readonly code: string; readonly message: string };
  readonly links: {
    readonly self: string;
    readonly csv: string;
    readonly parquet: string;
    readonly rows: string;
    readonly series: string;
    readonly events: string;
    readonly plots: {};
  };
  readonly rows: readonly {
    /** Title of the frame */
    readonly scene: string;

    /** Id of the frame */
    readonly frame: string;
    readonly frameIndex: number;
    readonly widthPx: number;
    readonly heightPx: number;
    readonly spec: string;

    /** First 12 digits of the SHA-256 of all hardware parameters */
    readonly specDigest: string;

    /** Values of the swept parameters */
    readonly settings?: {};

    /** Requested number of coarse bins */
    readonly bins: number;

    /** Columns × rows of the last pass, as rendered */
    readonly grid: string;
    readonly split: number;
    readonly visibility: string;
    readonly occlusion: boolean;
    readonly organization: string;
    readonly visibilityChiplets: number;
    readonly visibilityDelivery: string;
    readonly coupling: 'none' | 'exact';
    readonly policy: string;
    readonly chiplets: number;
    readonly linkTopology: string;
    readonly linkBytesPerCycle: number;
    readonly linkLatencyCycles: number;
    readonly placement: string;
    readonly overlap: string;
    readonly cycles: number;
    readonly simulatedMs: number;

    /** Cycles of all visibility phases */
    readonly visibilityCycles: number;

    /** Lower bound on the bin phases of any assignment, summed over the passes */
    readonly lowerBoundCycles: number;

    /** Largest part of the cycles */
    readonly boundBy: 'visibility' | 'longest-bin' | 'all-bins' | 'other';

    /** Cycles on one chiplet with static-blocks and no overlap ÷ cycles */
    readonly speedUp: number;

    /** Speed-up ÷ chiplets; 1 is best */
    readonly efficiency: number;

    /** Largest share of the bins ÷ mean share; 1 is best */
    readonly imbalance: number;

    /** Bytes of all transfers; a broadcast counts once */
    readonly linkBytes: number;

    /** Bytes of messages between memories */
    readonly remoteBytes: number;
    readonly imageSha256: string;

    /** Version of the service */
    readonly version: string;

    /** Commit of the service; unknown outside a repository */
    readonly commit: string;

    /** energy of the frame, low end of its range; in picojoules */
    readonly energyLowPj?: number;

    /** energy of the frame, typical; in picojoules */
    readonly energyTypicalPj?: number;

    /** energy of the frame, high end of its range; in picojoules */
    readonly energyHighPj?: number;

    /** energyLowPj ÷ time of the frame; in milliwatts */
    readonly powerLowMw?: number;

    /** energyTypicalPj ÷ time of the frame; in milliwatts */
    readonly powerTypicalMw?: number;

    /** energyHighPj ÷ time of the frame; in milliwatts */
    readonly powerHighMw?: number;

    /** energyLowPj × time of the frame; in picojoule seconds */
    readonly energyDelayLowPjS?: number;

    /** energyTypicalPj × time of the frame; in picojoule seconds */
    readonly energyDelayTypicalPjS?: number;

    /** energyHighPj × time of the frame; in picojoule seconds */
    readonly energyDelayHighPjS?: number;

    /** Requested counters, summed over the chiplets */
    readonly counters?: {};
  }[];
};

/** Rows that exist; those that are not measured are missing */
export type StudyRowPage = {
  /** Number of the first row */
  readonly from: number;

  /** Rows of the study when it is done */
  readonly total: number;

  /** Number of the first row of the next page; null on the last page */
  readonly next: null | number;
  readonly rows: readonly {
    /** Number of the row in the study, which never changes */
    readonly number: number;

    /** Title of the frame */
    readonly scene: string;

    /** Id of the frame */
    readonly frame: string;
    readonly frameIndex: number;
    readonly widthPx: number;
    readonly heightPx: number;
    readonly spec: string;

    /** First 12 digits of the SHA-256 of all hardware parameters */
    readonly specDigest: string;

    /** Values of the swept parameters */
    readonly settings?: {};

    /** Requested number of coarse bins */
    readonly bins: number;

    /** Columns × rows of the last pass, as rendered */
    readonly grid: string;
    readonly split: number;
    readonly visibility: string;
    readonly occlusion: boolean;
    readonly organization: string;
    readonly visibilityChiplets: number;
    readonly visibilityDelivery: string;
    readonly coupling: 'none' | 'exact';
    readonly policy: string;
    readonly chiplets: number;
    readonly linkTopology: string;
    readonly linkBytesPerCycle: number;
    readonly linkLatencyCycles: number;
    readonly placement: string;
    readonly overlap: string;
    readonly cycles: number;
    readonly simulatedMs: number;

    /** Cycles of all visibility phases */
    readonly visibilityCycles: number;

    /** Lower bound on the bin phases of any assignment, summed over the passes */
    readonly lowerBoundCycles: number;

    /** Largest part of the cycles */
    readonly boundBy: 'visibility' | 'longest-bin' | 'all-bins' | 'other';

    /** Cycles on one chiplet with static-blocks and no overlap ÷ cycles */
    readonly speedUp: number;

    /** Speed-up ÷ chiplets; 1 is best */
    readonly efficiency: number;

    /** Largest share of the bins ÷ mean share; 1 is best */
    readonly imbalance: number;

    /** Bytes of all transfers; a broadcast counts once */
    readonly linkBytes: number;

    /** Bytes of messages between memories */
    readonly remoteBytes: number;
    readonly imageSha256: string;

    /** Version of the service */
    readonly version: string;

    /** Commit of the service; unknown outside a repository */
    readonly commit: string;

    /** energy of the frame, low end of its range; in picojoules */
    readonly energyLowPj?: number;

    /** energy of the frame, typical; in picojoules */
    readonly energyTypicalPj?: number;

    /** energy of the frame, high end of its range; in picojoules */
    readonly energyHighPj?: number;

    /** energyLowPj ÷ time of the frame; in milliwatts */
    readonly powerLowMw?: number;

    /** energyTypicalPj ÷ time of the frame; in milliwatts */
    readonly powerTypicalMw?: number;

    /** energyHighPj ÷ time of the frame; in milliwatts */
    readonly powerHighMw?: number;

    /** energyLowPj × time of the frame; in picojoule seconds */
    readonly energyDelayLowPjS?: number;

    /** energyTypicalPj × time of the frame; in picojoule seconds */
    readonly energyDelayTypicalPjS?: number;

    /** energyHighPj × time of the frame; in picojoule seconds */
    readonly energyDelayHighPjS?: number;

    /** Requested counters, summed over the chiplets */
    readonly counters?: {};
  }[];
};

/** Lines of a plot of a study */
export type StudySeries = {
  readonly figure:
    | 'speedUp'
    | 'cycles'
    | 'efficiency'
    | 'imbalance'
    | 'linkBytes'
    | 'energyTypicalPj'
    | 'powerTypicalMw'
    | 'energyDelayTypicalPjS';
  readonly over: string;

  /** Whether points are geometric means over the frames */
  readonly isMean: boolean;

  /** Number of lines with those that are left out */
  readonly lineCount: number;
  readonly lines: readonly {
    readonly name: string;
    readonly points: readonly { readonly x: number; readonly y: number }[];
  }[];
};

/** Study without its rows */
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
    readonly parameters: {};
    readonly bins: readonly number[];
    readonly visibility: readonly string[];
    readonly coupling: 'none' | 'exact';
    readonly grids: readonly string[];
    readonly splits: readonly number[];
    readonly occlusion: readonly boolean[];
    readonly organizations: readonly string[];
    readonly visibilityChiplets: readonly number[];
    readonly visibilityDelivery: readonly string[];
    readonly sizes: readonly string[];
    readonly frameIndices: readonly number[];
    readonly linkTopologies: readonly string[];
    readonly linkBytesPerCycle: readonly number[];
    readonly linkLatencyCycles: readonly number[];
    readonly placements: readonly string[];
    readonly overlaps: readonly string[];
    readonly counters: readonly string[];

    /** Technologies of the energy; null if rows have none */
    readonly energy: null | {
      /** Technology of local memory, for the energy alone; gddr6 by default */
      readonly memory?: 'gddr6' | 'lpddr5' | 'hbm2';

      /** Class of links between chiplets, for the energy alone; standard-package by default */
      readonly linkClass?: 'on-chip' | 'standard-package' | 'advanced-package' | 'board' | 'system';

      /** Class of links between packages, for the energy alone; board by default */
      readonly packageLinkClass?:
        | 'on-chip'
        | 'standard-package'
        | 'advanced-package'
        | 'board'
        | 'system';
    };
  };
  readonly progress: {
    /** Number of frames rendered */
    readonly done: number;
    readonly total: number;

    /** Estimate from the mean time per frame; null before the first frame is done */
    readonly secondsLeft: null | number;
  };
  readonly error: null | { readonly code: string; readonly message: string };
  readonly links: {
    readonly self: string;
    readonly csv: string;
    readonly parquet: string;
    readonly rows: string;
    readonly series: string;
    readonly events: string;
    readonly plots: {};
  };
};

/** Parameters, body and answer of each operation. */
export interface Operations {
  /** Cancel an unfinished frame or delete a finished one */
  deleteFrame: {
    readonly parameters: {
      /** Id from the answer to POST /v1/frames */
      readonly id: string;
    };
    readonly body: null;
    readonly answer: { readonly status: 204; readonly mediaType: null; readonly value: null };
  };

  /** Cancel an unfinished sequence or delete a finished one; its frames are kept */
  deleteSequence: {
    readonly parameters: {
      /** Id from the answer to POST /v1/sequences */
      readonly id: string;
    };
    readonly body: null;
    readonly answer: { readonly status: 204; readonly mediaType: null; readonly value: null };
  };

  /** Delete a stored specification */
  deleteSpec: {
    readonly parameters: {
      /** Name of the specification: lower-case letters, digits, `.`, `_` and `-` */
      readonly name: string;
    };
    readonly body: null;
    readonly answer: { readonly status: 204; readonly mediaType: null; readonly value: null };
  };

  /** Cancel an unfinished study or delete a finished one */
  deleteStudy: {
    readonly parameters: {
      /** Id from the answer to POST /v1/studies */
      readonly id: string;
    };
    readonly body: null;
    readonly answer: { readonly status: 204; readonly mediaType: null; readonly value: null };
  };

  /** Get the status of a frame */
  getFrame: {
    readonly parameters: {
      /** Id from the answer to POST /v1/frames */
      readonly id: string;
    };
    readonly body: null;
    readonly answer: {
      readonly status: 200;
      readonly mediaType: 'application/json';
      readonly value: FrameStatus;
    };
  };

  /** Get counts by pixel, as values or as an image */
  getFrameHeatMap: {
    readonly parameters: {
      /** Counted work */
      readonly metric:
        | 'overdraw'
        | 'covered'
        | 'earlyKilled'
        | 'discarded'
        | 'lateKilled'
        | 'written'
        | 'helperLanes'
        | 'depthTests'
        | 'instructions'
        | 'textureLines'
        | 'remoteBytes'
        | 'cyclesAttributed';

      /** Index of the pass; by default the last one that draws to the screen */
      readonly pass?: number;

      /** Edge of the blocks in pixels; 1 gives a value per pixel, 4 one per 4×4 block */
      readonly block?: number;

      /** With metric=remoteBytes: chiplet whose memory has the lines; by default all chiplets */
      readonly home?: number;

      /** json: values, row by row from the top. png: colors from dark (0) to light */
      readonly format?: 'json' | 'png';

      /** Id from the answer to POST /v1/frames */
      readonly id: string;
    };
    readonly body: null;
    readonly answer:
      | {
          readonly status: 200;
          readonly mediaType: 'application/json';
          readonly value: {
            readonly metric:
              | 'overdraw'
              | 'covered'
              | 'earlyKilled'
              | 'discarded'
              | 'lateKilled'
              | 'written'
              | 'helperLanes'
              | 'depthTests'
              | 'instructions'
              | 'textureLines'
              | 'remoteBytes'
              | 'cyclesAttributed';
            readonly pass: number;
            readonly blockPx: number;
            readonly widthPx: number;
            readonly heightPx: number;

            /** Values in a row */
            readonly columns: number;
            readonly rows: number;

            /** Sum of all values */
            readonly total: number;

            /** Greatest value */
            readonly max: number;

            /** Counter or field of the report that equals the sum over all passes; null if none does */
            readonly counter: null | string;
            readonly unit: string;
            readonly meaning: string;

            /** Values, row by row from the top */
            readonly values: readonly number[];
          };
        }
      | { readonly status: 200; readonly mediaType: 'image/png'; readonly value: Uint8Array }
      | { readonly status: 304; readonly mediaType: null; readonly value: null };
  };

  /** Get the image of a frame or pass, with its bins drawn on request */
  getFrameImage: {
    readonly parameters: {
      /** Index of the pass whose target is returned; by default the final image */
      readonly target?: number;

      /** Draws the coarse bins over the image, colored by chiplet or by cost */
      readonly bins?: 'owner' | 'cost';

      /** Index of a draw of the pass (see GET /v1/frames/{id}/draws): renders the pass again, up to this draw. Without target it is the last pass that draws to the screen */
      readonly draw?: number;

      /** Id from the answer to POST /v1/frames */
      readonly id: string;
    };
    readonly body: null;
    readonly answer:
      | { readonly status: 200; readonly mediaType: 'image/png'; readonly value: Uint8Array }
      | { readonly status: 304; readonly mediaType: null; readonly value: null };
  };

  /** Get the measured cycles and bytes of each phase and bin, for estimates */
  getFrameMeasurement: {
    readonly parameters: {
      /** Id from the answer to POST /v1/frames */
      readonly id: string;
    };
    readonly body: null;
    readonly answer:
      | {
          readonly status: 200;
          readonly mediaType: 'application/json';
          readonly value: {
            /** Overlap of the frame’s own report */
            readonly overlap: 'none' | 'after-own-bins' | 'visibility-first';

            /** Whether chiplet 0 also renders bins, a setting of the service */
            readonly isVisibilityChipletRendering: boolean;
            readonly passes: readonly {
              readonly grid: { readonly columns: number; readonly rows: number };

              /** Key of the bins in predictions from earlier frames */
              readonly historyKey: string;

              /** Simulated cycles; null with timing=functional */
              readonly visibilityCycles: null | number;

              /** Cycles with each other specification of a study */
              readonly alternativeVisibilityCycles?: readonly number[];

              /** Parts of the visibility phase on several chiplets */
              readonly visibilityParts?: readonly {
                /** Simulated cycles; null with timing=functional */
                readonly cycles: null | number;

                /** Cycles with each other specification of a study */
                readonly alternativeCycles?: readonly number[];
                readonly streamBytes: number;

                /** Segments of streamed visibility */
                readonly segments?: readonly {
                  readonly bytes: number;

                  /** Bins with entries and the numbers of their entries, in turn */
                  readonly binEntries: readonly number[];

                  /** Simulated cycles; null with timing=functional */
                  readonly endCycle: null | number;

                  /** Cycles with each other specification of a study */
                  readonly alternativeEndCycles?: readonly number[];
                }[];
              }[];

              /** Segments of streamed visibility */
              readonly visibilitySegments?: readonly {
                readonly bytes: number;

                /** Bins with entries and the numbers of their entries, in turn */
                readonly binEntries: readonly number[];

                /** Simulated cycles; null with timing=functional */
                readonly endCycle: null | number;

                /** Cycles with each other specification of a study */
                readonly alternativeEndCycles?: readonly number[];
              }[];
              readonly bins: readonly {
                readonly binId: number;

                /** Simulated cycles; null with timing=functional */
                readonly cycles: null | number;

                /** Cycles with each other specification of a study */
                readonly alternativeCycles?: readonly number[];

                /** Terms of the cost model */
                readonly costTerms: readonly number[];

                /** Cycles that the cost model predicts; policies use them */
                readonly estimatedCycles: number;

                /** Bytes that are sent to chiplet 0 */
                readonly resultBytes: number;

                /** Pixels that are resolved: `size` from `part` on, of `parts` */
                readonly resolveShare?: {
                  readonly part: number;
                  readonly parts: number;
                  readonly size?: number;
                };
                readonly streamBytes: number;

                /** Whether chiplet 0 drew it in the visibility phase */
                readonly isEarly: boolean;
              }[];
              readonly commandBytes: number;
              readonly streamBytes: number;
              readonly resources: readonly {
                readonly sha256: string;
                readonly bytes: number;
                readonly kind: 'buffers' | 'textures' | 'programs';

                /** Index of the timing for storing it */
                readonly store?: number;

                /** Index of the timing for its mipmap levels */
                readonly mipmaps?: number;

                /** Whether an earlier pass drew it */
                readonly isDrawn: boolean;
              }[];

              /** Work of the copy engine */
              readonly copyWork: {
                readonly timings: readonly {
                  readonly cycles: number;
                  readonly counters: {};

                  /** Cycles with each other specification of a study */
                  readonly alternativeCycles?: readonly number[];
                }[];

                /** Indices of timings */
                readonly copies: readonly number[];

                /** Index of the timing for resolving all bins */
                readonly resolve?: number;
              };

              /** Passes whose results the visibility phase reads */
              readonly visibilityNeeds: readonly number[];

              /** Passes whose results the bins read */
              readonly binsNeed: readonly number[];

              /** Whether it is the last pass to the screen */
              readonly isShown?: boolean;
            }[];
          };
        }
      | { readonly status: 304; readonly mediaType: null; readonly value: null };
  };

  /** Get the report of a frame */
  getFrameReport: {
    readonly parameters: {
      /** Id from the answer to POST /v1/frames */
      readonly id: string;
    };
    readonly body: null;
    readonly answer:
      | { readonly status: 200; readonly mediaType: 'application/json'; readonly value: Report }
      | { readonly status: 304; readonly mediaType: null; readonly value: null };
  };

  /** Get phases, bins, transfers and unit activity as a Chrome trace for Perfetto */
  getFrameTimeline: {
    readonly parameters: {
      /** Id from the answer to POST /v1/frames */
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

              /** Time in microseconds; 1 ns is 1 simulated cycle */
              readonly ts?: number;
              readonly dur?: number;
              readonly args: {};
            }[];
          };
        }
      | { readonly status: 304; readonly mediaType: null; readonly value: null };
  };

  /** Get metrics for Prometheus */
  getMetrics: {
    readonly parameters: Readonly<Record<string, never>>;
    readonly body: null;
    readonly answer: {
      readonly status: 200;
      readonly mediaType: 'text/plain';
      readonly value: string;
    };
  };

  /** Get every fragment that reached a pixel, with its tests, outputs and colors */
  getPixelHistory: {
    readonly parameters: {
      /** Index of the pass; by default the last one that draws to the screen */
      readonly pass?: number;

      /** Index of the sample in a multisampled pass */
      readonly sample?: number;

      /** Id from the answer to POST /v1/frames */
      readonly id: string;

      /** Column of the pixel, from the left */
      readonly x: number;

      /** Row of the pixel, from the top */
      readonly y: number;
    };
    readonly body: null;
    readonly answer:
      | {
          readonly status: 200;
          readonly mediaType: 'application/json';
          readonly value: {
            readonly pass: number;
            readonly x: number;
            readonly y: number;
            readonly sample: number;
            readonly sampleCount: number;

            /** Coarse bin of the pixel */
            readonly bin: number;
            readonly colorFormats: readonly (string | null)[];
            readonly initial: {
              /** Red, green, blue and alpha by color target as it holds them: 0 to 255 for 8-bit channels */
              readonly colors: readonly (readonly number[] | null)[];

              /** Depth, 0 to 16777215 */
              readonly depth: number;
              readonly stencil: number;
            };

            /** Fragments of the primitives that cover the pixel, in order; the last 1000 */
            readonly events: readonly {
              /** Index of the draw in its pass */
              readonly draw: number;

              /** Index of the primitive in its draw, over all instances */
              readonly primitive: number;
              readonly outcome:
                | 'early-depth-failed'
                | 'discarded'
                | 'sample-cut'
                | 'stencil-failed'
                | 'depth-failed'
                | 'written';

              /** Stage of the depth test: before shading, after it, or none */
              readonly depthStage: 'early' | 'late' | 'none';
              readonly depthTest: null | {
                readonly depth: number;
                readonly stored: number;
                readonly compare: string;
                readonly isPassed: boolean;
              };
              readonly stencilTest: null | {
                readonly reference: number;
                readonly stored: number;
                readonly readMask: number;
                readonly compare: string;
                readonly isPassed: boolean;
              };

              /** Outputs of the fragment shader; null if the fragment was not shaded */
              readonly outputs:
                | null
                | readonly {
                    /** Component c of color target t has slot 4t + c, the depth of the shader slot 32, its mask of samples slot 33 */
                    readonly slot: number;

                    /** Value; null if it is infinite or not a number */
                    readonly value: number | null;
                  }[];
              readonly before: {
                /** Red, green, blue and alpha by color target as it holds them: 0 to 255 for 8-bit channels */
                readonly colors: readonly (readonly number[] | null)[];

                /** Depth, 0 to 16777215 */
                readonly depth: number;
                readonly stencil: number;
              };
              readonly after: {
                /** Red, green, blue and alpha by color target as it holds them: 0 to 255 for 8-bit channels */
                readonly colors: readonly (readonly number[] | null)[];

                /** Depth, 0 to 16777215 */
                readonly depth: number;
                readonly stencil: number;
              };
            }[];

            /** Fragments before the first of events */
            readonly omitted: number;
            readonly final: {
              /** Red, green, blue and alpha by color target as it holds them: 0 to 255 for 8-bit channels */
              readonly colors: readonly (readonly number[] | null)[];

              /** Depth, 0 to 16777215 */
              readonly depth: number;
              readonly stencil: number;
            };
          };
        }
      | { readonly status: 304; readonly mediaType: null; readonly value: null };
  };

  /** Get the quotas of the client that asks, and its use of them */
  getQuota: {
    readonly parameters: Readonly<Record<string, never>>;
    readonly body: null;
    readonly answer: {
      readonly status: 200;
      readonly mediaType: 'application/json';
      readonly value: {
        /** Name of the client */
        readonly client: string;

        /** Turns relative to other clients */
        readonly weight: number;

        /** Period of quotas of time; null for a client without a token */
        readonly periodSeconds: number | null;
        readonly quotas: readonly {
          readonly name: 'places' | 'bytes' | 'connections' | 'prepareSeconds' | 'chipletSeconds';

          /** Upper bound; null for none */
          readonly limit: number | null;

          /** Use by this client; 0 for what is not counted for it */
          readonly used: number;
        }[];
      };
    };
  };

  /** Get the status of a sequence */
  getSequence: {
    readonly parameters: {
      /** Id from the answer to POST /v1/sequences */
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
        readonly name: string;
        readonly tags: readonly string[];
        readonly frameCount: number;

        /** Addresses of the admitted frames */
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

  /** Get the images of all frames and the report as a ZIP archive */
  getSequenceImages: {
    readonly parameters: {
      /** Id from the answer to POST /v1/sequences */
      readonly id: string;
    };
    readonly body: null;
    readonly answer: {
      readonly status: 200;
      readonly mediaType: 'application/zip';
      readonly value: Uint8Array;
    };
  };

  /** Get the latency of each frame, the frame rate and the idle time that overlap removed */
  getSequenceReport: {
    readonly parameters: {
      /** Id from the answer to POST /v1/sequences */
      readonly id: string;
    };
    readonly body: null;
    readonly answer: {
      readonly status: 200;
      readonly mediaType: 'application/json';
      readonly value: {
        readonly sequenceVersion: 1;
        readonly timing: string;

        /** none: cycles are an estimate */
        readonly coupling: string;

        /** Same as in the report of a frame */
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

          /** Source of the costs by which bins were assigned */
          readonly prediction: string;
        }[];
        readonly steadyState: null | {
          readonly firstFrame: number;
          readonly lastFrame: number;
          readonly cyclesPerFrame: number;
          readonly framesPerSecond: number;

          /** Speed-up over one chiplet */
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

        /** Same as in the report of a frame */
        readonly link: unknown;
        readonly wall: { readonly totalMs: number; readonly retriedBins: number };
      };
    };
  };

  /** Get phases, bins and transfers of all frames as a Chrome trace for Perfetto */
  getSequenceTimeline: {
    readonly parameters: {
      /** Id from the answer to POST /v1/sequences */
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

          /** Time in microseconds; 1 ns is 1 simulated cycle */
          readonly ts?: number;
          readonly dur?: number;
          readonly args: {};
        }[];
      };
    };
  };

  /** Check whether requests need a token and whether the client has a session */
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

  /** Get the GLSL and the instructions of a program, with the cost of each line */
  getShaderProfile: {
    readonly parameters: {
      /** Simulates the chiplets of the frame with coupling=exact, and adds what warps wait for (waits and warpCycles) */
      readonly waits?: boolean;

      /** Index of the pass; by default the last one that draws to the screen */
      readonly pass?: number;

      /** Index of the draw to count; by default all draws of the program */
      readonly draw?: number;

      /** Id from the answer to POST /v1/frames */
      readonly id: string;

      /** Index of the program in the frame */
      readonly program: number;
    };
    readonly body: null;
    readonly answer:
      | {
          readonly status: 200;
          readonly mediaType: 'application/json';
          readonly value: {
            readonly program: number;

            /** Draw that is counted; null for all draws of the program */
            readonly draw: null | {
              readonly pass: number;

              /** Index of the draw in its pass */
              readonly draw: number;
            };
            readonly vertexSource: string;
            readonly fragmentSource: string;
            readonly stages: readonly {
              /** positionOnly is the slice of the vertex shader that the visibility phase runs */
              readonly stage: 'vertex' | 'positionOnly' | 'fragment';

              /** Instructions that warps issued */
              readonly issued: number;

              /** Cycles for which they occupied the issue ports of shader cores */
              readonly issueCycles: number;

              /** Lanes that these instructions had, summed over them */
              readonly lanes: number;

              /** Texture lookups that warps made */
              readonly lookups: number;

              /** Cycles for which warps wait there, by kind; only with waits=true */
              readonly waits?: {
                readonly operands: number;
                readonly lookup: number;
                readonly texels: number;
                readonly texelsL2: number;
                readonly texelsDram: number;
                readonly texelsRemote: number;
              };

              /** Cycles of warps in slots of shader cores, by kind as in the counters shaderCore.warpCycles…; only with waits=true */
              readonly warpCycles?: {
                readonly start: number;
                readonly registers: number;
                readonly program: number;
                readonly constants: number;
                readonly ready: number;
                readonly issue: number;
                readonly operands: number;
                readonly lookup: number;
                readonly texels: number;
                readonly texelsL2: number;
                readonly texelsDram: number;
                readonly texelsRemote: number;
                readonly output: number;
                readonly results: number;
              };
              readonly instructions: readonly {
                readonly text: string;

                /** Line of the source, from 1; null for code that no line asks for */
                readonly line: null | number;

                /** Instructions that warps issued */
                readonly issued: number;

                /** Cycles for which they occupied the issue ports of shader cores */
                readonly issueCycles: number;

                /** Lanes that these instructions had, summed over them */
                readonly lanes: number;

                /** Texture lookups that warps made */
                readonly lookups: number;

                /** Cycles for which warps wait there, by kind; only with waits=true */
                readonly waits?: {
                  readonly operands: number;
                  readonly lookup: number;
                  readonly texels: number;
                  readonly texelsL2: number;
                  readonly texelsDram: number;
                  readonly texelsRemote: number;
                };
              }[];

              /** Sums over the instructions of each line that has some */
              readonly lines: readonly {
                /** Line of the source, from 1; null for code that no line asks for */
                readonly line: null | number;

                /** Instructions that warps issued */
                readonly issued: number;

                /** Cycles for which they occupied the issue ports of shader cores */
                readonly issueCycles: number;

                /** Lanes that these instructions had, summed over them */
                readonly lanes: number;

                /** Texture lookups that warps made */
                readonly lookups: number;

                /** Cycles for which warps wait there, by kind; only with waits=true */
                readonly waits?: {
                  readonly operands: number;
                  readonly lookup: number;
                  readonly texels: number;
                  readonly texelsL2: number;
                  readonly texelsDram: number;
                  readonly texelsRemote: number;
                };
              }[];
            }[];
          };
        }
      | { readonly status: 304; readonly mediaType: null; readonly value: null };
  };

  /** Get a preset or a stored specification */
  getSpec: {
    readonly parameters: {
      /** Name of the specification: lower-case letters, digits, `.`, `_` and `-` */
      readonly name: string;
    };
    readonly body: null;
    readonly answer: {
      readonly status: 200;
      readonly mediaType: 'application/json';
      readonly value: {
        readonly name: string;
        readonly isPreset: boolean;

        /** Content that was stored; null for a preset */
        readonly description: null | {
          /** Preset that it starts from; `default` */
          readonly preset?: string;

          /** Parameters that differ from it */
          readonly set?: {};
        };

        /** All values; null if the content is not valid in this version of the service */
        readonly spec: null | {
          readonly name: string;
          readonly fineBinPx: number;
          readonly clockHz: number;
          readonly parameters: {};
        };

        /** Why `spec` is null: the parameter, its value and the range */
        readonly problem: null | string;
      };
    };
  };

  /** Get the status of a study and its rows so far */
  getStudy: {
    readonly parameters: {
      /** Whether the answer has the rows; a large study is read in pages instead */
      readonly rows?: boolean;

      /** Id from the answer to POST /v1/studies */
      readonly id: string;
    };
    readonly body: null;
    readonly answer: {
      readonly status: 200;
      readonly mediaType: 'application/json';
      readonly value: Study;
    };
  };

  /** Get the rows of a study so far as CSV */
  getStudyCsv: {
    readonly parameters: {
      /** Id from the answer to POST /v1/studies */
      readonly id: string;
    };
    readonly body: null;
    readonly answer: {
      readonly status: 200;
      readonly mediaType: 'text/csv';
      readonly value: string;
    };
  };

  /** Get the rows of a study so far as Parquet */
  getStudyParquet: {
    readonly parameters: {
      /** Id from the answer to POST /v1/studies */
      readonly id: string;
    };
    readonly body: null;
    readonly answer: {
      readonly status: 200;
      readonly mediaType: 'application/vnd.apache.parquet';
      readonly value: Uint8Array;
    };
  };

  /** Plot a metric against the number of chiplets (SVG) */
  getStudyPlot: {
    readonly parameters: {
      readonly id: string;
      readonly plot:
        | 'speedUp'
        | 'cycles'
        | 'efficiency'
        | 'imbalance'
        | 'linkBytes'
        | 'energyTypicalPj'
        | 'powerTypicalMw'
        | 'energyDelayTypicalPjS';
    };
    readonly body: null;
    readonly answer: {
      readonly status: 200;
      readonly mediaType: 'image/svg+xml';
      readonly value: string;
    };
  };

  /** Get the lines of a plot of a study */
  getStudySeries: {
    readonly parameters: {
      readonly figure?:
        | 'speedUp'
        | 'cycles'
        | 'efficiency'
        | 'imbalance'
        | 'linkBytes'
        | 'energyTypicalPj'
        | 'powerTypicalMw'
        | 'energyDelayTypicalPjS';

      /** Horizontal axis: chiplets, or a swept hardware parameter that is a number */
      readonly over?: string;

      /** Id from the answer to POST /v1/studies */
      readonly id: string;
    };
    readonly body: null;
    readonly answer: {
      readonly status: 200;
      readonly mediaType: 'application/json';
      readonly value: StudySeries;
    };
  };

  /** Check whether the process responds */
  isLive: {
    readonly parameters: Readonly<Record<string, never>>;
    readonly body: null;
    readonly answer: {
      readonly status: 200;
      readonly mediaType: 'application/json';
      readonly value: { readonly status: 'ok' };
    };
  };

  /** Check whether the service can render a frame now */
  isReady: {
    readonly parameters: Readonly<Record<string, never>>;
    readonly body: null;
    readonly answer: {
      readonly status: 200;
      readonly mediaType: 'application/json';
      readonly value: { readonly status: 'ok' };
    };
  };

  /** Change the name or tags of a frame */
  labelFrame: {
    readonly parameters: {
      /** Id from the answer to POST /v1/frames */
      readonly id: string;
    };
    readonly body: {
      readonly mediaType: 'application/json';
      readonly value: {
        /** New name */
        readonly name?: string;

        /** Tags that replace all others; an empty list removes them */
        readonly tags?: readonly string[];
      };
    };
    readonly answer: {
      readonly status: 200;
      readonly mediaType: 'application/json';
      readonly value: FrameStatus;
    };
  };

  /** Change the name or tags of a sequence */
  labelSequence: {
    readonly parameters: {
      /** Id from the answer to POST /v1/sequences */
      readonly id: string;
    };
    readonly body: {
      readonly mediaType: 'application/json';
      readonly value: {
        /** New name */
        readonly name?: string;

        /** Tags that replace all others; an empty list removes them */
        readonly tags?: readonly string[];
      };
    };
    readonly answer: {
      readonly status: 200;
      readonly mediaType: 'application/json';
      readonly value: {
        readonly id: string;
        readonly status: 'running' | 'done' | 'failed' | 'cancelled';
        readonly submittedAt: string;
        readonly name: string;
        readonly tags: readonly string[];
        readonly frameCount: number;

        /** Addresses of the admitted frames */
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

  /** List the connected chiplets */
  listChiplets: {
    readonly parameters: Readonly<Record<string, never>>;
    readonly body: null;
    readonly answer: {
      readonly status: 200;
      readonly mediaType: 'application/json';
      readonly value: {
        readonly chiplets: readonly {
          /** Number of the chiplet; 0 is the visibility chiplet */
          readonly id: number;
          readonly role: 'visibility' | 'worker';
          readonly instance: string;

          /** Whether the chiplet takes part in the next frame */
          readonly isReady: boolean;
          readonly mode: 'idle' | 'visibility' | 'coarse-bin-rendering';

          /** Work in progress; binId is null in a visibility phase */
          readonly current: null | {
            /** Name of the rendering, which starts with the id of the frame and a slash */
            readonly frameId: string;
            readonly passIndex: number;
            readonly binId: null | number;
          };
          readonly pendingRequests: number;

          /** Number of bins rendered since the chiplet connected */
          readonly binsDone: number;

          /** Cycles of phases and bins that it timed by itself since it connected, with coupling=none */
          readonly cyclesDone: number;

          /** Number of wrong or unexpected answers, and of failed bins that other chiplets rendered; three suspend a worker */
          readonly faults: number;

          /** End of the suspension, in milliseconds since 1970; null if the chiplet is not suspended */
          readonly setAsideUntilMs: null | number;

          /** Whether its bins are used without a second chiplet rendering each of them */
          readonly isTrusted: boolean;

          /** Number of bins that another chiplet rendered with the same result, since the chiplet connected or was quarantined */
          readonly agreedBins: number;
        }[];
      };
    };
  };

  /** List all counters with their meaning */
  listCounters: {
    readonly parameters: Readonly<Record<string, never>>;
    readonly body: null;
    readonly answer: {
      readonly status: 200;
      readonly mediaType: 'application/json';
      readonly value: {
        readonly counters: readonly {
          readonly name: string;

          /** Unit of one count */
          readonly unit: string;

          /** Event that increments the counter */
          readonly meaning: string;

          /** Unit of the chiplet that owns the counter */
          readonly chipletUnit: string;
        }[];
      };
    };
  };

  /** List the draws of a frame with their state and cost */
  listFrameDraws: {
    readonly parameters: {
      /** Id from the answer to POST /v1/frames */
      readonly id: string;
    };
    readonly body: null;
    readonly answer:
      | {
          readonly status: 200;
          readonly mediaType: 'application/json';
          readonly value: {
            /** Index of the last pass that draws to the screen */
            readonly screenPass: number;
            readonly draws: readonly {
              readonly pass: number;

              /** Index of the draw in its pass */
              readonly draw: number;
              readonly program: number;
              readonly topology:
                | 'points'
                | 'lines'
                | 'line-strip'
                | 'line-loop'
                | 'triangles'
                | 'triangle-strip'
                | 'triangle-fan';

              /** Vertices of one instance */
              readonly vertices: number;
              readonly instances: number;

              /** Primitives of all instances */
              readonly primitives: number;
              readonly isIndexed: boolean;
              readonly textures: readonly (number | null)[];

              /** Fixed-function state; see the native frame format */
              readonly state: {};
              readonly depthStage: 'early' | 'late' | 'none';
              readonly cost: {
                readonly fragmentsCovered: number;
                readonly fragmentsEarlyKilled: number;
                readonly fragmentsShaded: number;
                readonly helperLanes: number;
                readonly fragmentsDiscarded: number;
                readonly fragmentsLateKilled: number;
                readonly fragmentsWritten: number;

                /** Instructions of the fragment shader, with those of helper lanes */
                readonly instructions: number;
              };
            }[];
          };
        }
      | { readonly status: 304; readonly mediaType: null; readonly value: null };
  };

  /** List the programs of a frame with their draws and costs */
  listFrameShaders: {
    readonly parameters: {
      /** Simulates the chiplets of the frame with coupling=exact, and adds what warps wait for (waits and warpCycles) */
      readonly waits?: boolean;

      /** Id from the answer to POST /v1/frames */
      readonly id: string;
    };
    readonly body: null;
    readonly answer:
      | {
          readonly status: 200;
          readonly mediaType: 'application/json';
          readonly value: {
            /** Index of the last pass that draws to the screen */
            readonly screenPass: number;

            /** Instructions that warps issued in the frame */
            readonly issued: number;

            /** Cycles for which they occupied the issue ports */
            readonly issueCycles: number;
            readonly programs: readonly {
              /** Index of the program in the frame */
              readonly program: number;

              /** Draws that use the program */
              readonly draws: readonly {
                readonly pass: number;

                /** Index of the draw in its pass */
                readonly draw: number;
              }[];

              /** Stages that some warp ran */
              readonly stages: readonly {
                /** positionOnly is the slice of the vertex shader that the visibility phase runs */
                readonly stage: 'vertex' | 'positionOnly' | 'fragment';

                /** Length of the code */
                readonly instructions: number;

                /** Instructions that warps issued */
                readonly issued: number;

                /** Cycles for which they occupied the issue ports of shader cores */
                readonly issueCycles: number;

                /** Lanes that these instructions had, summed over them */
                readonly lanes: number;

                /** Texture lookups that warps made */
                readonly lookups: number;

                /** Cycles for which warps wait there, by kind; only with waits=true */
                readonly waits?: {
                  readonly operands: number;
                  readonly lookup: number;
                  readonly texels: number;
                  readonly texelsL2: number;
                  readonly texelsDram: number;
                  readonly texelsRemote: number;
                };

                /** Cycles of warps in slots of shader cores, by kind as in the counters shaderCore.warpCycles…; only with waits=true */
                readonly warpCycles?: {
                  readonly start: number;
                  readonly registers: number;
                  readonly program: number;
                  readonly constants: number;
                  readonly ready: number;
                  readonly issue: number;
                  readonly operands: number;
                  readonly lookup: number;
                  readonly texels: number;
                  readonly texelsL2: number;
                  readonly texelsDram: number;
                  readonly texelsRemote: number;
                  readonly output: number;
                  readonly results: number;
                };
              }[];
            }[];
          };
        }
      | { readonly status: 304; readonly mediaType: null; readonly value: null };
  };

  /** List frames, newest first */
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

      /** Earliest time of posting (ISO 8601) */
      readonly from?: string;

      /** Part of the name, of a tag, or of the kind and size of the file */
      readonly search?: string;

      /** Tag that a frame has */
      readonly tag?: string;
      readonly limit?: number;

      /** Cursor from `next` of the previous page */
      readonly cursor?: number;
    };
    readonly body: null;
    readonly answer: {
      readonly status: 200;
      readonly mediaType: 'application/json';
      readonly value: {
        readonly frames: readonly FrameStatus[];

        /** Address of the next page; null on the last one */
        readonly next: null | string;
      };
    };
  };

  /** List sequences, newest first */
  listSequences: {
    readonly parameters: {
      readonly limit?: number;

      /** Cursor from `next` of the previous page */
      readonly cursor?: number;
    };
    readonly body: null;
    readonly answer: {
      readonly status: 200;
      readonly mediaType: 'application/json';
      readonly value: {
        /** Address of the next page; null on the last one */
        readonly next: null | string;
        readonly sequences: readonly {
          readonly id: string;
          readonly status: 'running' | 'done' | 'failed' | 'cancelled';
          readonly submittedAt: string;
          readonly name: string;
          readonly tags: readonly string[];
          readonly frameCount: number;

          /** Addresses of the admitted frames */
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

  /** List the hardware parameters with unit, range and meaning */
  listSpecParameters: {
    readonly parameters: Readonly<Record<string, never>>;
    readonly body: null;
    readonly answer: {
      readonly status: 200;
      readonly mediaType: 'application/json';
      readonly value: {
        readonly parameters: readonly {
          readonly name: string;
          readonly kind: 'integer' | 'switch' | 'choice';
          readonly unit: null | string;
          readonly min: null | number;
          readonly max: null | number;
          readonly isPowerOfTwo: boolean;

          /** Values of a choice; null for others */
          readonly values: null | readonly string[];
          readonly default: unknown;
          readonly meaning: string;
        }[];
      };
    };
  };

  /** List presets and stored specifications */
  listSpecs: {
    readonly parameters: Readonly<Record<string, never>>;
    readonly body: null;
    readonly answer: {
      readonly status: 200;
      readonly mediaType: 'application/json';
      readonly value: {
        /** Preset of requests that name none */
        readonly default: string;
        readonly specs: readonly {
          readonly name: string;
          readonly isPreset: boolean;

          /** Content that was stored; null for a preset */
          readonly description: null | {
            /** Preset that it starts from; `default` */
            readonly preset?: string;

            /** Parameters that differ from it */
            readonly set?: {};
          };

          /** All values; null if the content is not valid in this version of the service */
          readonly spec: null | {
            readonly name: string;
            readonly fineBinPx: number;
            readonly clockHz: number;
            readonly parameters: {};
          };

          /** Why `spec` is null: the parameter, its value and the range */
          readonly problem: null | string;
        }[];
      };
    };
  };

  /** List studies, newest first */
  listStudies: {
    readonly parameters: Readonly<Record<string, never>>;
    readonly body: null;
    readonly answer: {
      readonly status: 200;
      readonly mediaType: 'application/json';
      readonly value: { readonly studies: readonly StudyStatus[] };
    };
  };

  /** Get a page of the rows of a study */
  listStudyRows: {
    readonly parameters: {
      /** Number of the first row */
      readonly from?: number;
      readonly limit?: number;

      /** Id from the answer to POST /v1/studies */
      readonly id: string;
    };
    readonly body: null;
    readonly answer: {
      readonly status: 200;
      readonly mediaType: 'application/json';
      readonly value: StudyRowPage;
    };
  };

  /** Render a model, a frame of an OpenGL capture, or a native frame */
  postFrame: {
    readonly parameters: {
      /** Width in pixels; 1280 by default. Models only: a capture has the size of its window */
      readonly width?: number;

      /** Height in pixels; 720 by default. Models only */
      readonly height?: number;

      /** Assignment of coarse bins to chiplets; changes the report, never the image */
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

      /** Number of coarse bins; small images get fewer */
      readonly bins?: number;

      /** Replaces `bins`: 2x2 (columns × rows), 32 (bins), 8/chiplet, or auto */
      readonly grid?: string;

      /** Number of times the costliest bin is halved after the visibility phase */
      readonly split?: number;

      /** Vertex shader of the visibility phase: the slice that positions need, the full shader, or the cheaper one per pass */
      readonly visibility?: 'minimal' | 'full' | 'auto';

      /** Number of chiplets that share each visibility phase, by ranges of the primitives; 1 by default. More than 1 needs `chiplets`, at least as many */
      readonly visibilityChiplets?: number;

      /** Whether visibility is sent when its phase ends, the default, or streamed in segments. `stream` needs replicated streams and no `split` */
      readonly visibilityDelivery?: 'phase' | 'stream';

      /** Whether the visibility phase culls primitives hidden behind earlier ones */
      readonly occlusion?: boolean;

      /** functional: computes only image and counters; all cycle figures are null. cycle: simulates every unit cycle by cycle */
      readonly timing?: 'functional' | 'cycle';

      /** With timing=cycle. exact: simulates chiplets that run on from bin to bin, at most 256 of them. none: times each bin by itself, which is a fast estimate */
      readonly coupling?: 'none' | 'exact';

      /** Specification of the simulated chiplets: a preset or a stored one (see GET /v1/specs); by default that of the service */
      readonly spec?: string;

      /** Parameters that differ from the specification: `name=value` separated by commas, for instance `l2CacheBytes=1Mi,dramChannels=8,hasL2Cache=on` (see GET /v1/specs/parameters) */
      readonly set?: string;

      /** Number of chiplets of the simulated GPU, including the visibility chiplet; by default the number that is connected. A larger number shares the connected processes, which changes no result */
      readonly chiplets?: number;

      /** Topology of the crosslink; by default the service's setting, usually bus. Those after full need coupling=exact */
      readonly linkTopology?: 'bus' | 'ring' | 'full' | 'mesh' | 'switch' | 'packages';

      /** Bandwidth of a crosslink channel in each direction, in bytes per simulated cycle; by default the service's setting, usually 256 */
      readonly linkBytesPerCycle?: number;

      /** Latency of a crosslink channel, in simulated cycles; by default the service's setting, usually 32 */
      readonly linkLatencyCycles?: number;

      /** Start of the visibility phase of the next pass or frame on chiplet 0: after all earlier work, after the bins of chiplet 0, or as early as possible; visibility-first by default */
      readonly overlap?: 'none' | 'after-own-bins' | 'visibility-first';

      /** Way in which chiplets share frames: two-level binning, or one of the baselines; binned by default. sort-last needs `chiplets` */
      readonly organization?: 'binned' | 'split-frame' | 'sort-last' | 'alternate-frame';

      /** Technology of local memory, for the energy alone; gddr6 by default */
      readonly energyMemory?: 'gddr6' | 'lpddr5' | 'hbm2';

      /** Class of links between chiplets, for the energy alone; standard-package by default */
      readonly energyLinkClass?:
        | 'on-chip'
        | 'standard-package'
        | 'advanced-package'
        | 'board'
        | 'system';

      /** Class of links between packages, for the energy alone; board by default */
      readonly energyPackageLinkClass?:
        | 'on-chip'
        | 'standard-package'
        | 'advanced-package'
        | 'board'
        | 'system';

      /** Placement of resources in the memories of the chiplets: replicated, interleaved, first-touch, home, or a word for each of textures, buffers, streams, for instance `textures=interleaved,targets=kept`. targets and framebuffer are gathered, kept, interleaved. All but replicated and gathered, the defaults, need timing=cycle and coupling=exact */
      readonly placement?: string;

      /** Length of the intervals of the timeline in cycles: 8192, 512 or 1, for instance. The timeline then also has counters of memory, cache, warp slots and link. Needs timing=cycle and coupling=exact */
      readonly timeline?: number;

      /** Index of the model’s camera; by default the first, or one that frames the model if it has none */
      readonly camera?: number;

      /** Time of the model’s animation in seconds; 0 by default */
      readonly time?: number;

      /** Models only. full (default): materials of Khronos, image-based light, antialiasing. simple: one pass under a fixed light */
      readonly quality?: 'simple' | 'full';

      /** Models only. Light of the surroundings in full quality: studio, day, dusk, or a panorama in Radiance HDR or OpenEXR */
      readonly environment?: string;

      /** Models only. environment, transparent, or a color as #rrggbb; full quality only */
      readonly background?: string;

      /** Models only. Factor of all light, above 0; full quality only */
      readonly exposure?: string;

      /** Models only. Tone mapping in full quality: neutral, aces, agx, linear */
      readonly tone?: 'neutral' | 'aces' | 'agx' | 'linear';

      /** Models only. on or off: shadows of the lights of the model; full quality only */
      readonly shadows?: 'on' | 'off';

      /** Models only. none, or shadow: a soft shadow on the ground under the model; full quality only */
      readonly ground?: 'none' | 'shadow';

      /** Models only. What occludes the light of the environment: texture, or screen, which is also what the image shows; full quality only */
      readonly ambient?: 'texture' | 'screen';

      /** Models only. Samples per pixel in full quality: 1, 4 or 8 */
      readonly samples?: '1' | '4' | '8';

      /** Models only. Name of a variant of the materials (KHR_materials_variants); by default none */
      readonly variant?: string;

      /** Models only. Camera around the model: azimuth,elevation in degrees, and optionally the distance as factor */
      readonly orbit?: string;

      /** Models only. Point that the camera looks at: x,y,z */
      readonly target?: string;

      /** Frame of the capture: its index, counted in buffer swaps from 0, `end` for the one that ends with the capture, or `last` for the last one that draws something; 0 by default */
      readonly frame?: number | 'end' | 'last';

      /** Number of the call that ends the frame, instead of `frame`. The image is that of the framebuffer that is bound then, for `glReadPixels` that for reading */
      readonly call?: number;

      /** Name in lists, studies and plots, such as that of the file. By default the name of the file in a form, or else the kind of the file */
      readonly name?: string;

      /** Words by which it can be found, separated by commas; at most 20 of 50 characters */
      readonly tags?: string;

      /** wait=N: wait up to N seconds for the result, and answer with it */
      readonly prefer?: string;

      /** Key of the request; a repeated request with the same key returns the same frame */
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

  /** Render frames in order, or simulate rendered frames in order */
  postSequence: {
    readonly parameters: {
      /** Width in pixels; 1280 by default. Models only: a capture has the size of its window */
      readonly width?: number;

      /** Height in pixels; 720 by default. Models only */
      readonly height?: number;

      /** Assignment of coarse bins to chiplets; changes the report, never the image */
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

      /** Number of coarse bins; small images get fewer */
      readonly bins?: number;

      /** Replaces `bins`: 2x2 (columns × rows), 32 (bins), 8/chiplet, or auto */
      readonly grid?: string;

      /** Number of times the costliest bin is halved after the visibility phase */
      readonly split?: number;

      /** Vertex shader of the visibility phase: the slice that positions need, the full shader, or the cheaper one per pass */
      readonly visibility?: 'minimal' | 'full' | 'auto';

      /** Number of chiplets that share each visibility phase, by ranges of the primitives; 1 by default. More than 1 needs `chiplets`, at least as many */
      readonly visibilityChiplets?: number;

      /** Whether visibility is sent when its phase ends, the default, or streamed in segments. `stream` needs replicated streams and no `split` */
      readonly visibilityDelivery?: 'phase' | 'stream';

      /** Whether the visibility phase culls primitives hidden behind earlier ones */
      readonly occlusion?: boolean;

      /** functional: computes only image and counters; all cycle figures are null. cycle: simulates every unit cycle by cycle */
      readonly timing?: 'functional' | 'cycle';

      /** With timing=cycle. exact: simulates chiplets that run on from bin to bin, at most 256 of them. none: times each bin by itself, which is a fast estimate */
      readonly coupling?: 'none' | 'exact';

      /** Specification of the simulated chiplets: a preset or a stored one (see GET /v1/specs); by default that of the service */
      readonly spec?: string;

      /** Parameters that differ from the specification: `name=value` separated by commas, for instance `l2CacheBytes=1Mi,dramChannels=8,hasL2Cache=on` (see GET /v1/specs/parameters) */
      readonly set?: string;

      /** Number of chiplets of the simulated GPU, including the visibility chiplet; by default the number that is connected. A larger number shares the connected processes, which changes no result */
      readonly chiplets?: number;

      /** Topology of the crosslink; by default the service's setting, usually bus. Those after full need coupling=exact */
      readonly linkTopology?: 'bus' | 'ring' | 'full' | 'mesh' | 'switch' | 'packages';

      /** Bandwidth of a crosslink channel in each direction, in bytes per simulated cycle; by default the service's setting, usually 256 */
      readonly linkBytesPerCycle?: number;

      /** Latency of a crosslink channel, in simulated cycles; by default the service's setting, usually 32 */
      readonly linkLatencyCycles?: number;

      /** Start of the visibility phase of the next pass or frame on chiplet 0: after all earlier work, after the bins of chiplet 0, or as early as possible; visibility-first by default */
      readonly overlap?: 'none' | 'after-own-bins' | 'visibility-first';

      /** Way in which chiplets share frames: two-level binning, or one of the baselines; binned by default. sort-last needs `chiplets` */
      readonly organization?: 'binned' | 'split-frame' | 'sort-last' | 'alternate-frame';

      /** Technology of local memory, for the energy alone; gddr6 by default */
      readonly energyMemory?: 'gddr6' | 'lpddr5' | 'hbm2';

      /** Class of links between chiplets, for the energy alone; standard-package by default */
      readonly energyLinkClass?:
        | 'on-chip'
        | 'standard-package'
        | 'advanced-package'
        | 'board'
        | 'system';

      /** Class of links between packages, for the energy alone; board by default */
      readonly energyPackageLinkClass?:
        | 'on-chip'
        | 'standard-package'
        | 'advanced-package'
        | 'board'
        | 'system';

      /** Placement of resources in the memories of the chiplets: replicated, interleaved, first-touch, home, or a word for each of textures, buffers, streams, for instance `textures=interleaved,targets=kept`. targets and framebuffer are gathered, kept, interleaved. All but replicated and gathered, the defaults, need timing=cycle and coupling=exact */
      readonly placement?: string;

      /** Length of the intervals of the timeline in cycles: 8192, 512 or 1, for instance. The timeline then also has counters of memory, cache, warp slots and link. Needs timing=cycle and coupling=exact */
      readonly timeline?: number;

      /** Index of the model’s camera; by default the first, or one that frames the model if it has none */
      readonly camera?: number;

      /** Models only. full (default): materials of Khronos, image-based light, antialiasing. simple: one pass under a fixed light */
      readonly quality?: 'simple' | 'full';

      /** Models only. Light of the surroundings in full quality: studio, day, dusk, or a panorama in Radiance HDR or OpenEXR */
      readonly environment?: string;

      /** Models only. environment, transparent, or a color as #rrggbb; full quality only */
      readonly background?: string;

      /** Models only. Factor of all light, above 0; full quality only */
      readonly exposure?: string;

      /** Models only. Tone mapping in full quality: neutral, aces, agx, linear */
      readonly tone?: 'neutral' | 'aces' | 'agx' | 'linear';

      /** Models only. on or off: shadows of the lights of the model; full quality only */
      readonly shadows?: 'on' | 'off';

      /** Models only. none, or shadow: a soft shadow on the ground under the model; full quality only */
      readonly ground?: 'none' | 'shadow';

      /** Models only. What occludes the light of the environment: texture, or screen, which is also what the image shows; full quality only */
      readonly ambient?: 'texture' | 'screen';

      /** Models only. Samples per pixel in full quality: 1, 4 or 8 */
      readonly samples?: '1' | '4' | '8';

      /** Models only. Name of a variant of the materials (KHR_materials_variants); by default none */
      readonly variant?: string;

      /** Models only. Camera around the model: azimuth,elevation in degrees, and optionally the distance as factor */
      readonly orbit?: string;

      /** Models only. Point that the camera looks at: x,y,z */
      readonly target?: string;

      /** Index of the capture’s first frame, counted in buffer swaps from 0; 0 by default */
      readonly frame?: number;

      /** Name in lists, studies and plots, such as that of the file. By default the name of the file in a form, or else the kind of the file */
      readonly name?: string;

      /** Words by which it can be found, separated by commas; at most 20 of 50 characters */
      readonly tags?: string;

      /** Number of frames of the model or capture */
      readonly frames?: number;

      /** Time of a model’s first frame in seconds */
      readonly from?: number;

      /** Time of a model’s last frame in seconds */
      readonly to?: number;

      /** Degrees by which the camera moves around a model in all frames together: 360 is a turntable */
      readonly turn?: number;

      /** Upper bound on frames in flight in simulated time, from their start to their last bin */
      readonly inFlight?: number;

      /** wait=N: wait up to N seconds for the result, and answer with it */
      readonly prefer?: string;
    };
    readonly body:
      | { readonly mediaType: 'model/gltf-binary'; readonly value: Uint8Array | string }
      | { readonly mediaType: 'model/gltf+json'; readonly value: Uint8Array | string }
      | { readonly mediaType: 'application/vnd.apitrace'; readonly value: Uint8Array | string }
      | {
          readonly mediaType: 'application/json';
          readonly value: {
            /** Ids of posted frames, in order */
            readonly frames: readonly string[];
          };
        }
      | { readonly mediaType: 'multipart/form-data'; readonly value: Uint8Array | string };
    readonly answer:
      | {
          readonly status: 200;
          readonly mediaType: 'application/json';
          readonly value: {
            readonly sequenceVersion: 1;
            readonly timing: string;

            /** none: cycles are an estimate */
            readonly coupling: string;

            /** Same as in the report of a frame */
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

              /** Source of the costs by which bins were assigned */
              readonly prediction: string;
            }[];
            readonly steadyState: null | {
              readonly firstFrame: number;
              readonly lastFrame: number;
              readonly cyclesPerFrame: number;
              readonly framesPerSecond: number;

              /** Speed-up over one chiplet */
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

            /** Same as in the report of a frame */
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
            readonly name: string;
            readonly tags: readonly string[];
            readonly frameCount: number;

            /** Addresses of the admitted frames */
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

        /** Ids of posted frames of any status */
        readonly frames: readonly string[];

        /** Numbers of chiplets, each including the visibility chiplet */
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

        /** Presets and stored specifications (see GET /v1/specs), or objects with `preset` and `set` */
        readonly specs?: readonly unknown[];

        /** Values by hardware parameter (see GET /v1/specs/parameters). Every combination is applied to each of `specs` */
        readonly sweep?: {};

        /** Numbers of coarse bins; 32 by default */
        readonly bins?: readonly number[];
        readonly visibility?: readonly ('minimal' | 'full')[];

        /** exact (default): simulates the chiplets for each row. none: cycles are an estimate from bins that were timed by themselves */
        readonly coupling?: 'none' | 'exact';

        /** In place of `bins`: columns × rows, or a number of bins. Grids that depend on the number of chiplets are refused */
        readonly grids?: readonly string[];

        /** Numbers of times the costliest bin is halved; by default that of the frame */
        readonly splits?: readonly number[];

        /** Whether the visibility phase culls primitives hidden behind earlier ones; by default as in the posted frame */
        readonly occlusion?: readonly boolean[];

        /** Ways in which chiplets share frames; by default that of the frame. sort-last is refused: its rendering holds for one number of chiplets */
        readonly organizations?: readonly (
          | 'binned'
          | 'split-frame'
          | 'sort-last'
          | 'alternate-frame'
        )[];

        /** Numbers of chiplets that share each visibility phase, at most the fewest `chiplets`; by default that of the frame */
        readonly visibilityChiplets?: readonly number[];

        /** Whether visibility is sent when its phase ends, or streamed in segments; by default as in the posted frame */
        readonly visibilityDelivery?: readonly ('phase' | 'stream')[];

        /** Sizes of the images of models, WIDTHxHEIGHT; by default that of the frame */
        readonly sizes?: readonly string[];

        /** Frames of captures, counted in buffer swaps from 0; by default that of the frame */
        readonly frameIndices?: readonly number[];

        /** Topologies of the link; by default that of the service */
        readonly linkTopologies?: readonly (
          | 'bus'
          | 'ring'
          | 'full'
          | 'mesh'
          | 'switch'
          | 'packages'
        )[];

        /** Bandwidths of a channel of the link, in bytes per cycle; by default that of the service */
        readonly linkBytesPerCycle?: readonly number[];

        /** Latencies of a channel of the link, in cycles; by default that of the service */
        readonly linkLatencyCycles?: readonly number[];

        /** Placements of resources in the memories of the chiplets; `replicated` by default */
        readonly placements?: readonly string[];

        /** Times at which chiplet 0 starts the visibility phase of the next pass; visibility-first by default */
        readonly overlaps?: readonly ('none' | 'after-own-bins' | 'visibility-first')[];

        /** Counters that rows and CSV have, summed over the chiplets (see docs/counters.md). They need `coupling: exact`, and a rendering for each specification */
        readonly counters?: readonly string[];

        /** Technologies of the energy that rows and CSV have (see docs/energy.md); an empty object for the defaults. It needs what `counters` need */
        readonly energy?: {
          /** Technology of local memory, for the energy alone; gddr6 by default */
          readonly memory?: 'gddr6' | 'lpddr5' | 'hbm2';

          /** Class of links between chiplets, for the energy alone; standard-package by default */
          readonly linkClass?:
            | 'on-chip'
            | 'standard-package'
            | 'advanced-package'
            | 'board'
            | 'system';

          /** Class of links between packages, for the energy alone; board by default */
          readonly packageLinkClass?:
            | 'on-chip'
            | 'standard-package'
            | 'advanced-package'
            | 'board'
            | 'system';
        };
      };
    };
    readonly answer: {
      readonly status: 202;
      readonly mediaType: 'application/json';
      readonly value: StudyStatus;
    };
  };

  /** Upload a buffer, a texture level or a shader source for frames to name */
  putResource: {
    readonly parameters: {
      /** SHA-256 in lower-case hexadecimal */
      readonly sha256: string;
    };
    readonly body: {
      readonly mediaType: 'application/octet-stream';
      readonly value: Uint8Array | string;
    };
    readonly answer:
      | { readonly status: 201; readonly mediaType: null; readonly value: null }
      | { readonly status: 204; readonly mediaType: null; readonly value: null };
  };

  /** Store a specification */
  putSpec: {
    readonly parameters: {
      /** Name of the specification: lower-case letters, digits, `.`, `_` and `-` */
      readonly name: string;
    };
    readonly body: {
      readonly mediaType: 'application/json';
      readonly value: {
        /** Preset that it starts from; `default` */
        readonly preset?: string;

        /** Parameters that differ from it */
        readonly set?: {};
      };
    };
    readonly answer:
      | {
          readonly status: 200;
          readonly mediaType: 'application/json';
          readonly value: {
            readonly name: string;
            readonly isPreset: boolean;

            /** Content that was stored; null for a preset */
            readonly description: null | {
              /** Preset that it starts from; `default` */
              readonly preset?: string;

              /** Parameters that differ from it */
              readonly set?: {};
            };

            /** All values; null if the content is not valid in this version of the service */
            readonly spec: null | {
              readonly name: string;
              readonly fineBinPx: number;
              readonly clockHz: number;
              readonly parameters: {};
            };

            /** Why `spec` is null: the parameter, its value and the range */
            readonly problem: null | string;
          };
        }
      | {
          readonly status: 201;
          readonly mediaType: 'application/json';
          readonly value: {
            readonly name: string;
            readonly isPreset: boolean;

            /** Content that was stored; null for a preset */
            readonly description: null | {
              /** Preset that it starts from; `default` */
              readonly preset?: string;

              /** Parameters that differ from it */
              readonly set?: {};
            };

            /** All values; null if the content is not valid in this version of the service */
            readonly spec: null | {
              readonly name: string;
              readonly fineBinPx: number;
              readonly clockHz: number;
              readonly parameters: {};
            };

            /** Why `spec` is null: the parameter, its value and the range */
            readonly problem: null | string;
          };
        };
  };

  /** Render a posted frame again with other options */
  renderFrameAgain: {
    readonly parameters: {
      /** Width in pixels; 1280 by default. Models only: a capture has the size of its window */
      readonly width?: number;

      /** Height in pixels; 720 by default. Models only */
      readonly height?: number;

      /** Replaces `bins`: 2x2 (columns × rows), 32 (bins), 8/chiplet, or auto */
      readonly grid?: string;

      /** Number of times the costliest bin is halved after the visibility phase */
      readonly split?: number;

      /** Number of chiplets that share each visibility phase, by ranges of the primitives; 1 by default. More than 1 needs `chiplets`, at least as many */
      readonly visibilityChiplets?: number;

      /** Whether visibility is sent when its phase ends, the default, or streamed in segments. `stream` needs replicated streams and no `split` */
      readonly visibilityDelivery?: 'phase' | 'stream';

      /** Whether the visibility phase culls primitives hidden behind earlier ones */
      readonly occlusion?: boolean;

      /** Specification of the simulated chiplets: a preset or a stored one (see GET /v1/specs); by default that of the service */
      readonly spec?: string;

      /** Parameters that differ from the specification: `name=value` separated by commas, for instance `l2CacheBytes=1Mi,dramChannels=8,hasL2Cache=on` (see GET /v1/specs/parameters) */
      readonly set?: string;

      /** Number of chiplets of the simulated GPU, including the visibility chiplet; by default the number that is connected. A larger number shares the connected processes, which changes no result */
      readonly chiplets?: number;

      /** Topology of the crosslink; by default the service's setting, usually bus. Those after full need coupling=exact */
      readonly linkTopology?: 'bus' | 'ring' | 'full' | 'mesh' | 'switch' | 'packages';

      /** Bandwidth of a crosslink channel in each direction, in bytes per simulated cycle; by default the service's setting, usually 256 */
      readonly linkBytesPerCycle?: number;

      /** Latency of a crosslink channel, in simulated cycles; by default the service's setting, usually 32 */
      readonly linkLatencyCycles?: number;

      /** Start of the visibility phase of the next pass or frame on chiplet 0: after all earlier work, after the bins of chiplet 0, or as early as possible; visibility-first by default */
      readonly overlap?: 'none' | 'after-own-bins' | 'visibility-first';

      /** Way in which chiplets share frames: two-level binning, or one of the baselines; binned by default. sort-last needs `chiplets` */
      readonly organization?: 'binned' | 'split-frame' | 'sort-last' | 'alternate-frame';

      /** Technology of local memory, for the energy alone; gddr6 by default */
      readonly energyMemory?: 'gddr6' | 'lpddr5' | 'hbm2';

      /** Class of links between chiplets, for the energy alone; standard-package by default */
      readonly energyLinkClass?:
        | 'on-chip'
        | 'standard-package'
        | 'advanced-package'
        | 'board'
        | 'system';

      /** Class of links between packages, for the energy alone; board by default */
      readonly energyPackageLinkClass?:
        | 'on-chip'
        | 'standard-package'
        | 'advanced-package'
        | 'board'
        | 'system';

      /** Placement of resources in the memories of the chiplets: replicated, interleaved, first-touch, home, or a word for each of textures, buffers, streams, for instance `textures=interleaved,targets=kept`. targets and framebuffer are gathered, kept, interleaved. All but replicated and gathered, the defaults, need timing=cycle and coupling=exact */
      readonly placement?: string;

      /** Length of the intervals of the timeline in cycles: 8192, 512 or 1, for instance. The timeline then also has counters of memory, cache, warp slots and link. Needs timing=cycle and coupling=exact */
      readonly timeline?: number;

      /** Index of the model’s camera; by default the first, or one that frames the model if it has none */
      readonly camera?: number;

      /** Time of the model’s animation in seconds; 0 by default */
      readonly time?: number;

      /** Models only. full (default): materials of Khronos, image-based light, antialiasing. simple: one pass under a fixed light */
      readonly quality?: 'simple' | 'full';

      /** Models only. Light of the surroundings in full quality: studio, day, dusk, or a panorama in Radiance HDR or OpenEXR */
      readonly environment?: string;

      /** Models only. environment, transparent, or a color as #rrggbb; full quality only */
      readonly background?: string;

      /** Models only. Factor of all light, above 0; full quality only */
      readonly exposure?: string;

      /** Models only. Tone mapping in full quality: neutral, aces, agx, linear */
      readonly tone?: 'neutral' | 'aces' | 'agx' | 'linear';

      /** Models only. on or off: shadows of the lights of the model; full quality only */
      readonly shadows?: 'on' | 'off';

      /** Models only. none, or shadow: a soft shadow on the ground under the model; full quality only */
      readonly ground?: 'none' | 'shadow';

      /** Models only. What occludes the light of the environment: texture, or screen, which is also what the image shows; full quality only */
      readonly ambient?: 'texture' | 'screen';

      /** Models only. Samples per pixel in full quality: 1, 4 or 8 */
      readonly samples?: '1' | '4' | '8';

      /** Models only. Name of a variant of the materials (KHR_materials_variants); by default none */
      readonly variant?: string;

      /** Models only. Camera around the model: azimuth,elevation in degrees, and optionally the distance as factor */
      readonly orbit?: string;

      /** Models only. Point that the camera looks at: x,y,z */
      readonly target?: string;

      /** Assignment of coarse bins to chiplets; changes the report, never the image */
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

      /** Number of coarse bins; small images get fewer */
      readonly bins?: number;

      /** Vertex shader of the visibility phase: the slice that positions need, the full shader, or the cheaper one per pass */
      readonly visibility?: 'minimal' | 'full' | 'auto';

      /** functional: computes only image and counters; all cycle figures are null. cycle: simulates every unit cycle by cycle */
      readonly timing?: 'functional' | 'cycle';

      /** With timing=cycle. exact: simulates chiplets that run on from bin to bin, at most 256 of them. none: times each bin by itself, which is a fast estimate */
      readonly coupling?: 'none' | 'exact';

      /** Id from the answer to POST /v1/frames */
      readonly id: string;
    };
    readonly body: null;
    readonly answer: {
      readonly status: 202;
      readonly mediaType: 'application/json';
      readonly value: FrameStatus;
    };
  };

  /** Sign in: exchange a token for a session cookie */
  signIn: {
    readonly parameters: Readonly<Record<string, never>>;
    readonly body: {
      readonly mediaType: 'application/json';
      readonly value: { readonly token: string };
    };
    readonly answer: { readonly status: 204; readonly mediaType: null; readonly value: null };
  };

  /** Sign out: delete the session cookie */
  signOut: {
    readonly parameters: Readonly<Record<string, never>>;
    readonly body: null;
    readonly answer: { readonly status: 204; readonly mediaType: null; readonly value: null };
  };

  /** Follow a frame by server-sent events */
  watchFrame: {
    readonly parameters: {
      /** Id from the answer to POST /v1/frames */
      readonly id: string;

      /** Id of the last event that the client received */
      readonly 'last-event-id'?: string;
    };
    readonly body: null;
    readonly answer:
      | { readonly status: 200; readonly mediaType: 'text/event-stream'; readonly value: null }
      | { readonly status: 204; readonly mediaType: null; readonly value: null };
  };

  /** Follow the queue, frames, chiplets and studies by server-sent events */
  watchService: {
    readonly parameters: {
      /** Id of the last event that the client received */
      readonly 'last-event-id'?: string;
    };
    readonly body: null;
    readonly answer: {
      readonly status: 200;
      readonly mediaType: 'text/event-stream';
      readonly value: null;
    };
  };

  /** Follow a study by server-sent events */
  watchStudy: {
    readonly parameters: {
      /** Id from the answer to POST /v1/studies */
      readonly id: string;

      /** Id of the last event that the client received */
      readonly 'last-event-id'?: string;
    };
    readonly body: null;
    readonly answer:
      | { readonly status: 200; readonly mediaType: 'text/event-stream'; readonly value: null }
      | { readonly status: 204; readonly mediaType: null; readonly value: null };
  };
}

/** Method and path of each operation. */
export const OPERATIONS = {
  deleteFrame: { method: 'DELETE', path: '/v1/frames/{id}', query: [], headers: [] },
  deleteSequence: { method: 'DELETE', path: '/v1/sequences/{id}', query: [], headers: [] },
  deleteSpec: { method: 'DELETE', path: '/v1/specs/{name}', query: [], headers: [] },
  deleteStudy: { method: 'DELETE', path: '/v1/studies/{id}', query: [], headers: [] },
  getFrame: { method: 'GET', path: '/v1/frames/{id}', query: [], headers: [] },
  getFrameHeatMap: {
    method: 'GET',
    path: '/v1/frames/{id}/heatmap',
    query: ['metric', 'pass', 'block', 'home', 'format'],
    headers: [],
  },
  getFrameImage: {
    method: 'GET',
    path: '/v1/frames/{id}/image',
    query: ['target', 'bins', 'draw'],
    headers: [],
  },
  getFrameMeasurement: {
    method: 'GET',
    path: '/v1/frames/{id}/measurement',
    query: [],
    headers: [],
  },
  getFrameReport: { method: 'GET', path: '/v1/frames/{id}/report', query: [], headers: [] },
  getFrameTimeline: { method: 'GET', path: '/v1/frames/{id}/timeline', query: [], headers: [] },
  getMetrics: { method: 'GET', path: '/metrics', query: [], headers: [] },
  getPixelHistory: {
    method: 'GET',
    path: '/v1/frames/{id}/pixels/{x}/{y}',
    query: ['pass', 'sample'],
    headers: [],
  },
  getQuota: { method: 'GET', path: '/v1/quota', query: [], headers: [] },
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
  getShaderProfile: {
    method: 'GET',
    path: '/v1/frames/{id}/shaders/{program}',
    query: ['waits', 'pass', 'draw'],
    headers: [],
  },
  getSpec: { method: 'GET', path: '/v1/specs/{name}', query: [], headers: [] },
  getStudy: { method: 'GET', path: '/v1/studies/{id}', query: ['rows'], headers: [] },
  getStudyCsv: { method: 'GET', path: '/v1/studies/{id}/results.csv', query: [], headers: [] },
  getStudyParquet: {
    method: 'GET',
    path: '/v1/studies/{id}/results.parquet',
    query: [],
    headers: [],
  },
  getStudyPlot: { method: 'GET', path: '/v1/studies/{id}/plots/{plot}', query: [], headers: [] },
  getStudySeries: {
    method: 'GET',
    path: '/v1/studies/{id}/series',
    query: ['figure', 'over'],
    headers: [],
  },
  isLive: { method: 'GET', path: '/livez', query: [], headers: [] },
  isReady: { method: 'GET', path: '/readyz', query: [], headers: [] },
  labelFrame: { method: 'PATCH', path: '/v1/frames/{id}', query: [], headers: [] },
  labelSequence: { method: 'PATCH', path: '/v1/sequences/{id}', query: [], headers: [] },
  listChiplets: { method: 'GET', path: '/v1/chiplets', query: [], headers: [] },
  listCounters: { method: 'GET', path: '/v1/counters', query: [], headers: [] },
  listFrameDraws: { method: 'GET', path: '/v1/frames/{id}/draws', query: [], headers: [] },
  listFrameShaders: {
    method: 'GET',
    path: '/v1/frames/{id}/shaders',
    query: ['waits'],
    headers: [],
  },
  listFrames: {
    method: 'GET',
    path: '/v1/frames',
    query: ['status', 'policy', 'from', 'search', 'tag', 'limit', 'cursor'],
    headers: [],
  },
  listSequences: { method: 'GET', path: '/v1/sequences', query: ['limit', 'cursor'], headers: [] },
  listSpecParameters: { method: 'GET', path: '/v1/specs/parameters', query: [], headers: [] },
  listSpecs: { method: 'GET', path: '/v1/specs', query: [], headers: [] },
  listStudies: { method: 'GET', path: '/v1/studies', query: [], headers: [] },
  listStudyRows: {
    method: 'GET',
    path: '/v1/studies/{id}/rows',
    query: ['from', 'limit'],
    headers: [],
  },
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
      'visibilityChiplets',
      'visibilityDelivery',
      'occlusion',
      'timing',
      'coupling',
      'spec',
      'set',
      'chiplets',
      'linkTopology',
      'linkBytesPerCycle',
      'linkLatencyCycles',
      'overlap',
      'organization',
      'energyMemory',
      'energyLinkClass',
      'energyPackageLinkClass',
      'placement',
      'timeline',
      'camera',
      'time',
      'quality',
      'environment',
      'background',
      'exposure',
      'tone',
      'shadows',
      'ground',
      'ambient',
      'samples',
      'variant',
      'orbit',
      'target',
      'frame',
      'call',
      'name',
      'tags',
    ],
    headers: ['prefer', 'idempotency-key'],
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
      'visibilityChiplets',
      'visibilityDelivery',
      'occlusion',
      'timing',
      'coupling',
      'spec',
      'set',
      'chiplets',
      'linkTopology',
      'linkBytesPerCycle',
      'linkLatencyCycles',
      'overlap',
      'organization',
      'energyMemory',
      'energyLinkClass',
      'energyPackageLinkClass',
      'placement',
      'timeline',
      'camera',
      'quality',
      'environment',
      'background',
      'exposure',
      'tone',
      'shadows',
      'ground',
      'ambient',
      'samples',
      'variant',
      'orbit',
      'target',
      'frame',
      'name',
      'tags',
      'frames',
      'from',
      'to',
      'turn',
      'inFlight',
    ],
    headers: ['prefer'],
  },
  postStudy: { method: 'POST', path: '/v1/studies', query: [], headers: [] },
  putResource: { method: 'PUT', path: '/v1/resources/{sha256}', query: [], headers: [] },
  putSpec: { method: 'PUT', path: '/v1/specs/{name}', query: [], headers: [] },
  renderFrameAgain: {
    method: 'POST',
    path: '/v1/frames/{id}/again',
    query: [
      'width',
      'height',
      'grid',
      'split',
      'visibilityChiplets',
      'visibilityDelivery',
      'occlusion',
      'spec',
      'set',
      'chiplets',
      'linkTopology',
      'linkBytesPerCycle',
      'linkLatencyCycles',
      'overlap',
      'organization',
      'energyMemory',
      'energyLinkClass',
      'energyPackageLinkClass',
      'placement',
      'timeline',
      'camera',
      'time',
      'quality',
      'environment',
      'background',
      'exposure',
      'tone',
      'shadows',
      'ground',
      'ambient',
      'samples',
      'variant',
      'orbit',
      'target',
      'policy',
      'bins',
      'visibility',
      'timing',
      'coupling',
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
