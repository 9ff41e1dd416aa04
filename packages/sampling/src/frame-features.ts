/**
 * Features of a frame, which its visibility phase counts without rendering a bin. Frames with
 * similar features cost similar cycles. After MEGsim (ISPASS 2022), whose features are vertices,
 * primitives and the invocations of each shader. Fragments are those that the visibility phase
 * expects.
 */
import type { Counters, Sha256 } from '@tessera/frame';

/** Version of {@link FEATURES}. A change of the table increments it. */
export const FEATURES_VERSION = 2;

/** Unit and meaning of a feature. */
export interface FeatureInfo {
  readonly unit: string;
  readonly meaning: string;
  /** Whether a frame has a value per program. */
  readonly isByProgram: boolean;
}

/** Features of a frame by name. Names with a dot are counters. */
export const FEATURES = {
  estimatedCycles: {
    unit: 'cycles',
    meaning: 'estimate of the cost model for all coarse bins',
    isByProgram: false,
  },
  'visibility.verticesShaded': {
    unit: 'vertices',
    meaning: 'vertices shaded by visibility phases',
    isByProgram: false,
  },
  'visibility.primitivesListed': {
    unit: 'bin entries',
    meaning: 'primitives in the visibility streams of all coarse bins',
    isByProgram: false,
  },
  vertexInstructions: {
    unit: 'instructions',
    meaning: 'expected instructions of vertex shaders in all coarse bins',
    isByProgram: false,
  },
  fragments: {
    unit: 'fragments',
    meaning: 'expected fragments in all coarse bins',
    isByProgram: false,
  },
  fragmentInstructions: {
    unit: 'instructions',
    meaning: 'expected instructions of fragment shaders in all coarse bins',
    isByProgram: false,
  },
  programVertices: {
    unit: 'vertices',
    meaning: 'vertices of the draws of a program, instances included',
    isByProgram: true,
  },
} as const satisfies Record<string, FeatureInfo>;

/** Name of a feature. */
export type FeatureName = keyof typeof FEATURES;

/** Work of one draw or program in a frame. */
export interface ProgramWork {
  /** Hash of the sources. */
  readonly program: string;
  /** Vertices of its draws, instances included. */
  readonly vertices: number;
}

/** Counts of the visibility phases of a frame. */
export interface FrameWork {
  readonly counters: Counters;
  /** Expected work of all coarse bins. */
  readonly vertexInstructions: number;
  readonly fragments: number;
  readonly fragmentInstructions: number;
  /** Cycles that the cost model expects for all coarse bins. */
  readonly estimatedCycles: number;
}

/** Features of one frame. */
export interface FrameFeatures {
  /** Identity of the frame, such as its SHA-256. Equal frames may share it. */
  readonly id: string;
  /** Programs that draws of the frame use, without repetition, sorted by name. */
  readonly programs: readonly string[];
  /** Values by feature. A feature by program has one per program, in the order of `programs`. */
  readonly values: Readonly<Record<FeatureName, readonly number[]>>;
}

/**
 * Returns the features of a frame.
 *
 * @param id Hash of the frame.
 * @param works Draws or programs. A program may have several entries.
 */
export function featuresOf(
  id: Sha256,
  { counters, ...work }: FrameWork,
  works: readonly ProgramWork[],
): FrameFeatures {
  const programs = [...new Set(works.map(({ program }) => program))].sort();
  return {
    id,
    programs,
    values: {
      estimatedCycles: [work.estimatedCycles],
      'visibility.verticesShaded': [counters['visibility.verticesShaded'] ?? 0],
      'visibility.primitivesListed': [counters['visibility.primitivesListed'] ?? 0],
      vertexInstructions: [work.vertexInstructions],
      fragments: [work.fragments],
      fragmentInstructions: [work.fragmentInstructions],
      programVertices: programs.map((program) =>
        works.reduce((sum, each) => sum + (each.program === program ? each.vertices : 0), 0),
      ),
    },
  };
}
