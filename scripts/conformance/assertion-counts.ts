/**
 * Number of assertions that a browser makes on each page of the Khronos suite, as a file. A page on
 * which Tessera makes fewer may have left out assertions for lack of a feature.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Outcome, Verdict } from './verdict.ts';

/** Result of one page in the browser. */
export interface PageCount {
  readonly assertions: number;
  readonly outcome: Outcome;
}

/** Origin of the counts. */
export interface CountsOrigin {
  /** Revision of the suite. */
  readonly suite: string;
  /** Name and version of the browser, and its renderer. */
  readonly browser: string;
  /** WebGL version of the pages, 1 or 2. */
  readonly webgl: 1 | 2;
  /** Command that wrote the file. */
  readonly command: string;
}

/**
 * Content of a file. Pages are grouped by folder, and their names have no `.html`. A number is that
 * of the assertions of a page that passes.
 */
interface CountsFile extends CountsOrigin {
  readonly pages: Record<string, Record<string, number | PageCount>>;
}

/** Counts of the pages of a suite, by name. */
export class AssertionCounts {
  readonly origin: CountsOrigin;
  readonly #pages: CountsFile['pages'];

  constructor(origin: CountsOrigin, pages: CountsFile['pages'] = {}) {
    this.origin = origin;
    this.#pages = pages;
  }

  /** Reads a file, or returns `null` if there is none. */
  static read(path: string): AssertionCounts | null {
    if (!existsSync(path)) return null;
    const { pages, ...origin } = JSON.parse(readFileSync(path, 'utf8')) as CountsFile;
    return new AssertionCounts(origin, pages);
  }

  /** Returns the result of a page, or `null` if it was not measured. */
  find(name: string): PageCount | null {
    const entry = this.#pages[dirname(name)]?.[basename(name, '.html')];
    if (entry === undefined) return null;
    return typeof entry === 'number' ? { assertions: entry, outcome: 'pass' } : entry;
  }

  add({ name, assertions, outcome }: Pick<Verdict, 'name' | 'assertions' | 'outcome'>): void {
    this.#pages[dirname(name)] ??= {};
    this.#pages[dirname(name)]![basename(name, '.html')] =
      outcome === 'pass' ? assertions : { assertions, outcome };
  }

  /** Writes the file. An interrupted write leaves the previous file. */
  write(path: string): void {
    const content: CountsFile = { ...this.origin, pages: this.#pages };
    writeFileSync(`${path}.part`, `${JSON.stringify(content, null, 2)}\n`);
    renameSync(`${path}.part`, path);
  }
}
