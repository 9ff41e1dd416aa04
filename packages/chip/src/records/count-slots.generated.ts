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
  depthWritesSaved: 25,
  depthReadsSaved: 26,
  l2LineHits: 27,
  l2LineMisses: 28,
  l2LinesMerged: 29,
  l2LinesWritten: 30,
  l2LinesWrittenBack: 31,
  translationHits: 32,
  translationMisses: 33,
  pageWalks: 34,
  burstsGranted: 35,
  arbiterCyclesWaited: 36,
  arbiterLongestWait: 37,
  linesServed: 38,
  dramLinesRead: 39,
  dramLinesWritten: 40,
  dramRowHits: 41,
  dramRowMisses: 42,
  dramRowConflicts: 43,
  dramTurnarounds: 44,
  dramRefreshes: 45,
  dramCyclesBusy: 46,
} as const;
/** First slots of the lines that memory clients read and wrote, one slot per client. */
export const CLIENT_LINES_READ = 47;
export const CLIENT_LINES_WRITTEN = 58;
/** Number of slots. */
export const COUNT_WORDS = 69;
