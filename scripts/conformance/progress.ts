/**
 * Progress of a run: one line that is overwritten on a terminal, otherwise a line for every
 * hundredth case.
 */
import type { Verdict } from './verdict.ts';

/** Prints the progress of a run. */
export class Progress {
  readonly #total: number;
  readonly #isVerbose: boolean;
  #done = 0;
  #failing = 0;

  constructor(total: number, isVerbose: boolean) {
    this.#total = total;
    this.#isVerbose = isVerbose;
  }

  note({
    name,
    outcome,
    messages,
  }: Pick<Verdict, 'name' | 'messages'> & { outcome: string }): void {
    this.#done++;
    if (outcome !== 'pass') this.#failing++;
    if (this.#isVerbose && outcome !== 'pass') {
      process.stdout.write(`${outcome.toUpperCase()} ${name}\n  ${messages.join('\n  ')}\n`);
    }
    const line = `${this.#done}/${this.#total}, ${this.#failing} not passed`;
    if (process.stdout.isTTY) process.stdout.write(`\r\x1b[K${line}: ${name.slice(0, 60)}`);
    else if (this.#done % 100 === 0) process.stdout.write(`${line}\n`);
  }

  end(): void {
    if (process.stdout.isTTY) process.stdout.write('\r\x1b[K');
  }
}
