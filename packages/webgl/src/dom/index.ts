/** `@tessera/webgl/dom`: the little of a page that programs of WebGL want beside their context. */
export { type CanvasContext, CanvasElement } from './canvas.ts';
export { Context2d } from './context-2d.ts';
export { type CreateCanvasContext, Document, type DocumentOptions } from './document.ts';
export { Element, fireEvent, TextNode } from './element.ts';
export { type BitmapOptions, createImageBitmap, ImageBitmap } from './image-bitmap.ts';
export { ImageData } from './image-data.ts';
export { ImageElement } from './image-element.ts';
export { isPixelSource, type PixelSource, type Pixels } from './pixels.ts';
export { ScriptElement } from './script-element.ts';
export { VideoElement } from './video-element.ts';
export { createWindow, installWindow, type PageWindow, type WindowOptions } from './window.ts';
