/**
 * Global names that web programs use besides the document. `createWindow` returns them as an
 * object, for programs with their own globals (test pages). `installWindow` defines them on
 * `globalThis`, for imported libraries.
 */

import { WEBGL_CLASSES } from '../../webgl-classes.ts';
import { Document, type DocumentOptions } from '../elements/document.ts';
import { ImageElement } from '../elements/image-element.ts';
import { createImageBitmap } from '../images/image-bitmap.ts';
import { clonePageValue } from '../messages/message-codec.ts';
import { AnimationFrames } from '../scope/animation-frames.ts';
import { defineNames, makeNavigator } from '../scope/define-names.ts';
import { fireEvent } from '../scope/fire-event.ts';
import { makePageFetch } from '../scope/page-fetch.ts';
import { xmlHttpRequestOf } from '../scope/xml-http-request.ts';
import { workerClassOf } from '../workers/page-worker.ts';
import { PageWorkers } from '../workers/page-workers.ts';
import { domParserOf } from '../xml/dom-parser.ts';
import { matchMedia } from './media-query.ts';
import { PAGE_CLASSES } from './page-classes.ts';
import { PageStorage } from './page-storage.ts';

/** Options of a window. */
export interface WindowOptions extends DocumentOptions {
  readonly innerWidth?: number;
  readonly innerHeight?: number;
  /**
   * Receives errors of animation frame callbacks and of workers. By default they are rethrown,
   * which ends the process.
   */
  readonly reportError?: (error: unknown) => void;
  /**
   * Called after the callbacks of each frame, when a browser would display the canvases. Does
   * nothing by default.
   */
  readonly showCanvases?: () => void;
  /** Workers of the page. By default they render in their threads. */
  readonly workers?: PageWorkers;
}

/** Global names of a page. A program can add its own. */
export interface PageWindow {
  readonly document: Document;
  readonly location: URL;
  readonly [name: string]: unknown;
}

/** Creates the global names of a page as an object. */
export function createWindow(options: WindowOptions = {}): PageWindow {
  const names = makeNames(options, new PageWorkers(), () => names);
  return names;
}

/**
 * Creates the global names.
 *
 * @param self Object that the program sees as its window, used as source of its messages.
 */
function makeNames(
  options: WindowOptions,
  defaultWorkers: PageWorkers,
  self: () => object,
): PageWindow {
  const innerWidth = options.innerWidth ?? 1024;
  const innerHeight = options.innerHeight ?? 768;
  const pageSize = { width: innerWidth, height: innerHeight };
  const document = new Document({ ...options, pageSize });
  const { address: location, OffscreenCanvas } = document;
  const reportError = options.reportError ?? rethrow;
  const endFrame = () => {
    document.endFrame();
    options.showCanvases?.();
  };
  const frames = new AnimationFrames(reportError, endFrame, document.videos);
  const events = new EventTarget();
  const media = { widthPx: innerWidth, heightPx: innerHeight, resolution: 1 };
  const pageFetch = makePageFetch(document);
  const scope = { OffscreenCanvas };
  const workers = options.workers ?? defaultWorkers;
  return {
    document,
    location,
    // Name of the window for links and frames, which a page without them does not have.
    name: '',
    origin: location.origin,
    navigator: makeNavigator(),
    screen: { width: innerWidth, height: innerHeight },
    innerWidth,
    innerHeight,
    devicePixelRatio: 1,
    isSecureContext: true,
    crossOriginIsolated: false,
    performance,
    localStorage: new PageStorage(),
    sessionStorage: new PageStorage(),
    requestAnimationFrame: (callback: (timeMs: number) => void) => frames.request(callback),
    cancelAnimationFrame: (id: number) => frames.cancel(id),
    addEventListener: events.addEventListener.bind(events),
    removeEventListener: events.removeEventListener.bind(events),
    dispatchEvent: events.dispatchEvent.bind(events),
    // The second argument is the target origin, unless it is an object of options.
    postMessage: (message: unknown, target?: unknown, transfer?: unknown) => {
      const given = typeof target === 'object' ? target : transfer;
      postMessage(events, self(), clonePageValue(message, given, scope));
    },
    structuredClone: (value: unknown, given?: unknown) => clonePageValue(value, given, scope),
    ...pageFetch,
    DOMParser: domParserOf(document),
    XMLHttpRequest: xmlHttpRequestOf(document, pageFetch),
    createImageBitmap: (...args: Parameters<typeof createImageBitmap>) =>
      document.pending.track('createImageBitmap', createImageBitmap(...args)),
    matchMedia: (query: string) => matchMedia(media, query),
    Image: imageClassOf(document),
    ...PAGE_CLASSES,
    OffscreenCanvas,
    Worker: workerClassOf({ services: document, workers, OffscreenCanvas, reportError }),
    ...WEBGL_CLASSES,
  };
}

/**
 * Defines the names of a window on `globalThis`, including `self` and `window`, and overrides
 * Node's own (`navigator`). Sets `process.browser` and `process.type`, by which libraries
 * distinguish a page with a `process` from Node. Returns a function that restores the previous
 * state and ends the workers.
 */
export function installWindow(options: WindowOptions = {}): () => void {
  const workers = options.workers ?? new PageWorkers();
  const made = makeNames(options, workers, () => globalThis);
  const names = { ...made, window: globalThis, self: globalThis };
  const restoreGlobals = defineNames(globalThis, names);
  // The page of an Electron program has this type. Programs compiled by Emscripten test it.
  const restoreProcess = defineNames(process, { browser: true, type: 'renderer' });
  return () => {
    workers.terminate();
    restoreGlobals();
    restoreProcess();
  };
}

function rethrow(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}

/**
 * Returns the class behind `new Image(width?, height?)`, which has no argument for its document.
 */
function imageClassOf(document: Document): unknown {
  return class Image extends ImageElement {
    constructor(width?: number, height?: number) {
      super(document);
      if (width !== undefined) this.width = width;
      if (height !== undefined) this.height = height;
    }
  };
}

/** Delivers a message to the window itself, after the running code has returned. */
function postMessage(events: EventTarget, self: object, data: unknown): void {
  const event = new MessageEvent('message', { data });
  Object.defineProperty(event, 'source', { value: self });
  setImmediate(() => fireEvent(events, event, self));
}
