/**
 * Generated from table/counts.ts by `npm run cycle-model:build`. Do not edit. Long because it is
 * generated.
 */
/** Slots of counts in an array of doubles. */
export const COUNT = {
  warpInstructions: 0,
  slotCyclesHeld: 1,
  slotCyclesVertex: 2,
  slotCyclesFragment: 3,
  slotCyclesUnreleased: 4,
  slotCyclesIdle: 5,
  idsMovedToVertex: 6,
  idsMovedToFragment: 7,
  cyclesLocked: 8,
  cyclesVertexWaited: 9,
  cyclesFragmentWaited: 10,
  textureRequests: 11,
  textureLineHits: 12,
  textureLineMisses: 13,
  verticesMissed: 14,
  vertexWarps: 15,
  vertexLineHits: 16,
  vertexLineMisses: 17,
  fragmentWarps: 18,
  blocksHierarchicalKilled: 19,
  colorLineHits: 20,
  colorLineMisses: 21,
  depthLineHits: 22,
  depthLineMisses: 23,
  l2LineHits: 24,
  l2LineMisses: 25,
  l2LinesMerged: 26,
  l2LinesWritten: 27,
  l2LinesWrittenBack: 28,
  burstsGranted: 29,
  arbiterCyclesWaited: 30,
  arbiterLongestWait: 31,
  linesServed: 32,
  dramLinesRead: 33,
  dramLinesWritten: 34,
  dramRowHits: 35,
  dramRowMisses: 36,
  dramRowConflicts: 37,
  dramTurnarounds: 38,
  dramRefreshes: 39,
  dramCyclesBusy: 40,
} as const;
/** First slots of the lines that memory clients read and wrote, one slot per client. */
export const CLIENT_LINES_READ = 41;
export const CLIENT_LINES_WRITTEN = 48;
/** Number of slots. */
export const COUNT_WORDS = 55;
