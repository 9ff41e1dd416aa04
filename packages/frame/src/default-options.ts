import { DEFAULT_COUPLING } from './report.ts';

/**
 * Options of a frame that is rendered without them, over HTTP, on the command line and by the
 * library alike. docs/defaults.md shows them, and a test compares all three.
 */
export const DEFAULT_OPTIONS = {
  /** Number of chiplets of the simulated GPU, whatever number renders in wall time. */
  chiplets: 4,
  /** Alias of a policy of bin assignment. */
  policy: 'dynamic',
  /** Requested number of coarse bins. */
  bins: 32,
  /** Number of times the costliest bin is halved. */
  splits: 0,
  visibility: 'minimal',
  /** Number of chiplets that share each visibility phase. */
  visibilityChiplets: 1,
  /** Whether visibility is sent when its phase ends, or streamed. */
  visibilityDelivery: 'phase',
  /** Timing over HTTP and on the command line. */
  timing: 'cycle',
  /**
   * Timing of the library, whose programs render many frames and pay for cycles only on request.
   */
  libraryTiming: 'functional',
  coupling: DEFAULT_COUPLING,
  placement: 'replicated',
  /** Size of a model's image. */
  widthPx: 1280,
  heightPx: 720,
} as const;
