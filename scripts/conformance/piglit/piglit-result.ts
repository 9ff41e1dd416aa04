/** Result of a test of piglit. */
import type { CaseName } from '../verdict.ts';

/**
 * Outcome of a test.
 *
 * - agrees: the image agrees with one of Mesa's
 * - wrong: it does not
 * - refused: the frame was refused with an error that names the reason
 * - crash, timeout: an unexpected exception, or no answer
 * - not judged: the test does not pass on softpipe, draws nothing, or its replay has no image
 */
export type PiglitOutcome = 'agrees' | 'wrong' | 'refused' | 'crash' | 'timeout' | 'not judged';

/** Result of a test. */
export interface PiglitResult extends CaseName {
  readonly outcome: PiglitOutcome;
  readonly messages: readonly string[];
}
