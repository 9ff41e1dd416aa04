/**
 * Global names that web programs use besides the document. `createWindow` returns them as an
 * object, for programs with their own globals (test pages). `installWindow` defines them on
 * `globalThis`, for imported libraries.
 */

import { WEBGL_CLASSES } from '../../webgl-classes.ts';
import { Document, type DocumentOptions } from '../elements/document.ts';
import { ImageElement } from '../elements/image-element.ts';
import { createImageBitmap } from '../images/image-bitmap.ts';
import { AnimationFrames } from './animation-frames.ts';
import { matchMedia } from './media-query.ts';
import { PAGE_CLASSES } from './page-classes.ts';
import { makePageFetch } from './page-fetch.ts';

/** Options of a window. */
export interface WindowOptions extends DocumentOptions {
  /** Address of the page. */
  readonly address?: string;
  readonly innerWidth?: number;
  readonly innerHeight?: number;
  /**
   * Receives errors of animation frame callbacks. By default they are rethrown, which ends the
   * process.
   */
  readonly reportError?: (error: unknown) => void;
  /**
   * Called after the callbacks of each frame, when a browser would display the canvases. Does
   * nothing by default.
   */
  readonly showCanvases?: () => void;
}

/** Global names of a page. A program can add its own. */
export interface PageWindow {
  readonly document: Document;
  readonly location: URL;
  readonly [name: string]: unknown;
}

/** Creates the global names of a page as an object. */
export function createWindow(options: WindowOptions = {}): PageWindow {
  const names = makeNames(options, () => names);
  return names;
}

/**
 * Creates the global names.
 *
 * @param self Object that the program sees as its window, used as source of its messages.
 */
function makeNames(options: WindowOptions, self: () => object): PageWindow {
  const innerWidth = options.innerWidth ?? 1024;
  const innerHeight = options.innerHeight ?? 768;
  const pageSize = { width: innerWidth, height: innerHeight };
  const document = new Document({ ...options, pageSize });
  const frames = new AnimationFrames(
    options.reportError ??
      ((error) => {
        queueMicrotask(() => {
          throw error;
        });
      }),
    () => {
      document.endFrame();
      options.showCanvases?.();
    },
  );
  const events = new EventTarget();
  const location = new URL(options.address ?? 'file:///page.html');
  const media = { widthPx: innerWidth, heightPx: innerHeight, resolution: 1 };
  return {
    document,
    location,
    // Name of the window for links and frames, which a page without them does not have.
    name: '',
    navigator: {
      userAgent: 'Tessera',
      platform: 'Tessera',
      appVersion: 'Tessera',
      language: 'en',
      languages: ['en'],
      hardwareConcurrency: 1,
      maxTouchPoints: 0,
      onLine: true,
    },
    screen: { width: innerWidth, height: innerHeight },
    innerWidth,
    innerHeight,
    devicePixelRatio: 1,
    performance,
    requestAnimationFrame: (callback: (timeMs: number) => void) => frames.request(callback),
    cancelAnimationFrame: (id: number) => frames.cancel(id),
    addEventListener: events.addEventListener.bind(events),
    removeEventListener: events.removeEventListener.bind(events),
    dispatchEvent: events.dispatchEvent.bind(events),
    postMessage: (message: unknown) => postMessage(events, self(), message),
    ...makePageFetch(document, location),
    createImageBitmap,
    matchMedia: (query: string) => matchMedia(media, query),
    Image: imageClassOf(document),
    ...PAGE_CLASSES,
    OffscreenCanvas: document.OffscreenCanvas,
    ...WEBGL_CLASSES,
  };
}

/**
 * Defines the names of a window on `globalThis`, including `self` and `window`, and overrides
 * Node's own (`navigator`). Sets `process.browser`, by which libraries distinguish a page with a
 * `process` from Node. Returns a function that restores the previous state.
 */
export function installWindow(options: WindowOptions = {}): () => void {
  const made = makeNames(options, () => globalThis);
  const names = { ...made, window: globalThis, self: globalThis };
  const restoreGlobals = defineNames(globalThis, names);
  const restoreProcess = defineNames(process, { browser: true });
  return () => {
    restoreGlobals();
    restoreProcess();
  };
}

/** Defines properties. Returns a function that restores the previous ones. */
function defineNames(target: object, names: object): () => void {
  const before = new Map<string, PropertyDescriptor | undefined>();
  for (const [name, value] of Object.entries(names)) {
    before.set(name, Object.getOwnPropertyDescriptor(target, name));
    Object.defineProperty(target, name, { value, configurable: true, writable: true });
  }
  return () => {
    for (const [name, descriptor] of before) {
      if (descriptor === undefined) Reflect.deleteProperty(target, name);
      else Object.defineProperty(target, name, descriptor);
    }
  };
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
function postMessage(events: EventTarget, self: object, message: unknown): void {
  const event = new MessageEvent('message', { data: structuredClone(message) });
  Object.defineProperty(event, 'source', { value: self });
  setImmediate(() => {
    const { onmessage } = self as { onmessage?: (event: Event) => void };
    onmessage?.call(self, event);
    events.dispatchEvent(event);
  });
}
