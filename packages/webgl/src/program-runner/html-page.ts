/**
 * HTML page as a program: builds its document from the markup, and runs its scripts in the order of
 * the HTML standard (section 4.12.1) in the global scope of this process. A page runs once in a
 * process if its classic scripts declare global variables.
 */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { constants, runInThisContext } from 'node:vm';
import {
  type Document,
  fetchBytes,
  fireEvent,
  type ImageElement,
  readBytes,
  type ScriptElement,
  type WindowOptions,
} from '../dom/index.ts';
import { buildDocument } from './build-document.ts';
import { ImportMap } from './import-map.ts';
import { lineAt, showLine } from './page-lines.ts';
import { PageModules } from './page-modules.ts';
import { ProgramError } from './program-error.ts';

const CLASSIC_TYPES = ['', 'text/javascript', 'application/javascript', 'text/ecmascript'];

/** Whether a program is a page, by the ending of its name. */
export function isHtmlPage(path: string): boolean {
  return /\.html?$/i.test(path);
}

/** Page of a program. */
export class HtmlPage {
  readonly #path: string;
  readonly #html: string;
  readonly #address: URL;
  readonly #map = new ImportMap();
  readonly #modules: PageModules;
  /** Scripts that run when the document is complete; null afterwards. */
  #deferred: (() => void | Promise<void>)[] | null = [];

  /** @throws {ProgramError} If the file is missing. */
  constructor(path: string) {
    if (!existsSync(path)) throw new ProgramError(`${path}: there is no such file`);
    this.#path = resolve(path);
    this.#html = readFileSync(path, 'utf8');
    this.#address = pathToFileURL(this.#path);
    this.#modules = new PageModules(this.#path, this.#address, this.#map);
  }

  /** Options of the window in which the page is loaded. */
  get windowOptions(): WindowOptions {
    const locate = (address: string) => new URL(address, this.#address).href;
    return {
      address: this.#address.href,
      fetchBytes: (address) => fetchBytes(locate(address)),
      readBytes: (address) => readBytes(locate(address)),
      runScript: (script) => this.#runScript(script),
    };
  }

  /**
   * Builds the document, runs the scripts, and fires the events of a loaded page.
   *
   * @throws {ProgramError} If a script or a module is missing.
   * @throws Errors of the scripts.
   */
  async load(document: Document): Promise<void> {
    document.readyState = 'loading';
    buildDocument(document, this.#html);
    document.title = document.querySelector('title')?.textContent ?? '';
    document.readyState = 'interactive';
    const deferred = this.#deferred ?? [];
    this.#deferred = null;
    for (const run of deferred) await run();
    for (const target of [document, globalThis as unknown as EventTarget]) {
      fireEvent(target, new Event('DOMContentLoaded'));
    }
    const images = document.getElementsByTagName('img') as ImageElement[];
    await Promise.allSettled(images.map((image) => image.decode()));
    document.readyState = 'complete';
    const onLoad = document.body.getAttribute('onload');
    if (onLoad !== null) runInThisContext(onLoad, { filename: this.#address.href });
    fireEvent(globalThis as unknown as EventTarget, new Event('load'));
  }

  close(): void {
    this.#modules.close();
    Reflect.deleteProperty(globalThis, 'onload');
  }

  #runScript(script: ScriptElement): void {
    const type = script.blockType.trim().toLowerCase();
    if (type === 'importmap') this.#addImportMap(script);
    else if (type === 'module') this.#defer(script, () => this.#runModule(script));
    else if (CLASSIC_TYPES.includes(type) && !script.hasAttribute('nomodule')) {
      if (script.src !== '' && script.hasAttribute('defer')) {
        this.#defer(script, () => this.#runClassic(script));
      } else this.#runClassic(script);
    }
  }

  /**
   * Runs a script when the document is complete. Reports errors of scripts that are added later.
   */
  #defer(script: ScriptElement, run: () => void | Promise<void>): void {
    if (this.#deferred !== null) this.#deferred.push(run);
    else void script.ownerDocument.pending.track(`script ${script.src}`, Promise.resolve(run()));
  }

  #addImportMap(script: ScriptElement): void {
    try {
      this.#map.add(script.text, this.#address);
    } catch (error) {
      throw this.#error(script, `import map: ${(error as Error).message}`, error);
    }
  }

  async #runModule(script: ScriptElement): Promise<void> {
    if (script.src === '') await this.#modules.runText(this.#alignText(script));
    else {
      const path = this.#locate(script);
      if (path === null) return;
      await this.#modules.runFile(path);
    }
    fireEvent(script, new Event('load'));
  }

  #runClassic(script: ScriptElement): void {
    const { src } = script;
    const importModuleDynamically = constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
    const run = (text: string, filename: string) =>
      runInThisContext(text, { filename, importModuleDynamically });
    if (src === '') run(this.#alignText(script), this.#address.href);
    else {
      const path = this.#locate(script);
      if (path === null) return;
      run(readFileSync(path, 'utf8'), pathToFileURL(path).href);
      setImmediate(() => fireEvent(script, new Event('load')));
    }
  }

  /**
   * Returns the path of a script's file. If a program added the script and the file is missing,
   * returns null and fires `error` at the script, as a browser does.
   *
   * @throws {ProgramError} If the file of a script in the markup is missing.
   */
  #locate(script: ScriptElement): string | null {
    const address = new URL(script.src, this.#address);
    const path = address.protocol === 'file:' ? fileURLToPath(address) : null;
    if (path !== null && existsSync(path)) return path;
    if (script.markupOffset === null) {
      setImmediate(() => fireEvent(script, new Event('error')));
      return null;
    }
    const reason = path === null ? 'pages run only files' : `there is no file ${path}`;
    throw this.#error(script, `script ${script.src}: ${reason}`);
  }

  /** Returns the text of an inline script at the line and column that it has in the page. */
  #alignText({ text, markupOffset }: ScriptElement): string {
    const lines = this.#html.slice(0, markupOffset ?? 0).split('\n');
    return '\n'.repeat(lines.length - 1) + ' '.repeat(lines.at(-1)!.length) + text;
  }

  #error(script: ScriptElement, message: string, cause?: unknown): ProgramError {
    const { markupOffset } = script;
    const line = markupOffset === null ? 1 : lineAt(this.#html, markupOffset);
    return new ProgramError(`${showLine(this.#path, line)}: ${message}`, { cause });
  }
}
