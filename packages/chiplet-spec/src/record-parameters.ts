/**
 * Parameters that change the records of a chiplet's functional units: what is drawn, in which
 * batches, with which lines of memory, with which issue cost. All others only change how long the
 * simulated chip takes for the same records, so one rendering serves many specifications.
 */
import type { ChipletSpec } from './chiplet-spec.ts';
import { TIMED_CLASSES } from './shader-parameters.ts';

/** Names of these parameters. A test varies all others and compares cycles. */
export const RECORD_PARAMETERS: readonly (keyof ChipletSpec)[] = [
  'fineBinPx',
  'batchPrimitives',
  'batchStates',
  'streamSegmentEntries',
  'earlyBinPrimitives',
  'maxBinPixels',
  'quadListQuads',
  'hasBoxTest',
  'entersAtBoxLevel',
  'testsTileCorners',
  'warpThreads',
  'hasDepthCompression',
  'hasColorCompression',
  'helperLaneLookups',
  'textureLayout',
  ...TIMED_CLASSES.flatMap(
    (name) => [`${name}IssueCycles`, `${name}LatencyCycles`] as const satisfies string[],
  ),
  'invocationInstructionBudget',
  'runInstructionBudget',
  'texturePoolBytes',
  'programBlocks',
  'pageStructure',
  'programBlockBytes',
  'userMemoryBytes',
  'textureIndexBlocks',
  'textureIndexLevels',
  'bufferIndexBlocks',
  'displayListIndexBlocks',
];

/** Returns a text that is equal for two specifications if one's records serve the other too. */
export function recordsKeyOf(spec: ChipletSpec): string {
  return RECORD_PARAMETERS.map((name) => spec[name]).join(' ');
}
