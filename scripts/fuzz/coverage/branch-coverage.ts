/**
 * Branches that the inputs of this process have reached, in the modules that are instrumented while
 * they are loaded. The instrumented code writes each branch once, so a reached branch costs one
 * load and one comparison.
 */
import { readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BranchPlace, instrumentSource } from './instrument-source.ts';

/** Upper bound on the branches of all modules. */
const MAX_BRANCHES = 2 ** 16;
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Instrumented module and its branches. */
interface CoveredModule {
  /** Path relative to the repository. */
  readonly path: string;
  readonly firstNumber: number;
  readonly branches: readonly BranchPlace[];
}

/** Branch of a module. */
export interface ModuleBranch extends BranchPlace {
  readonly path: string;
  readonly isReached: boolean;
}

/** Coverage of the modules that this process loads from now on. */
export class BranchCoverage {
  readonly #hits = new Uint8Array(MAX_BRANCHES);
  readonly #modules: CoveredModule[] = [];
  #branchCount = 0;
  #fresh: number[] = [];

  /** @param isCovered Whether the module at a path, relative to the repository, is instrumented. */
  constructor(isCovered: (path: string) => boolean) {
    Object.assign(globalThis, {
      $tesseraHits: this.#hits,
      $tesseraReach: (number: number) => {
        this.#hits[number] = 1;
        this.#fresh.push(number);
      },
    });
    registerHooks({
      load: (url, context, nextLoad) => {
        const path = url.startsWith('file:') ? relative(ROOT, fileURLToPath(url)) : '';
        if (!path.endsWith('.ts') || !isCovered(path)) return nextLoad(url, context);
        return { format: 'module', source: this.#instrument(path), shortCircuit: true };
      },
    });
  }

  /** Returns the numbers of the branches that were first reached since the last call. */
  takeFresh(): readonly number[] {
    const fresh = this.#fresh;
    if (fresh.length > 0) this.#fresh = [];
    return fresh;
  }

  /** Makes branches unreached, so that the next input that reaches them is noticed. */
  forget(numbers: readonly number[]): void {
    for (const number of numbers) this.#hits[number] = 0;
  }

  /** Makes branches reached again after {@link forget}. */
  mark(numbers: readonly number[]): void {
    for (const number of numbers) this.#hits[number] = 1;
  }

  /** Forgets all that was reached. */
  reset(): void {
    this.#hits.fill(0);
    this.#fresh = [];
  }

  /** Returns all branches of the modules that were loaded, in the order of their files. */
  list(): ModuleBranch[] {
    return this.#modules
      .toSorted((a, b) => (a.path < b.path ? -1 : 1))
      .flatMap(({ path, firstNumber, branches }) =>
        branches.map((branch, index) => ({
          ...branch,
          path,
          isReached: this.#hits[firstNumber + index] === 1,
        })),
      );
  }

  #instrument(path: string): string {
    const source = stripTypeScriptTypes(readFileSync(`${ROOT}${path}`, 'utf8'), { mode: 'strip' });
    const firstNumber = this.#branchCount;
    const { text, branches } = instrumentSource(path, source, firstNumber);
    this.#branchCount += branches.length;
    if (this.#branchCount > MAX_BRANCHES) throw new Error(`more than ${MAX_BRANCHES} branches`);
    this.#modules.push({ path, firstNumber, branches });
    return text;
  }
}
