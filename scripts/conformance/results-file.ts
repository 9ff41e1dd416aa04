/**
 * Verdicts of a run as a JSON file. It is written while the run continues, so that an interrupted
 * run can be resumed from it.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Verdict } from './verdict.ts';

/** Wall time between two writes. An interrupted run loses the verdicts of the last interval. */
const WRITE_INTERVAL_MS = 10_000;

/** File with the verdicts of a run, by case. */
export class ResultsFile {
  readonly #path: string;
  readonly #verdictByName = new Map<string, Verdict>();
  #writtenMs = performance.now();

  /** @param isResumed Whether to keep the verdicts that the file has. */
  constructor(path: string, isResumed: boolean) {
    this.#path = path;
    if (!isResumed || !existsSync(path)) return;
    const verdicts = JSON.parse(readFileSync(path, 'utf8')) as Verdict[];
    for (const verdict of verdicts) this.#verdictByName.set(verdict.name, verdict);
  }

  find(name: string): Verdict | undefined {
    return this.#verdictByName.get(name);
  }

  set(verdict: Verdict): void {
    this.#verdictByName.set(verdict.name, verdict);
    if (performance.now() - this.#writtenMs >= WRITE_INTERVAL_MS) this.write();
  }

  /** Writes the file. An interrupted write leaves the previous file. */
  write(): void {
    const verdicts = [...this.#verdictByName.values()];
    writeFileSync(`${this.#path}.part`, `${JSON.stringify(verdicts, null, 1)}\n`);
    renameSync(`${this.#path}.part`, this.#path);
    this.#writtenMs = performance.now();
  }
}
