/**
 * `ResizeObserver` and `IntersectionObserver` of a page without layout: an element has the size of
 * its bounding rectangle, and elements of the page's tree are visible as a whole. As in a browser,
 * an observer is notified once after `observe`, and after each frame that changed something.
 */
import { setImmediate } from 'node:timers';
import type { Document } from '../elements/document.ts';
import type { Element } from '../elements/element.ts';

/** Size, in CSS and in device pixels, which are the same in this page. */
interface ObservedSize {
  readonly inlineSize: number;
  readonly blockSize: number;
}

/** Entry of a `ResizeObserver`. */
export interface ResizeEntry {
  readonly target: Element;
  readonly contentRect: ReturnType<Element['getBoundingClientRect']>;
  readonly contentBoxSize: readonly ObservedSize[];
  readonly borderBoxSize: readonly ObservedSize[];
  readonly devicePixelContentBoxSize: readonly ObservedSize[];
}

/** Entry of an `IntersectionObserver`. */
export interface IntersectionEntry {
  readonly target: Element;
  readonly isIntersecting: boolean;
  /** Visible share of the element: 0 or 1. */
  readonly intersectionRatio: number;
  readonly boundingClientRect: ReturnType<Element['getBoundingClientRect']>;
  readonly intersectionRect: ReturnType<Element['getBoundingClientRect']>;
  readonly rootBounds: null;
  readonly time: number;
}

/** Observer that compares its elements with their state of the last notification. */
abstract class ElementObserver<Entry> {
  readonly #callback: (entries: Entry[], observer: ElementObserver<Entry>) => void;
  /** Last known state by element; null before the first notification. */
  readonly #states = new Map<Element, string | null>();

  #document: Document | null = null;

  /** @throws {TypeError} If the callback is not a function. */
  constructor(callback: (entries: Entry[], observer: ElementObserver<Entry>) => void) {
    if (typeof callback !== 'function') {
      throw new TypeError(`${new.target.name}: the callback is not a function`);
    }
    this.#callback = callback;
  }

  observe(target: Element): void {
    this.#states.set(target, null);
    this.#document = target.ownerDocument;
    target.ownerDocument.afterFrames.add(this.#notify);
    // After the style that the script sets, as the first layout of a browser.
    setImmediate(this.#notify);
  }

  unobserve(target: Element): void {
    this.#states.delete(target);
    if (this.#states.size === 0) target.ownerDocument.afterFrames.delete(this.#notify);
  }

  disconnect(): void {
    for (const target of [...this.#states.keys()]) this.unobserve(target);
  }

  /** Returns the entries of changes that the callback has not received. */
  takeRecords(): Entry[] {
    return [...this.#states].flatMap(([target, last]) => {
      const state = this.readState(target);
      if (state === last) return [];
      this.#states.set(target, state);
      return [this.makeEntry(target)];
    });
  }

  /** Returns the observed state of an element as text. */
  protected abstract readState(target: Element): string;
  protected abstract makeEntry(target: Element): Entry;

  readonly #notify = (): void => {
    const entries = this.takeRecords();
    if (entries.length === 0) return;
    // Work of the page, because its next frame can differ.
    const end = this.#document?.pending.begin('notification of a size');
    try {
      this.#callback.call(this, entries, this);
    } finally {
      end?.();
    }
  };
}

/** Observer of the sizes of elements (Resize Observer, sections 2.1 and 3.4). */
export class ResizeObserver extends ElementObserver<ResizeEntry> {
  protected override readState(target: Element): string {
    const { width, height } = target.getBoundingClientRect();
    return `${width}×${height}`;
  }

  protected override makeEntry(target: Element): ResizeEntry {
    const contentRect = target.getBoundingClientRect();
    const size = [{ inlineSize: contentRect.width, blockSize: contentRect.height }];
    return {
      target,
      contentRect,
      contentBoxSize: size,
      borderBoxSize: size,
      devicePixelContentBoxSize: size,
    };
  }
}

/** Observer of the visibility of elements (Intersection Observer, sections 2.2 and 3.2). */
export class IntersectionObserver extends ElementObserver<IntersectionEntry> {
  readonly root = null;
  readonly rootMargin = '0px 0px 0px 0px';
  readonly thresholds: readonly number[] = [0];

  protected override readState(target: Element): string {
    return String(target.isConnected);
  }

  protected override makeEntry(target: Element): IntersectionEntry {
    const boundingClientRect = target.getBoundingClientRect();
    const { isConnected } = target;
    const hidden = { ...boundingClientRect, width: 0, height: 0 };
    return {
      target,
      isIntersecting: isConnected,
      intersectionRatio: isConnected ? 1 : 0,
      boundingClientRect,
      intersectionRect: isConnected ? boundingClientRect : hidden,
      rootBounds: null,
      time: performance.now(),
    };
  }
}
