/** Verdict on a case of a conformance suite. */
import { MISSING_FEATURE } from './missing-features.ts';

/** Case of a suite, with its name in the suite. */
export interface CaseName {
  readonly name: string;
  /** Folder by which totals are printed. */
  readonly folder: string;
}

/**
 * Outcome of a case.
 *
 * - pass: every assertion held
 * - fail: an assertion failed, or an exception was thrown
 * - skipped: no assertion failed, but the case left out assertions because a feature is missing
 * - empty: the case ended without an assertion
 * - timeout: the case did not end in time
 * - crash: the process of the case ended
 */
export type Outcome = 'pass' | 'fail' | 'skipped' | 'empty' | 'timeout' | 'crash';

/** Result of one case. */
export interface Verdict extends CaseName {
  readonly outcome: Outcome;
  /** Number of assertions, without results that only state the absence of a feature. */
  readonly assertions: number;
  /** Number of failed assertions. */
  readonly failed: number;
  /** First messages of failed assertions or exceptions. */
  readonly messages: readonly string[];
  /** First features that the case asked for and did not get, and its results that say so. */
  readonly missing: readonly string[];
  /** CPU time of the case in its process; null if the process ended. */
  readonly cpuMs: number | null;
}

/** Number of messages of each kind that a verdict keeps. */
export const MAX_MESSAGES = 12;
/** Number of characters that a verdict keeps of a message. */
export const MAX_MESSAGE_LENGTH = 400;

/** Returns the outcome of a case that has ended, from the numbers of its results. */
export function outcomeOf(assertions: number, failed: number, skipped: number): Outcome {
  if (failed > 0) return 'fail';
  if (skipped > 0) return 'skipped';
  return assertions === 0 ? 'empty' : 'pass';
}

/** Counts the assertions of one case. */
export class CaseReporter {
  assertions = 0;
  failed = 0;
  readonly messages: string[] = [];
  readonly #missing = new Set<string>();
  /** Number of results that were skipped. */
  #skipped = 0;

  /**
   * Counts an assertion that held, or skips one that states the absence of a feature.
   *
   * @param message Undefined if it is known not to state that.
   */
  pass(message?: unknown): void {
    if (message !== undefined && MISSING_FEATURE.test(String(message))) this.skip(message);
    else this.assertions++;
  }

  fail(message: unknown): void {
    this.assertions++;
    this.failed++;
    if (this.messages.length < MAX_MESSAGES) {
      this.messages.push(String(message).slice(0, MAX_MESSAGE_LENGTH));
    }
  }

  /** Records a result that was skipped because a feature is missing. */
  skip(message: unknown): void {
    this.#skipped++;
    this.noteMissing(String(message));
  }

  /** Records that the case asked for a feature and did not get it. */
  noteMissing(feature: string): void {
    if (this.#missing.size < MAX_MESSAGES) this.#missing.add(feature.slice(0, MAX_MESSAGE_LENGTH));
  }

  /** Records an unexpected exception as a failure. */
  threw(error: unknown): void {
    this.fail(`threw ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  }

  get missing(): readonly string[] {
    return [...this.#missing];
  }

  /** Outcome of the assertions, once the case has ended. */
  get outcome(): Outcome {
    return outcomeOf(this.assertions, this.failed, this.#skipped);
  }
}
