/**
 * Which bin chiplet 0 may render within the visibility phase (patent fig. 3: 316–320). It is chosen before anything
 * is known of the pass, by place alone: the bin in the middle of the grid, where things are most often. Whether
 * chiplet 0 does so is for it to say (gpu/src/command/early-bin.ts).
 */
import type { CoarseBinGrid, CoarseBinId, PreparedFrame } from '@tessera/frame';

function chooseEarlyBin({ columns, rows }: CoarseBinGrid): CoarseBinId {
  return Math.floor(rows / 2) * columns + Math.floor(columns / 2);
}

/** The frame of one pass with the bin that chiplet 0 may render early; none if it does not render bins. */
export function withEarlyBin(frame: PreparedFrame, isChipletRendering: boolean): PreparedFrame {
  const { commands } = frame;
  const isWanted = isChipletRendering && commands.visibilitySwitches.rendersEarlyBin;
  const earlyBinId = isWanted ? chooseEarlyBin(commands.grid) : null;
  return { ...frame, commands: { ...commands, earlyBinId } };
}
