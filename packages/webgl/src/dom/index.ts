/** `@tessera/webgl/dom`: the part of a web page that WebGL programs need besides their context. */

export { isPixelSource, type PixelSource, type Pixels } from '../pixels/pixels.ts';
export type {
  CanvasContext,
  CreateCanvasContext,
  DrawableCanvas,
} from './canvas/canvas-surface.ts';
export { OffscreenCanvas } from './canvas/offscreen-canvas.ts';
export { Context2d } from './canvas-2d/context-2d.ts';
export { CanvasElement } from './elements/canvas-element.ts';
export { Document, type DocumentOptions } from './elements/document.ts';
export { Element, fireEvent, TextNode } from './elements/element.ts';
export { ImageElement } from './elements/image-element.ts';
export { ScriptElement } from './elements/script-element.ts';
export { VideoElement } from './elements/video-element.ts';
export { type BitmapOptions, createImageBitmap, ImageBitmap } from './images/image-bitmap.ts';
export { ImageData } from './images/image-data.ts';
export { createWindow, installWindow, type PageWindow, type WindowOptions } from './page/window.ts';
