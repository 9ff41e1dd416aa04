/**
 * Composition groups of a pass: runs of draws that chiplets may draw apart, because the depth test
 * alone decides which of their fragments stay (CHOPIN: Ren and Lis, HPCA 2021). All other draws
 * are drawn in their order, each bin on one chiplet.
 */
import {
  type PassLink,
  type PipelineState,
  type PreparedDraw,
  type PreparedPass,
  primitiveCountOf,
} from '@tessera/frame';

/** Run of draws of a pass. */
export interface DrawGroup {
  /** Index of the first draw, and of the one after the last. */
  readonly firstDraw: number;
  readonly endDraw: number;
  /** Whether its draws are divided among the chiplets. */
  readonly isDistributed: boolean;
}

/**
 * Least number of primitives of a group whose draws are divided. Composing costs more than smaller
 * groups gain. It is the threshold of CHOPIN's published configuration.
 */
export const MIN_GROUP_PRIMITIVES = 4096;
/** Values of a rank that a stencil byte holds, besides that for no draw. */
export const RANKS_PER_BYTE = 255;
/** Largest number of draws of a group: ranks of draws have two bytes. */
const MAX_GROUP_DRAWS = RANKS_PER_BYTE ** 2;

/** Comparisons with which the nearest or the farthest fragment stays. */
const ORDERED: readonly PipelineState['depth']['compare'][] = [
  'less',
  'less-equal',
  'greater',
  'greater-equal',
];

/**
 * Divides the draws of a pass into groups. A pass that loads contents, counts samples for queries
 * or is transform feedback is one group in order.
 */
export function groupDraws(pass: PreparedPass, { loads }: PassLink): DrawGroup[] {
  const { draws } = pass;
  const isInOrder = pass.isFeedback || pass.queries !== undefined || loads.length > 0;
  if (isInOrder) return [{ firstDraw: 0, endDraw: draws.length, isDistributed: false }];
  const groups: DrawGroup[] = [];
  for (let firstDraw = 0; firstDraw < draws.length; ) {
    const compare = compareOf(draws[firstDraw]!, pass);
    let endDraw = firstDraw + 1;
    while (
      endDraw < draws.length &&
      compareOf(draws[endDraw]!, pass) === compare &&
      (compare === null || endDraw - firstDraw < MAX_GROUP_DRAWS)
    ) {
      endDraw++;
    }
    const isLarge = countPrimitives(draws.slice(firstDraw, endDraw)) >= MIN_GROUP_PRIMITIVES;
    const isDistributed = compare !== null && isLarge && endDraw - firstDraw > 1;
    const before = groups.at(-1);
    if (before !== undefined && !before.isDistributed && !isDistributed) {
      groups[groups.length - 1] = { ...before, endDraw };
    } else {
      groups.push({ firstDraw, endDraw, isDistributed });
    }
    firstDraw = endDraw;
  }
  return groups.length > 0 ? groups : [{ firstDraw: 0, endDraw: 0, isDistributed: false }];
}

function countPrimitives(draws: readonly PreparedDraw[]): number {
  return draws.reduce((sum, draw) => sum + primitiveCountOf(draw), 0);
}

/** Returns the comparison that alone decides about fragments of a draw; null if more does. */
function compareOf({ state }: PreparedDraw, { colorFormats }: PreparedPass) {
  const { depth, stencil, blend, colorMask, colorTargets = [], logicOperation = null } = state;
  const isDecided = depth.isTestEnabled && depth.isWriteEnabled && ORDERED.includes(depth.compare);
  if (!isDecided || stencil.isTestEnabled) return null;
  if (colorFormats?.every((format) => format === null)) return depth.compare;
  const blends = [blend, ...colorTargets.map((target) => target?.blend)];
  const masks = [colorMask, ...colorTargets.map((target) => target?.colorMask)];
  const isReplaced =
    logicOperation === null &&
    blends.every((each) => each?.isEnabled !== true) &&
    masks.every((mask) => mask?.every((isWritten) => isWritten) !== false);
  return isReplaced ? depth.compare : null;
}
