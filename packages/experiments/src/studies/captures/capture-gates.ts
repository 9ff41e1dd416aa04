/**
 * How far a picture of a captured program may be from the nearer of Mesa's two software renderers: what these
 * differ by from each other, measured over the captures.
 */
import type { ImageComparison } from '../../images/image-comparison.ts';

/** Shares are of all pixels. */
export interface CaptureGate {
  /** Share with a component off by more than 1. */
  readonly over1: number;
  /** The same, more than 8. */
  readonly over8: number;
  /** The same, more than 1 and not explained by an outline that lies up to a pixel elsewhere. */
  readonly inside: number;
  readonly psnrDb: number;
}

const PLAIN: CaptureGate = { over1: 0.005, over8: 0.0005, inside: 0.00005, psnrDb: 0 };
/** Formulas of the level of detail differ. */
const MIPMAPPED: CaptureGate = { over1: 0.02, over8: 1, inside: 0.0001, psnrDb: 55 };
/** Every sample lies on the border of two texels, and rounding alone says which is taken. */
const TIED: CaptureGate = { over1: 0.05, over8: 0.02, inside: 0, psnrDb: 40 };
/** Nine passes, with generated levels of odd sizes; Mesa's two renderers reach 30 dB against each other. */
const SEVERAL_PASSES: CaptureGate = { over1: 1, over8: 1, inside: 1, psnrDb: 29 };

const GATES: Readonly<Record<string, CaptureGate>> = {
  texture: MIPMAPPED,
  'texture/200x150': MIPMAPPED,
  'texture/es2': MIPMAPPED,
  'effect2d/200x150': TIED,
  terrain: SEVERAL_PASSES,
  'terrain/200x150': SEVERAL_PASSES,
};

/** The gate of a capture by its folder. */
export function gateOf(name: string): CaptureGate {
  return GATES[name] ?? PLAIN;
}

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
 * Negative if `a` is nearer than `b`: by pixels off by more than 1, then all that differ, then those off by more
 * than 8, then the mean difference; 0 if none of these tells them apart.
 */
export function compareNearness(a: ImageComparison, b: ImageComparison): number {
  for (const figure of ['over1', 'differing', 'over8', 'meanAbsolute'] as const) {
    if (a[figure] !== b[figure]) return a[figure] - b[figure];
  }
  return 0;
}
