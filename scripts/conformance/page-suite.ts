/**
 * Pages of a checkout of the Khronos suite. The scripts of a page run in order in the global scope
 * of a process, which runs only that page. The page reports to `window.parent.webglTestHarness`, as
 * in a browser.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runInThisContext } from 'node:vm';
import {
  type CanvasContext,
  type Document,
  type DrawableCanvas,
  decodeDataAddress,
  fireEvent,
  installWindow,
  type ScriptElement,
  type WindowOptions,
} from '@tessera/webgl/dom';
import {
  noteMissingAntialias,
  noteMissingInterfaces,
  watchDebugOutput,
  watchExtensions,
} from './feature-probes.ts';
import { openFramePage } from './frame-page.ts';
import { nameElement } from './named-elements.ts';
import { appendTag, type PageTag, parsePage } from './parse-page.ts';
import { listPages } from './parse-test-list.ts';
import type { CreateContext, ListedSuite, RunnableSuite } from './suites.ts';
import type { CaseName, CaseReporter } from './verdict.ts';

const TOP_LIST = '00_test_list.txt';
const SCRIPT_TYPES = ['', 'text/javascript', 'application/javascript'];

/** Pages of a suite. */
export interface ListedPages extends ListedSuite {
  /** Folder to which the names are relative. */
  readonly root: string;
}

/**
 * Lists the pages of a suite, or returns `null` if there is no list.
 *
 * @param folder Checkout, its `sdk/tests`, or a folder below that has a list.
 */
export function listPageSuite(folder: string, isWebGL2: boolean): ListedPages | null {
  const root = findRoot(folder);
  if (root === null) return null;
  return {
    root,
    title: `${root} (WebGL ${isWebGL2 ? 2 : 1})`,
    cases: listPages(root, TOP_LIST, isWebGL2).map((name) => ({ name, folder: folderOf(name) })),
    casesPerProcess: 1,
  };
}

/** Returns the query of a page's address, which selects the version and no output of passes. */
export function pageQuery(isWebGL2: boolean): string {
  return `?quiet=1${isWebGL2 ? '&webglVersion=2' : ''}`;
}

function findRoot(folder: string): string | null {
  const candidates = [folder, join(folder, 'sdk/tests')].map((each) => resolve(each));
  return candidates.find((each) => existsSync(join(each, TOP_LIST))) ?? null;
}

/**
 * Returns the folder by which totals are printed: `conformance/glsl` for
 * `conformance/glsl/misc/a.html`.
 */
function folderOf(page: string): string {
  return dirname(page).split('/').slice(0, 2).join('/');
}

/** Runs pages of the Khronos suite. */
export class PageSuite implements RunnableSuite {
  readonly #root: string;
  readonly #isWebGL2: boolean;
  readonly #pageClasses: object;

  constructor(folder: string, isWebGL2: boolean, pageClasses: object) {
    const root = findRoot(folder);
    if (root === null) throw new Error(`${folder}: ${TOP_LIST} is missing`);
    this.#root = root;
    this.#isWebGL2 = isWebGL2;
    this.#pageClasses = pageClasses;
  }

