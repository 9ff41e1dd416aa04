/** Document of a page: the tree and the factory of its elements. */
import type { CreateCanvasContext } from '../canvas/canvas-surface.ts';
import { createInProcessContext } from '../canvas/in-process-context.ts';
import { type OffscreenCanvasClass, offscreenCanvasOf } from '../canvas/offscreen-canvas.ts';
import { PendingWork } from '../scope/pending-work.ts';
import {
  defaultPageAddress,
  fetchBytes,
  readBytes,
  type ScopeServices,
} from '../scope/scope-services.ts';
import { VideoClock } from '../video/video-clock.ts';
import type { BoxSize } from './box-size.ts';
import { CanvasElement } from './canvas-element.ts';
import { Element, TextNode } from './element.ts';
import { IframeElement } from './iframe-element.ts';
import { ImageElement } from './image-element.ts';
import { ScriptElement } from './script-element.ts';
import { compileSelector } from './selector.ts';
import { VideoElement } from './video-element.ts';

/** Options of {@link Document}. */
export interface DocumentOptions {
  /** Size of the page in CSS pixels; 1024×768 by default. */
  readonly pageSize?: BoxSize;
  /** Context factory; contexts that render in this process by default. */
  readonly createContext?: CreateCanvasContext;
  /**
   * Returns the bytes at an address. By default it reads data addresses and files, and fetches
   * network addresses.
   */
  readonly fetchBytes?: (address: string) => Promise<Uint8Array>;
  /**
   * Returns the bytes at an address while the program waits. By default it reads data addresses and
   * files.
   */
  readonly readBytes?: (address: string) => Uint8Array;
  /**
   * Address of the page, from which relative addresses start; in the working directory by default.
   */
  readonly address?: string;
  /** Receives the work of the page while it is pending. */
  readonly pending?: PendingWork;
  /**
   * Returns whether an address has the page's own origin, so that its pixels can be read. By
   * default all addresses do.
   */
  readonly isOwnAddress?: (address: string) => boolean;
  /**
   * Called synchronously for each script that is added to the page. By default scripts are not run.
   */
  readonly runScript?: (script: ScriptElement) => void;
  /** Opens the page of a frame and sets its window. By default frames cannot have pages. */
  readonly openFrame?: (frame: IframeElement) => void;
}

/** Document of a page. */
export class Document extends EventTarget implements ScopeServices {
  readonly nodeType = 9;
  readonly documentElement: Element;
  readonly head: Element;
  readonly body: Element;
  /** Loading state, set by the loader of the page. Without a loader the page is complete. */
  readyState: 'loading' | 'interactive' | 'complete' = 'complete';
  readonly hidden = false;
  readonly visibilityState = 'visible';
  readonly pageSize: BoxSize;
  readonly createContext: CreateCanvasContext;
  /** Class of the page's offscreen canvases. */
  readonly OffscreenCanvas: OffscreenCanvasClass;
  readonly address: URL;
  readonly pending: PendingWork;
  readonly fetchBytes: (address: string) => Promise<Uint8Array>;
  readonly readBytes: (address: string) => Uint8Array;
  readonly isOwnAddress: (address: string) => boolean;
  readonly openFrame: ((frame: IframeElement) => void) | null;
  /** Functions that run after the animation frame callbacks of each frame. */
  readonly afterFrames = new Set<() => void>();
  /** Playing videos, which advance with the frames of the page. */
  readonly videos = new VideoClock();
  title = '';
  readonly #runScript: (script: ScriptElement) => void;

  constructor(options: DocumentOptions = {}) {
    super();
    this.pageSize = options.pageSize ?? { width: 1024, height: 768 };
    this.createContext = options.createContext ?? createInProcessContext;
    this.OffscreenCanvas = offscreenCanvasOf(this.createContext);
    this.address = options.address === undefined ? defaultPageAddress() : new URL(options.address);
    this.pending = options.pending ?? new PendingWork();
    this.fetchBytes = options.fetchBytes ?? fetchBytes;
    this.readBytes = options.readBytes ?? readBytes;
    this.isOwnAddress = options.isOwnAddress ?? (() => true);
    this.openFrame = options.openFrame ?? null;
    this.#runScript = options.runScript ?? (() => {});
    this.documentElement = new Element(this, 'html');
    this.head = this.documentElement.appendChild(new Element(this, 'head'));
    this.body = this.documentElement.appendChild(new Element(this, 'body'));
  }

  get defaultView(): unknown {
    return null;
  }

  get baseURI(): string {
    return this.address.href;
  }

  get URL(): string {
    return this.address.href;
  }

  get location(): URL {
    return this.address;
  }

  createElement(name: 'canvas'): CanvasElement;
  createElement(name: 'iframe'): IframeElement;
  createElement(name: 'img'): ImageElement;
  createElement(name: 'script'): ScriptElement;
  createElement(name: 'video'): VideoElement;
  createElement(name: string): Element;
  createElement(name: string): Element {
    const lower = String(name).toLowerCase();
    if (lower === 'canvas') return new CanvasElement(this);
    if (lower === 'iframe') return new IframeElement(this);
    if (lower === 'img') return new ImageElement(this);
    if (lower === 'script') return new ScriptElement(this);
    if (lower === 'video') return new VideoElement(this);
    return new Element(this, lower);
  }

  createElementNS(_namespace: string | null, name: string): Element {
    return this.createElement(name);
  }

  createTextNode(text: string): TextNode {
    return new TextNode(String(text));
  }

  getElementById(id: string): Element | null {
    return this.#listAll().find((element) => element.id === id) ?? null;
  }

  getElementsByTagName(name: string): Element[] {
    return this.#listAll().filter((each) => name === '*' || each.localName === name.toLowerCase());
  }

  querySelector(selector: string): Element | null {
    return this.querySelectorAll(selector)[0] ?? null;
  }

  querySelectorAll(selector: string): Element[] {
    return this.#listAll().filter(compileSelector(String(selector)));
  }

  /** Runs the scripts of an element that was added to the page, and opens its frames. */
  noteConnected(element: Element): void {
    for (const each of [element, ...element.getElementsByTagName('*')]) {
      if (each instanceof ScriptElement && !each.isInert) this.#runScript(each);
      if (each instanceof IframeElement) each.open();
    }
  }

  /** Notifies observers that a frame is complete. */
  endFrame(): void {
    for (const run of [...this.afterFrames]) run();
  }

  #listAll(): Element[] {
    return [this.documentElement, ...this.documentElement.getElementsByTagName('*')];
  }
}
