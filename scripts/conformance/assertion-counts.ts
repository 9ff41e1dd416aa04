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

/** Number of assertions of a page that passes, or the number and another outcome. */
type PageEntry = number | [assertions: number, outcome: Outcome];

/** Content of a file. Pages are grouped by folder, and their names have no `.html`. */
interface CountsFile extends CountsOrigin {
  readonly pages: Record<string, Record<string, PageEntry>>;
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
    return typeof entry === 'number'
      ? { assertions: entry, outcome: 'pass' }
      : { assertions: entry[0], outcome: entry[1] };
  }

  add({ name, assertions, outcome }: Pick<Verdict, 'name' | 'assertions' | 'outcome'>): void {
    const entry: PageEntry = outcome === 'pass' ? assertions : [assertions, outcome];
    this.#pages[dirname(name)] ??= {};
    this.#pages[dirname(name)]![basename(name, '.html')] = entry;
  }

  /** Writes the file, a folder per line. An interrupted write leaves the previous file. */
  write(path: string): void {
    const folders = Object.entries(this.#pages).map(
      ([folder, pages]) => `${JSON.stringify(folder)}: ${JSON.stringify(pages)}`,
    );
    const head = Object.entries(this.origin).map(
      ([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)},`,
    );
    const text = `{\n${head.join('\n')}\n"pages": {\n${folders.join(',\n')}\n}\n}\n`;
    writeFileSync(`${path}.part`, text);
    renameSync(`${path}.part`, path);
  }
}