  run({ name }: CaseName, createContext: CreateContext, reporter: CaseReporter): Promise<void> {
    // These pages make millions of assertions and do not state the absence of a feature in one.
    const isDeqp = name.startsWith('deqp/');
    return new Promise((finish) => {
      const path = join(this.#root, name);
      const page = new RunningPage(path, createContext, this.#isWebGL2, reporter);
      page.install({
        ...this.#pageClasses,
        webglTestHarness: {
          reportResults: (_page: string, isPass: boolean, message: string, isSkipped?: boolean) => {
            if (isSkipped === true) reporter.skip(message);
            else if (isPass) reporter.pass(isDeqp ? undefined : message);
            else reporter.fail(message);
          },
          notifyFinished: () => setImmediate(finish),
        },
      });
      page.load();
    });
  }
}

/** Page in the global scope of this process. */
class RunningPage {
  readonly #path: string;
  /** Address of the page, as if a local server delivered its files. */
  readonly #address: URL;
  readonly #createContext: CreateContext;
  readonly #noteMissing: (feature: string) => void;
  readonly #drawn: { readonly canvas: DrawableCanvas; readonly context: CanvasContext }[] = [];
  /** Output of `document.write`, parsed after the script that wrote it. */
  #written = '';

  /** @param reporter Receives the features that the page asks for and does not get. */
  constructor(
    path: string,
    createContext: CreateContext,
    isWebGL2: boolean,
    reporter: Pick<CaseReporter, 'noteMissing'>,
  ) {
    this.#path = path;
    this.#noteMissing = (feature) => reporter.noteMissing(feature);
    this.#address = new URL(
      `${pathToFileURL(path).pathname}${pageQuery(isWebGL2)}`,
      'http://localhost',
    );
    this.#createContext = createContext;
  }

  install(names: object): void {
    const options: WindowOptions = {
      createContext: (kind, canvas, attributes) => this.#makeContext(kind, canvas, attributes),
      // Data addresses are decoded at once, so such images load before images from files.
      fetchBytes: async (address) => this.#read(address),
      readBytes: (address) => this.#read(address),
      isOwnAddress: (address) => new URL(address, this.#address).origin === this.#address.origin,
      runScript: (script) => this.#runScript(script),
      showCanvases: () => this.#showCanvases(),
      address: this.#address.href,
    };
    const read = (address: string) => this.#read(address);
    installWindow({
      ...options,
      openFrame: (frame) => openFramePage(frame, { window: globalThis, options, names, read }),
    });
    const globals: Record<string, unknown> = {
      ...names,
      parent: globalThis,
      top: globalThis,
      scrollTo: () => {},
      scrollBy: () => {},
    };
    for (const [name, value] of Object.entries(globals)) {
      Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
    }
    const page = document as unknown as Document & { write(markup: string): void };
    page.write = (markup) => {
      this.#written += markup;
    };
  }

  load(): void {
    const page = document as unknown as Document;
    page.readyState = 'loading';
    const tags = parsePage(readFileSync(this.#path, 'utf8'));
    for (const tag of tags) this.#addTag(tag);
    page.readyState = 'interactive';
    const onLoad = tags.find(({ name }) => name === 'body')?.attributes.onload;
    setImmediate(() => {
      if (onLoad !== undefined) runInThisContext(onLoad, `${this.#path}#onload`);
      fireEvent(page, new Event('DOMContentLoaded'));
      page.readyState = 'complete';
      const event = new Event('load');
      const handler = (globalThis as { onload?: (event: Event) => void }).onload;
      handler?.call(globalThis, event);
      dispatchEvent(event);
    });
  }

  #addTag(tag: PageTag): void {
    const page = document as unknown as Document;
    const element = appendTag(page, tag);
    if (element === null) return;
    nameElement(page, element.id);
    this.#addWritten();
  }

  #addWritten(): void {
    const markup = this.#written;
    this.#written = '';
    if (markup !== '') for (const tag of parsePage(markup)) this.#addTag(tag);
  }

  /** Runs a script as soon as it is added to the page, by markup or by a program. */
  #runScript(script: ScriptElement): void {
    if (!SCRIPT_TYPES.includes(script.blockType.toLowerCase())) return;
    if (script.src === '') {
      this.#runText(script.text, this.#path);
      return;
    }
    const path = this.#locate(script.src);
    const isFound = existsSync(path);
    if (isFound) this.#runText(readFileSync(path, 'utf8'), path);
    setImmediate(() => fireEvent(script, new Event(isFound ? 'load' : 'error')));
  }

  #runText(text: string, path: string): void {
    noteMissingInterfaces(text, this.#noteMissing);
    runInThisContext(text, path);
    watchDebugOutput(this.#noteMissing);
  }

  #read(address: string): Uint8Array {
    return address.startsWith('data:')
      ? decodeDataAddress(address)
      : readFileSync(this.#locate(address));
  }

  #locate(address: string): string {
    const url = new URL(address, this.#address);
    return decodeURIComponent(url.pathname);
  }

  #makeContext(kind: string, canvas: DrawableCanvas, attributes: object): CanvasContext | null {
    const requested = {
      ...attributes,
      ...(kind === 'webgl2' ? { createWebGL2Context: true } : {}),
      // Timer queries return simulated time.
      ...(/timer[-_]query/.test(this.#address.pathname) ? { gpu: { timing: 'cycle' } } : {}),
    };
    const context = this.#createContext(
      canvas.width,
      canvas.height,
      requested,
    ) as CanvasContext | null;
    if (context === null) return null;
    watchExtensions(context, this.#noteMissing);
    noteMissingAntialias(context, attributes, this.#noteMissing);
    this.#drawn.push({ canvas, context });
    return context;
  }

  /**
   * Ends the frame of each drawn canvas of the page, as a browser does when it displays the page.
   */
  #showCanvases(): void {
    for (const { canvas, context } of this.#drawn) {
      if (canvas.isShown && context.hasImage === true) canvas.endFrame();
    }
  }
}
