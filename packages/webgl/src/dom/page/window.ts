/**
 * What programs of the web find beside their document. `createWindow` gives the names as an object, for a
 * program with globals of its own (a test page); `installWindow` puts them on `globalThis`, for a library that is
 * imported.
 */

import { CanvasElement } from '../elements/canvas-element.ts';
import { Document, type DocumentOptions } from '../elements/document.ts';
import { Element } from '../elements/element.ts';
import { ImageElement } from '../elements/image-element.ts';
import { VideoElement } from '../elements/video-element.ts';
import { createImageBitmap, ImageBitmap } from '../images/image-bitmap.ts';
import { ImageData } from '../images/image-data.ts';
import { AnimationFrames } from './animation-frames.ts';
import { makePageFetch, ProgressEvent } from './page-fetch.ts';

export interface WindowOptions extends DocumentOptions {
  /** Address of the page. */
  readonly address?: string;
  readonly innerWidth?: number;
  readonly innerHeight?: number;
  /** Told of errors in callbacks of frames; by default they are thrown on, which ends the process. */
  readonly reportError?: (error: unknown) => void;
  /** Called after the callbacks of each frame, when a browser shows what canvases hold. By default nobody looks. */
  readonly showCanvases?: () => void;
}

/** The names of a page's global object that this package gives; a program may add its own. */
export interface PageWindow {
  readonly document: Document;
  readonly location: URL;
  readonly [name: string]: unknown;
}

export function createWindow(options: WindowOptions = {}): PageWindow {
  const names = makeNames(options, () => names);
  return names;
}

/** @param self What a program takes for the window: where its messages come from. */
function makeNames(options: WindowOptions, self: () => object): PageWindow {
  const document = new Document(options);
  const frames = new AnimationFrames(
    options.reportError ??
      ((error) => {
        queueMicrotask(() => {
          throw error;
        });
      }),
    options.showCanvases ?? (() => {}),
  );
  const events = new EventTarget();
  const location = new URL(options.address ?? 'file:///page.html');
  const innerWidth = options.innerWidth ?? 1024;
  const innerHeight = options.innerHeight ?? 768;
  return {
    document,
    location,
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
    ProgressEvent,
    createImageBitmap,
    Image: imageClassOf(document),
    ImageBitmap,
    ImageData,
    HTMLElement: Element,
    HTMLCanvasElement: CanvasElement,
    HTMLImageElement: ImageElement,
    HTMLVideoElement: VideoElement,
  };
}

/**
 * Puts the names of a window on `globalThis`, `self` and `window` among them, over those that Node has itself
 * (`navigator`). Gives a function that takes them away again.
 */
export function installWindow(options: WindowOptions = {}): () => void {
  const made = makeNames(options, () => globalThis);
  const names = { ...made, window: globalThis, self: globalThis };
  const before = new Map<string, PropertyDescriptor | undefined>();
  for (const [name, value] of Object.entries(names)) {
    before.set(name, Object.getOwnPropertyDescriptor(globalThis, name));
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
  return () => {
    for (const [name, descriptor] of before) {
      if (descriptor === undefined) Reflect.deleteProperty(globalThis, name);
      else Object.defineProperty(globalThis, name, descriptor);
    }
  };
}

/** `new Image(width?, height?)` has no argument for the document it belongs to. */
function imageClassOf(document: Document): unknown {
  return class Image extends ImageElement {
    constructor(width?: number, height?: number) {
      super(document);
      if (width !== undefined) this.width = width;
      if (height !== undefined) this.height = height;
    }
  };
}

/** A window that posts to itself; the message comes once what runs now has ended. */
function postMessage(events: EventTarget, self: object, message: unknown): void {
  const event = new MessageEvent('message', { data: structuredClone(message) });
  Object.defineProperty(event, 'source', { value: self });
  setImmediate(() => {
    const { onmessage } = self as { onmessage?: (event: Event) => void };
    onmessage?.call(self, event);
    events.dispatchEvent(event);
  });
}
