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
  programWaitCycles: 19,
  fragmentWarps: 20,
  blocksHierarchicalKilled: 21,
  colorLineHits: 22,
  colorLineMisses: 23,
  colorWritesSaved: 24,
  colorReadsSaved: 25,
  depthLineHits: 26,
  depthLineMisses: 27,
  depthWritesSaved: 28,
  depthReadsSaved: 29,
  l2LineHits: 30,
  l2LineMisses: 31,
  l2LinesMerged: 32,
  l2LinesWritten: 33,
  l2LinesWrittenBack: 34,
  translationHits: 35,
  translationMisses: 36,
  pageWalks: 37,
  listWalks: 38,
  listEntriesRead: 39,
  burstsGranted: 40,
  arbiterCyclesWaited: 41,
  arbiterLongestWait: 42,
  linesServed: 43,
  dramLinesRead: 44,
  dramLinesWritten: 45,
  dramRowHits: 46,
  dramRowMisses: 47,
  dramRowConflicts: 48,
  dramTurnarounds: 49,
  dramRefreshes: 50,
  dramCyclesBusy: 51,
} as const;
/** First slots of the lines that memory clients read and wrote, one slot per client. */
export const CLIENT_LINES_READ = 52;
export const CLIENT_LINES_WRITTEN = 63;
/** Number of slots. */
export const COUNT_WORDS = 74;
