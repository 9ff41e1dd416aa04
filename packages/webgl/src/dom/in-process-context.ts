/** Contexts of canvases whose document was told of none: rendered in this process. */
import { LIMITS } from '../context/limits.ts';
import { createContext } from '../create-context.ts';
import type { CanvasContext, CanvasElement } from './canvas.ts';

/** A drawing buffer is as large as its canvas, as far as one can be. */
export function createInProcessContext(
  kind: 'webgl' | 'webgl2',
  { width, height }: CanvasElement,
  attributes: object,
): CanvasContext | null {
  const [widthPx, heightPx] = [width, height].map((edge) =>
    Math.min(Math.max(edge, 1), LIMITS.textureEdgePx),
  );
  const options = { ...attributes, createWebGL2Context: kind === 'webgl2' };
  return createContext(widthPx!, heightPx!, options) as CanvasContext | null;
}
