/** What became of a case of a conformance suite. */

/** A case of a suite, by the name it has there. */
export interface CaseName {
  readonly name: string;
  /** What totals are given by. */
  readonly folder: string;
}

/**
 * pass: every assertion held. fail: one did not, or something was thrown. empty: ended without an assertion.
 * timeout: did not end in time. crash: its process died.
 */
export type Outcome = 'pass' | 'fail' | 'empty' | 'timeout' | 'crash';

export interface Verdict extends CaseName {
  readonly outcome: Outcome;
  /** Assertions that were made. */
  readonly assertions: number;
  /** Assertions that did not hold. */
  readonly failed: number;
  /** The first messages of those, or what was thrown. */
  readonly messages: readonly string[];
  /** CPU time of the case in its process; null where the process took it along. */
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

  /** Something was thrown where nothing should be. */
  threw(error: unknown): void {
    this.fail(`threw ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  }

  /** What the assertions amount to, once the case has ended. */
  get outcome(): Outcome {
    if (this.failed > 0) return 'fail';
    return this.assertions === 0 ? 'empty' : 'pass';
  }
}
