/** Prepares and renders frames that the reader accepted, like the service. */

import { chooseGridShape, type Frame, makeCoarseBinGrid } from '@tessera/frame';
import type { LocalGpu } from '@tessera/local-gpu';
import { prepareFrame } from '@tessera/multi-chiplet';

const RENDERED_PIXELS = 1024;
/**
 * Number of inputs per rendered input, chosen by length: rendering costs a hundred times as much as
 * reading.
 */
const RENDERED_OF = 16;
/** Maximum number of vertices of all draws of a rendered frame. Larger frames are only prepared. */
const RENDERED_VERTICES = 20_000;

/**
 * Checks and compiles a frame.
 *
 * @throws {RenderError} If the service would reject the frame. */
export function prepareAsService(frame: Frame, gpu: LocalGpu): string {
  const { widthPx, heightPx } = frame;
  const { columns, rows } = chooseGridShape(32, widthPx, heightPx);
  prepareFrame(frame, {
    grid: makeCoarseBinGrid(widthPx, heightPx, columns, rows),
    visibilityShader: 'minimal',
    timing: 'functional',
    programs: gpu.programs,
  });
  return 'prepared';
}

/**
 * Renders the frame of some inputs if it is small. Returns whether the frame was rendered.
 *
 * @throws {RenderError} If the service would fail the frame.
 */
export async function renderSmall(
  frame: Frame,
  input: Uint8Array,
  gpu: LocalGpu,
): Promise<boolean> {
  const { widthPx, heightPx, passes } = frame;
  if (input.length % RENDERED_OF !== 0) return false;
  if (!(widthPx * heightPx <= RENDERED_PIXELS)) return false;
  const vertices = passes
    .flatMap(({ draws }) => draws)
    .reduce((sum, { count, instanceCount }) => sum + count * (instanceCount ?? 1), 0);
  if (!(vertices <= RENDERED_VERTICES)) return false;
  await gpu.render(frame);
  return true;
}
