/**
 * Generated from table/counts.ts by `npm run cycle-model:build`. Do not edit. Long because it is
 * generated.
 */
/** Slots of counts in an array of doubles. */
export const COUNT = {
  warpInstructions: 0,
  slotCyclesHeld: 1,
  slotCyclesAwaitingRegisters: 2,
  slotCyclesVertex: 3,
  slotCyclesFragment: 4,
  slotCyclesUnreleased: 5,
  slotCyclesIdle: 6,
  idsMovedToVertex: 7,
  idsMovedToFragment: 8,
  cyclesLocked: 9,
  cyclesVertexWaited: 10,
  cyclesFragmentWaited: 11,
  textureRequests: 12,
  textureLineHits: 13,
  textureLineMisses: 14,
  verticesMissed: 15,
  vertexWarps: 16,
  vertexLineHits: 17,
  vertexLineMisses: 18,
  fragmentWarps: 19,
  blocksHierarchicalKilled: 20,
  colorLineHits: 21,
  colorLineMisses: 22,
  depthLineHits: 23,
  depthLineMisses: 24,
  l2LineHits: 25,
  l2LineMisses: 26,
  l2LinesMerged: 27,
  l2LinesWritten: 28,
  l2LinesWrittenBack: 29,
  translationHits: 30,
  translationMisses: 31,
  pageWalks: 32,
  burstsGranted: 33,
  arbiterCyclesWaited: 34,
  arbiterLongestWait: 35,
  linesServed: 36,
  dramLinesRead: 37,
  dramLinesWritten: 38,
  dramRowHits: 39,
  dramRowMisses: 40,
  dramRowConflicts: 41,
  dramTurnarounds: 42,
  dramRefreshes: 43,
  dramCyclesBusy: 44,
} as const;
/** First slots of the lines that memory clients read and wrote, one slot per client. */
export const CLIENT_LINES_READ = 45;
export const CLIENT_LINES_WRITTEN = 55;
/** Number of slots. */
export const COUNT_WORDS = 65;
