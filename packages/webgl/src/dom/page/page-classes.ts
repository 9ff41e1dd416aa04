/**
 * Classes of a page by the names that it has as globals. `Object.prototype.toString` returns these
 * names too (WebIDL, section 3.7.6), and libraries test for them.
 */
import { OffscreenCanvas } from '../canvas/offscreen-canvas.ts';
import { CanvasGradient } from '../canvas-2d/canvas-gradient.ts';
import { Context2d } from '../canvas-2d/context-2d.ts';
import { CanvasElement } from '../elements/canvas-element.ts';
import { Document } from '../elements/document.ts';
import { Element, TextNode } from '../elements/element.ts';
import { ImageElement } from '../elements/image-element.ts';
import { ScriptElement } from '../elements/script-element.ts';
import { VideoElement } from '../elements/video-element.ts';
import { ImageBitmap } from '../images/image-bitmap.ts';
import { ImageData } from '../images/image-data.ts';
import { MediaQueryList } from './media-query.ts';
import { ProgressEvent } from './page-fetch.ts';
import { IntersectionObserver, ResizeObserver } from './size-observers.ts';

/** Classes of a page that Node does not have, by name. */
export const PAGE_CLASSES = {
  CanvasGradient,
  CanvasRenderingContext2D: Context2d,
  HTMLCanvasElement: CanvasElement,
  HTMLDocument: Document,
  HTMLElement: Element,
  HTMLImageElement: ImageElement,
  HTMLScriptElement: ScriptElement,
  HTMLVideoElement: VideoElement,
  ImageBitmap,
  ImageData,
  IntersectionObserver,
  MediaQueryList,
  OffscreenCanvas,
  ProgressEvent,
  ResizeObserver,
  Text: TextNode,
} as const;

for (const [name, { prototype }] of Object.entries(PAGE_CLASSES)) {
  Object.defineProperty(prototype, Symbol.toStringTag, { value: name, configurable: true });
}
