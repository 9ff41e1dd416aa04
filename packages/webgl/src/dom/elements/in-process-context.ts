/** Contexts of canvases whose document was told of none: rendered in this process. */

import { createContext } from '../../create-context.ts';
import { fitDrawingBuffer } from '../../interface/limits.ts';
import type { CanvasContext, CanvasElement } from './canvas-element.ts';

/** A drawing buffer is as large as its canvas, as far as one can be. */
export function createInProcessContext(
  kind: 'webgl' | 'webgl2',
  { width, height }: CanvasElement,
  attributes: object,
): CanvasContext {
  const options = { ...attributes, createWebGL2Context: kind === 'webgl2' };
  return createContext(...fitDrawingBuffer(width, height), options) as CanvasContext;
}
