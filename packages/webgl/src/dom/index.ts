/** `@tessera/webgl/dom`: the part of a web page that WebGL programs need besides their context. */

export { isPixelSource, type PixelSource, type Pixels } from '../pixels/pixels.ts';
export type {
  CanvasContext,
  CreateCanvasContext,
  DrawableCanvas,
} from './canvas/canvas-surface.ts';
export { DrawnCanvases } from './canvas/drawn-canvases.ts';
export { OffscreenCanvas } from './canvas/offscreen-canvas.ts';
export { Context2d } from './canvas-2d/context-2d.ts';
export { CanvasElement } from './elements/canvas-element.ts';
export { Document, type DocumentOptions } from './elements/document.ts';
export { Element, TextNode } from './elements/element.ts';
export { IframeElement } from './elements/iframe-element.ts';
export { ImageElement } from './elements/image-element.ts';
export { parseMarkup } from './elements/markup.ts';
export { ScriptElement } from './elements/script-element.ts';
export { VideoElement } from './elements/video-element.ts';
export { type BitmapOptions, createImageBitmap, ImageBitmap } from './images/image-bitmap.ts';
export { ImageData } from './images/image-data.ts';
export { createWindow, installWindow, type PageWindow, type WindowOptions } from './page/window.ts';
export { fireEvent } from './scope/fire-event.ts';
export { PendingWork } from './scope/pending-work.ts';
export { RequestedFrames } from './scope/requested-frames.ts';
export { decodeDataAddress, fetchBytes, readBytes } from './scope/scope-services.ts';
export { watchCalls } from './scope/watched-calls.ts';
export { WatchedTimers } from './scope/watched-timers.ts';
export { VideoClock } from './video/video-clock.ts';
export { PageWorkers, type PageWorkersOptions } from './workers/page-workers.ts';
export type { WorkerContexts } from './workers/worker-contexts.ts';
export type { WorkerFrame } from './workers/worker-protocol.ts';
