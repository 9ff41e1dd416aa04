/**
 * Choice of the bin that chiplet 0 may render during the visibility phase (patent fig. 3: 316–320).
 * The cost of the bins is still unknown, so the choice depends only on position. It is the bin in
 * the middle of the grid, where objects are most often. Chiplet 0 decides whether it renders the
 * bin.
 */
import type { CoarseBinGrid, CoarseBinId, PreparedFrame } from '@tessera/frame';

function chooseEarlyBin({ columns, rows }: CoarseBinGrid): CoarseBinId {
  return Math.floor(rows / 2) * columns + Math.floor(columns / 2);
}

/**
 * Returns the frame of one pass with the bin that chiplet 0 may render early, or with none if
 * chiplet 0 does not render bins.
 */
export function withEarlyBin(frame: PreparedFrame, isChipletRendering: boolean): PreparedFrame {
  const { commands } = frame;
  const isWanted = isChipletRendering && commands.visibilitySwitches.rendersEarlyBin;
  const earlyBinId = isWanted ? chooseEarlyBin(commands.grid) : null;
  return { ...frame, commands: { ...commands, earlyBinId } };
}
