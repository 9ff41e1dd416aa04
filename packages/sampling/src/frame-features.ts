/**
 * Features of a frame, which a functional rendering counts without simulating time. Frames with
 * similar features cost similar cycles. After MEGsim (ISPASS 2022), whose features are vertices,
 * primitives and the invocations of each shader.
 */
import type { CounterName, Report } from '@tessera/frame';

/** Version of {@link FEATURES}. A change of the table increments it. */
export const FEATURES_VERSION = 1;

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
  'geometry.verticesFetched': {
    unit: 'vertices',
    meaning: 'vertices fetched and shaded for coarse bins',
    isByProgram: false,
  },
  'raster.quadsCovered': {
    unit: 'quads',
    meaning: 'quads with a covered sample',
    isByProgram: false,
  },
  'shading.fragmentsShaded': {
    unit: 'fragments',
    meaning: 'fragments shaded by all programs',
    isByProgram: false,
  },
  'output.fragmentsWritten': {
    unit: 'fragments',
    meaning: 'fragments written to a target',
    isByProgram: false,
  },
  programVertices: {
    unit: 'vertices',
    meaning: 'vertices of the draws of a program, instances included',
    isByProgram: true,
  },
  programFragments: {
    unit: 'fragments',
    meaning: 'fragments that a program shaded',
    isByProgram: true,
  },
} as const satisfies Record<string, FeatureInfo>;

/** Name of a feature. */
export type FeatureName = keyof typeof FEATURES;

/** Work of one program in a frame. */
export interface ProgramWork {
  /** Hash of the sources. */
  readonly program: string;
  /** Vertices of its draws, instances included. */
  readonly vertices: number;
  /** Fragments that it shaded. */
  readonly fragments: number;
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
 * Returns the features of a rendered frame.
 *
 * @param report Report of a rendering, functional or with cycles.
 * @param works Work of draws or programs. A program may have several entries.
 */
export function featuresOf(report: Report, works: readonly ProgramWork[]): FrameFeatures {
  const programs = [...new Set(works.map(({ program }) => program))].sort();
  const count = (name: CounterName) => [
    report.chiplets.reduce((sum, { counters }) => sum + (counters[name] ?? 0), 0),
  ];
  const byProgram = (field: 'vertices' | 'fragments') =>
    programs.map((program) =>
      works.reduce((sum, work) => sum + (work.program === program ? work[field] : 0), 0),
    );
  return {
    id: report.frame.sha256,
    programs,
    values: {
      estimatedCycles: [report.bins.reduce((sum, bin) => sum + bin.estimatedCost, 0)],
      'visibility.verticesShaded': count('visibility.verticesShaded'),
      'visibility.primitivesListed': count('visibility.primitivesListed'),
      'geometry.verticesFetched': count('geometry.verticesFetched'),
      'raster.quadsCovered': count('raster.quadsCovered'),
      'shading.fragmentsShaded': count('shading.fragmentsShaded'),
      'output.fragmentsWritten': count('output.fragmentsWritten'),
      programVertices: byProgram('vertices'),
      programFragments: byProgram('fragments'),
    },
  };
}
