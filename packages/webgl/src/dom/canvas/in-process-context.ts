/** Default context factory of pages: contexts that render in this process. */

import { createContext } from '../../create-context.ts';
import { fitDrawingBuffer } from '../../interface/limits.ts';
import type { CanvasContext, DrawableCanvas } from './canvas-surface.ts';

/**
 * Creates a context whose drawing buffer has the canvas's size, within the limits of a drawing
 * buffer.
 */
export function createInProcessContext(
  kind: 'webgl' | 'webgl2',
  { width, height }: DrawableCanvas,
  attributes: object,
): CanvasContext {
  const options = { ...attributes, createWebGL2Context: kind === 'webgl2' };
  return createContext(...fitDrawingBuffer(width, height), options) as CanvasContext;
}
