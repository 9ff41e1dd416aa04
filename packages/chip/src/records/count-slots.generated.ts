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
  colorWritesSaved: 23,
  colorReadsSaved: 24,
  depthLineHits: 25,
  depthLineMisses: 26,
  depthWritesSaved: 27,
  depthReadsSaved: 28,
  l2LineHits: 29,
  l2LineMisses: 30,
  l2LinesMerged: 31,
  l2LinesWritten: 32,
  l2LinesWrittenBack: 33,
  translationHits: 34,
  translationMisses: 35,
  pageWalks: 36,
  burstsGranted: 37,
  arbiterCyclesWaited: 38,
  arbiterLongestWait: 39,
  linesServed: 40,
  dramLinesRead: 41,
  dramLinesWritten: 42,
  dramRowHits: 43,
  dramRowMisses: 44,
  dramRowConflicts: 45,
  dramTurnarounds: 46,
  dramRefreshes: 47,
  dramCyclesBusy: 48,
} as const;
/** First slots of the lines that memory clients read and wrote, one slot per client. */
export const CLIENT_LINES_READ = 49;
export const CLIENT_LINES_WRITTEN = 60;
/** Number of slots. */
export const COUNT_WORDS = 71;
