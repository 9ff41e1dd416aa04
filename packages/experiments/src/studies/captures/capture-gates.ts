/**
 * Limits on the difference between the image of a captured program and the nearer one of Mesa's two
 * software renderers: the differences between these two, measured over the captures.
 */
import type { ImageComparison } from '../../images/image-comparison.ts';

/** Limits as shares of all pixels. */
export interface CaptureGate {
  /** Share of pixels with a component that differs by more than 1. */
  readonly over1: number;
  /** Share of pixels with a component that differs by more than 8. */
  readonly over8: number;
  /**
   * Share of pixels that differ by more than 1 and are not explained by an outline that is up to a
   * pixel away.
   */
  readonly inside: number;
  readonly psnrDb: number;
}

const PLAIN: CaptureGate = { over1: 0.005, over8: 0.0005, inside: 0.00005, psnrDb: 0 };
/** Gate of captures with mipmaps, because the formulas for the level of detail differ. */
const MIPMAPPED: CaptureGate = { over1: 0.02, over8: 1, inside: 0.0001, psnrDb: 55 };
/**
 * Gate of captures in which every sample is on the border of two texels, so that only rounding
 * decides between them.
 */
const TIED: CaptureGate = { over1: 0.05, over8: 0.02, inside: 0, psnrDb: 40 };
/**
 * Gate of a capture of nine passes with generated levels of odd sizes. Mesa's two renderers reach
 * 30 dB against each other.
 */
const SEVERAL_PASSES: CaptureGate = { over1: 1, over8: 1, inside: 1, psnrDb: 29 };

const GATES: Readonly<Record<string, CaptureGate>> = {
  texture: MIPMAPPED,
  'texture/200x150': MIPMAPPED,
  'texture/es2': MIPMAPPED,
  'effect2d/200x150': TIED,
  terrain: SEVERAL_PASSES,
  'terrain/200x150': SEVERAL_PASSES,
};

/** Returns the gate of a capture by its folder. */
export function gateOf(name: string): CaptureGate {
  return GATES[name] ?? PLAIN;
}

/** Whether a difference is within a gate. */
export function isWithin(found: ImageComparison, gate: CaptureGate): boolean {
  const { pixels, over1, over8, inside, psnrDb } = found;
  return (
    over1 <= pixels * gate.over1 &&
    over8 <= pixels * gate.over8 &&
    inside <= pixels * gate.inside &&
    (psnrDb === null || psnrDb >= gate.psnrDb)
  );
}

/**
 * Compares two differences. Negative if `a` is smaller: by pixels off by more than 1, then all that
 * differ, then those off by more than 8, then the mean difference. 0 if all are equal.
 */
export function compareNearness(a: ImageComparison, b: ImageComparison): number {
  for (const figure of ['over1', 'differing', 'over8', 'meanAbsolute'] as const) {
    if (a[figure] !== b[figure]) return a[figure] - b[figure];
  }
  return 0;
}
