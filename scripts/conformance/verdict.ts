/** Verdict on a case of a conformance suite. */

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
 * - empty: the case ended without an assertion
 * - timeout: the case did not end in time
 * - crash: the process of the case ended
 */
export type Outcome = 'pass' | 'fail' | 'empty' | 'timeout' | 'crash';

/** Result of one case. */
export interface Verdict extends CaseName {
  readonly outcome: Outcome;
  /** Number of assertions. */
  readonly assertions: number;
  /** Number of failed assertions. */
  readonly failed: number;
  /** First messages of failed assertions or exceptions. */
  readonly messages: readonly string[];
  /** CPU time of the case in its process; null if the process ended. */
  readonly cpuMs: number | null;
}

const MAX_MESSAGES = 12;
const MAX_MESSAGE_LENGTH = 400;

/** Counts the assertions of one case. */
export class CaseReporter {
  assertions = 0;
  failed = 0;
  readonly messages: string[] = [];

  pass(): void {
    this.assertions++;
  }

  fail(message: unknown): void {
    this.assertions++;
    this.failed++;
    if (this.messages.length < MAX_MESSAGES) {
      this.messages.push(String(message).slice(0, MAX_MESSAGE_LENGTH));
    }
  }

  /** Records an unexpected exception as a failure. */
  threw(error: unknown): void {
    this.fail(`threw ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  }

  /** Outcome of the assertions, once the case has ended. */
  get outcome(): Outcome {
    if (this.failed > 0) return 'fail';
    return this.assertions === 0 ? 'empty' : 'pass';
  }
}
