/**
 * The npm package `gl-conformance`. Each case is a module of the package and is loaded when it
 * runs, because loading all of them takes 1.5 s and 170 MB. A case reports with `pass`, `fail` and
 * `end`. The canvas, document and image of `@tessera/webgl/dom` can draw. They replace the
 * package's own shims of a page.
 */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import {
  type CanvasContext,
  CanvasElement,
  type Context2d,
  createWindow,
  type Document,
  type DrawableCanvas,
  ImageData,
} from '@tessera/webgl/dom';
import type { CreateContext, ListedSuite, RunnableSuite } from './suites.ts';
import type { CaseName, CaseReporter } from './verdict.ts';

const require = createRequire(import.meta.url);

/** Argument of a case module, which adds its own lists to it. */
interface Environment {
  readonly tape: { pass(message?: unknown): void; fail(message: unknown): void; end(): void };
  createContext: CreateContext;
  document?: Document;
  readonly canvasList?: readonly CanvasElement[];
  readonly scriptList?: Readonly<Record<string, unknown>>;
  /** Classes of the case's page, read by the shims. */
  readonly pageClasses: object;
}

/** Returns the package's folder, or `null` if it is not installed. */
function findPackage(): string | null {
  try {
    return dirname(require.resolve('gl-conformance/package.json'));
  } catch {
    return null;
  }
}

/** Lists the cases of the package. Returns `null` if it is not installed. */
export function listNpmSuite(): ListedSuite | null {
  const folder = findPackage();
  const index = folder === null ? null : join(folder, 'node-test/index.js');
  if (index === null || !existsSync(index)) return null;
  const names = [...readFileSync(index, 'utf8').matchAll(/\["([^"]+)",require/g)].map((m) => m[1]!);
  const { version } = require('gl-conformance/package.json') as { version: string };
  return {
    title: `gl-conformance ${version} (npm)`,
    cases: names.map((name) => ({ name, folder: name.slice(0, name.indexOf('_')) })),
    casesPerProcess: 20,
  };
}

/** Runs cases of the npm package. */
export class NpmSuite implements RunnableSuite {
  readonly #pageClasses: object;

  /**
   * @param pageClasses Names that a page has in addition to its document, such as `WebGLProgram`.
   */
  constructor(pageClasses: object) {
    this.#pageClasses = pageClasses;
    Object.assign(globalThis, pageClasses);
    const folder = findPackage();
    if (folder === null) throw new Error('the package gl-conformance is not installed');
    replaceModule(join(folder, 'lib/shims/document-shim.js'), makeDocument);
    replaceModule(join(folder, 'lib/shims/window-shim.js'), makeWindow);
    replaceModule(join(folder, 'lib/shims/canvas-shim.js'), makeCanvas);
    replaceModule(join(folder, 'lib/shims/image-shim.js'), CopiedImage);
  }

  run({ name }: CaseName, createContext: CreateContext, reporter: CaseReporter): Promise<void> {
    const runCase = require(`gl-conformance/node-test/${name}.js`) as (e: Environment) => void;
    return new Promise((resolve, reject) => {
      const environment: Environment = {
        tape: {
          pass: (message) => reporter.pass(message),
          fail: (message) => reporter.fail(message),
          // Some cases make assertions after they have reported their end.
          end: () => setImmediate(resolve),
        },
        // As the current suite asks for, whose pages compare single pixels.
        createContext: (width, height, attributes) =>
          createContext(width, height, { antialias: false, ...attributes }),
        pageClasses: this.#pageClasses,
      };
      try {
        runCase(environment);
        setImmediate(() => showPage(environment));
      } catch (error) {
        reject(error);
      }
    });
  }
}

function replaceModule(path: string, exports: unknown): void {
  const module = { id: path, filename: path, loaded: true, exports, children: [], paths: [] };
  require.cache[path] = module as unknown as NodeJS.Module;
}

function pageOf(environment: Environment): ReturnType<typeof createWindow> {
  const createContext = (_kind: string, canvas: DrawableCanvas, attributes: object) =>
    environment.createContext(canvas.width, canvas.height, attributes) as CanvasContext | null;
  return { ...createWindow({ createContext }), ...environment.pageClasses };
}

const PAGES = new WeakMap<Environment, ReturnType<typeof createWindow>>();

/** Creates the document, which finds the canvases and scripts that the case lists. */
function makeDocument(environment: Environment): Document {
  const page = pageOf(environment);
  PAGES.set(environment, page);
  const { document } = page;
  document.head.appendChild(document.createElement('title'));
  const findOnPage = document.getElementById.bind(document);
  const create = document.createElement.bind(document);
  document.createElement = ((name: string) =>
    name === 'canvas' ? new CaseCanvas(document) : create(name)) as typeof create;
  document.getElementById = (id: string) => {
    const canvas = environment.canvasList?.find((each) => each.id === id);
    const listed = canvas ?? environment.scriptList?.[id];
    return (listed as ReturnType<typeof findOnPage>) ?? findOnPage(id);
  };
  return document;
}

/** Creates the window, whose `load` event fires after the case has run. */
function makeWindow(environment: Environment): object {
  const page = PAGES.get(environment)!;
  return {
    ...page,
    scrollBy: () => {},
    addEventListener: (type: string, listener: () => void) => {
      if (type === 'load') setTimeout(listener, 1);
    },
  };
}

/**
 * Canvas of a case. Cases create their contexts without a canvas and attach them by this property.
 */
class CaseCanvas extends CanvasElement {
  #context: ShownContext | null = null;

  get _gl(): ShownContext | null {
    return this.#context;
  }

  set _gl(context: ShownContext) {
    this.#context = context;
    this.attachContext('webgl', context);
  }

  /**
   * Returns a 2D context of a copy. Cases read the image of a WebGL canvas through a 2D context,
   * which a canvas cannot have in addition to a WebGL context.
   */
  override getContext(name: string, attributes?: object): ReturnType<CanvasElement['getContext']> {
    if (name !== '2d' || this.#context === null) return super.getContext(name, attributes);
    const copy = new CanvasElement(this.ownerDocument);
    copy.width = this.width;
    copy.height = this.height;
    const context = copy.getContext('2d') as Context2d;
    context.drawImage(this, 0, 0);
    return context;
  }
}

/** Context with frames. Contexts of other packages have none. */
interface ShownContext extends CanvasContext {
  frame?(): unknown;
}

/** Ends the frames of all canvases, as a browser does after the scripts of a page have run. */
function showPage({ canvasList = [] }: Environment): void {
  for (const canvas of canvasList) {
    if (canvas instanceof CaseCanvas) canvas._gl?.frame?.();
  }
}

function makeCanvas(
  environment: Environment,
  { id, width, height }: { id?: string; width?: string; height?: string },
): CanvasElement {
  const canvas = new CaseCanvas(environment.document!);
  if (id) canvas.id = id;
  if (width) canvas.setAttribute('width', width);
  if (height) canvas.setAttribute('height', height);
  return canvas;
}

/**
 * Image that receives the pixels of a canvas from a case, through the property names of the
 * package's own shim.
 */
class CopiedImage {
  _width = 0;
  _height = 0;
  _data: Uint8ClampedArray | null = null;

  get width(): number {
    return this._width;
  }

  get height(): number {
    return this._height;
  }

  takePixels(): ReturnType<ImageData['takePixels']> | null {
    return this._data === null
      ? null
      : new ImageData(this._data, this._width, this._height).takePixels();
  }
}
