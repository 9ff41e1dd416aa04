/** Contexts of canvases whose document was told of none: rendered in this process. */
import { fitDrawingBuffer } from '../context/limits.ts';
import { createContext } from '../create-context.ts';
import type { CanvasContext, CanvasElement } from './canvas.ts';

/** A drawing buffer is as large as its canvas, as far as one can be. */
export function createInProcessContext(
  kind: 'webgl' | 'webgl2',
  { width, height }: CanvasElement,
  attributes: object,
): CanvasContext {
  const options = { ...attributes, createWebGL2Context: kind === 'webgl2' };
  return createContext(...fitDrawingBuffer(width, height), options) as CanvasContext;
}
