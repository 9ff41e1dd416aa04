/**
 * Progress of a run: one line that is overwritten on a terminal, otherwise a line for every
 * hundredth case.
 */
import type { Verdict } from './verdict.ts';

/** Result of a case as printed. */
type Printed = Pick<Verdict, 'name' | 'messages'> &
  Partial<Pick<Verdict, 'missing'>> & { outcome: string };

/** Prints the progress of a run. */
export class Progress {
  readonly #total: number;
  readonly #isVerbose: boolean;
  #done = 0;
  readonly #countByOutcome = new Map<string, number>();

  constructor(total: number, isVerbose: boolean) {
    this.#total = total;
    this.#isVerbose = isVerbose;
  }

  note({ name, outcome, messages, missing = [] }: Printed): void {
    this.#done++;
    this.#countByOutcome.set(outcome, (this.#countByOutcome.get(outcome) ?? 0) + 1);
    if (this.#isVerbose && outcome !== 'pass') {
      const reasons = outcome === 'skipped' ? missing : messages;
      process.stdout.write(`${outcome.toUpperCase()} ${name}\n  ${reasons.join('\n  ')}\n`);
    }
    const counts = [...this.#countByOutcome].map(([each, count]) => `${count} ${each}`);
    const line = `${this.#done}/${this.#total}: ${counts.join(', ')}`;
    if (process.stdout.isTTY) process.stdout.write(`\r\x1b[K${line}; ${name.slice(0, 60)}`);
    else if (this.#done % 100 === 0) process.stdout.write(`${line}\n`);
  }

  end(): void {
    if (process.stdout.isTTY) process.stdout.write('\r\x1b[K');
  }
}
