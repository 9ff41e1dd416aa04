/** Memory size of a prepared frame, and its adaptation to a chiplet specification. */
import { chooseCoarseBinGrid, type PreparedFrame } from '@tessera/frame';
import type { FrameOptions } from './frame-options.ts';

/** Returns the bytes of a frame's buffers and textures. */
export function resourceBytes({ buffers, textures }: PreparedFrame): number {
  let bytes = 0;
  for (const buffer of buffers) bytes += buffer.bytes.length;
  for (const { levels } of textures) for (const level of levels) bytes += level.length;
  return bytes;
}

/** Hardware and grid that a frame is rendered on. */
export type RequestedHardware = Pick<FrameOptions, 'spec' | 'alternativeSpecs' | 'grid'>;

/**
 * Returns the frame for chiplets of a specification. Coarse bins are aligned to the specification's
 * fine bins.
 */
export function onSpec(
  frame: PreparedFrame,
  { spec, alternativeSpecs, grid: request }: RequestedHardware,
  rendererCount: number,
): PreparedFrame {
  const { widthPx, heightPx, columns, rows } = frame.commands.grid;
  const grid = chooseCoarseBinGrid(
    request ?? { kind: 'shape', columns, rows },
    widthPx,
    heightPx,
    Math.max(1, rendererCount),
    spec.fineBinPx,
  );
  return { ...frame, commands: { ...frame.commands, grid, spec, alternativeSpecs } };
}
