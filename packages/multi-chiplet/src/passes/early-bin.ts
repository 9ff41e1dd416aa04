/**
 * Choice of the bin that chiplet 0 may render during the visibility phase (patent fig. 3: 316–320).
 * The cost of the bins is still unknown, so the choice depends only on position. It is the bin in
 * the middle of the grid, where objects are most often. Chiplet 0 decides whether it renders the
 * bin.
 */
import {
  type CoarseBinGrid,
  type CoarseBinId,
  coarseBinRect,
  type FrameCommands,
  type PreparedFrame,
  primitiveCountOf,
} from '@tessera/frame';

/**
 * Samples of the bin per primitive of the phase up to which the phase is long enough for the bin:
 * primitives take a cycle each, and output about as many samples a cycle. Within a shorter phase
 * the bin would hardly begin, and then delay the next bins of the chiplet.
 */
const MAX_SAMPLES_PER_PRIMITIVE = 16;

function chooseEarlyBin({ columns, rows }: CoarseBinGrid): CoarseBinId {
  return Math.floor(rows / 2) * columns + Math.floor(columns / 2);
}

/** Whether the visibility phase of the only pass is long enough to render a bin within it. */
function isPhaseLong({ grid, passes }: FrameCommands, binId: CoarseBinId): boolean {
  const { width, height } = coarseBinRect(grid, binId);
  const { draws, sampleCount = 1 } = passes[0]!;
  const primitives = draws.reduce((sum, draw) => sum + primitiveCountOf(draw), 0);
  return primitives * MAX_SAMPLES_PER_PRIMITIVE >= width * height * sampleCount;
}

/**
 * Returns the frame of one pass with the bin that chiplet 0 may render early, or with none if the
 * phase is short or chiplet 0 does not render bins.
 */
export function withEarlyBin(frame: PreparedFrame, isChipletRendering: boolean): PreparedFrame {
  const { commands } = frame;
  const binId = chooseEarlyBin(commands.grid);
  const isWanted =
    isChipletRendering &&
    commands.visibilitySwitches.rendersEarlyBin &&
    isPhaseLong(commands, binId);
  return { ...frame, commands: { ...commands, earlyBinId: isWanted ? binId : null } };
}
