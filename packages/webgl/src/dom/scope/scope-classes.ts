/**
 * Classes that a page and its workers have as globals, by name. `Object.prototype.toString` returns
 * these names too (WebIDL, section 3.7.6), and libraries test for them.
 */
import { OffscreenCanvas } from '../canvas/offscreen-canvas.ts';
import { CanvasGradient } from '../canvas-2d/canvas-gradient.ts';
import { CanvasPattern } from '../canvas-2d/canvas-pattern.ts';
import { Context2d } from '../canvas-2d/context-2d.ts';
import { DOMMatrix } from '../canvas-2d/dom-matrix.ts';
import { Path2D } from '../canvas-2d/path-2d.ts';
import { ImageBitmap } from '../images/image-bitmap.ts';
import { ImageData } from '../images/image-data.ts';
import { ImageDecoder } from '../images/image-decoder.ts';
import { VideoFrame } from '../images/video-frame.ts';
import { ProgressEvent } from './page-fetch.ts';

/** Classes that Node does not have. */
export const SCOPE_CLASSES = {
  CanvasGradient,
  CanvasPattern,
  DOMMatrix,
  ImageBitmap,
  ImageData,
  ImageDecoder,
  OffscreenCanvas,
  OffscreenCanvasRenderingContext2D: Context2d,
  Path2D,
  ProgressEvent,
  VideoFrame,
} as const;

/** Lets `Object.prototype.toString` return the names of classes. */
export function nameClasses(classes: Readonly<Record<string, { readonly prototype: object }>>) {
  for (const [name, { prototype }] of Object.entries(classes)) {
    Object.defineProperty(prototype, Symbol.toStringTag, { value: name, configurable: true });
  }
}

nameClasses(SCOPE_CLASSES);
