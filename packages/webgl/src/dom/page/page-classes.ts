/**
 * Classes of a page by the names that it has as globals. `Object.prototype.toString` returns these
 * names too (WebIDL, section 3.7.6), and libraries test for them.
 */
import { Context2d } from '../canvas-2d/context-2d.ts';
import { CanvasElement } from '../elements/canvas-element.ts';
import { Document } from '../elements/document.ts';
import { Element, TextNode } from '../elements/element.ts';
import { IframeElement } from '../elements/iframe-element.ts';
import { ImageElement } from '../elements/image-element.ts';
import { ScriptElement } from '../elements/script-element.ts';
import { VideoElement } from '../elements/video-element.ts';
import { nameClasses, SCOPE_CLASSES } from '../scope/scope-classes.ts';
import { MediaQueryList } from './media-query.ts';
import { IntersectionObserver, ResizeObserver } from './size-observers.ts';

/** Classes of a page that Node does not have, by name. */
export const PAGE_CLASSES = {
  ...SCOPE_CLASSES,
  CanvasRenderingContext2D: Context2d,
  HTMLCanvasElement: CanvasElement,
  HTMLDocument: Document,
  HTMLElement: Element,
  HTMLIFrameElement: IframeElement,
  HTMLImageElement: ImageElement,
  HTMLScriptElement: ScriptElement,
  HTMLVideoElement: VideoElement,
  IntersectionObserver,
  MediaQueryList,
  ResizeObserver,
  Text: TextNode,
} as const;

nameClasses(PAGE_CLASSES);
