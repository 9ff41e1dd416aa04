/**
 * The single table of the chip's counts in a run, besides the states of its modules, the lines of
 * memory clients and the cycles of warps.
 */

/** One count: a sum over parts of the chip. */
export interface CountRow {
  /** Counter that reports it. */
  readonly counter: string;
  /** Part of ChipUnits that counts. With `[]` it is a list of parts whose values are added. */
  readonly of: string;
  /** Value in a part. `cycle` is the last cycle of the run. */
  readonly value: string;
  /** Whether the largest value of the list is reported instead of the sum. */
  readonly isLargest?: true;
  /** Whether the value is a number of memory lines and the counter reports bytes. */
  readonly isInLines?: true;
}

/** Counts by the name of their slot. The position in the table is the number of the slot. */
export const COUNTS = {
  warpInstructions: {
    counter: 'shaderCore.warpInstructions',
    of: 'shaderCores[]',
    value: 'instructions',
  },
  slotCyclesVertex: {
    counter: 'taskScheduler.slotCyclesVertex',
    of: 'taskScheduler.scheduler',
    value: 'countSlotCycles(SLOT_STATE.vertex, cycle)',
  },
  slotCyclesFragment: {
    counter: 'taskScheduler.slotCyclesFragment',
    of: 'taskScheduler.scheduler',
    value: 'countSlotCycles(SLOT_STATE.fragment, cycle)',
  },
  slotCyclesUnreleased: {
    counter: 'taskScheduler.slotCyclesUnreleased',
    of: 'taskScheduler.scheduler',
    value: 'countSlotCycles(SLOT_STATE.unreleased, cycle)',
  },
  slotCyclesIdle: {
    counter: 'taskScheduler.slotCyclesIdle',
    of: 'taskScheduler.scheduler',
    value: 'countSlotCycles(SLOT_STATE.idle, cycle)',
  },
  idsMovedToVertex: {
    counter: 'taskScheduler.idsMovedToVertex',
    of: 'taskScheduler.scheduler',
    value: 'moves[VERTEX]!',
  },
  idsMovedToFragment: {
    counter: 'taskScheduler.idsMovedToFragment',
    of: 'taskScheduler.scheduler',
    value: 'moves[FRAGMENT]!',
  },
  cyclesLocked: {
    counter: 'taskScheduler.cyclesLocked',
    of: 'taskScheduler.scheduler',
    value: 'lockCycles',
  },
  cyclesVertexWaited: {
    counter: 'taskScheduler.cyclesVertexWaited',
    of: 'taskScheduler.scheduler',
    value: 'waitCycles[VERTEX]!',
  },
  cyclesFragmentWaited: {
    counter: 'taskScheduler.cyclesFragmentWaited',
    of: 'taskScheduler.scheduler',
    value: 'waitCycles[FRAGMENT]!',
  },
  textureRequests: {
    counter: 'textureUnit.requests',
    of: 'textureUnits[]',
    value: 'requestCount',
  },
  textureLineHits: { counter: 'textureUnit.lineHits', of: 'textureUnits[]', value: 'cache.hits' },
  textureLineMisses: {
    counter: 'textureUnit.lineMisses',
    of: 'textureUnits[]',
    value: 'cache.misses',
  },
  verticesMissed: {
    counter: 'vertexFetch.verticesMissed',
    of: 'vertexFetch',
    value: 'verticesShaded',
  },
  vertexWarps: { counter: 'vertexFetch.warps', of: 'vertexFetch', value: 'warpCount' },
  vertexLineHits: { counter: 'vertexFetch.lineHits', of: 'vertexFetch', value: 'cache.hits' },
  vertexLineMisses: { counter: 'vertexFetch.lineMisses', of: 'vertexFetch', value: 'cache.misses' },
  setupIssueCycles: {
    counter: 'triangleSetup.issueCycles',
    of: 'triangleSetup',
    value: 'issueCycles',
  },
  programWaitCycles: {
    counter: 'commandProcessor.programWaitCycles',
    of: 'commandProcessor',
    value: 'programWaitCycles',
  },
  fragmentWarps: { counter: 'warpPacking.warps', of: 'warpPacking', value: 'warpCount' },
  blocksHierarchicalKilled: {
    counter: 'earlyDepth.blocksHierarchicalKilled',
    of: 'tileTraversal',
    value: 'blocksDropped',
  },
  colorLineHits: { counter: 'colorCache.lineHits', of: 'colorCache', value: 'hits' },
  colorLineMisses: { counter: 'colorCache.lineMisses', of: 'colorCache', value: 'misses' },
  colorWritesSaved: {
    counter: 'colorCache.writesSaved',
    of: 'colorCache',
    value: 'writesSaved',
  },
  colorReadsSaved: { counter: 'colorCache.readsSaved', of: 'colorCache', value: 'readsSaved' },
  depthLineHits: { counter: 'depthCache.lineHits', of: 'depthCache', value: 'hits' },
  depthLineMisses: { counter: 'depthCache.lineMisses', of: 'depthCache', value: 'misses' },
  depthWritesSaved: {
    counter: 'depthCache.writesSaved',
    of: 'depthCache',
    value: 'writesSaved',
  },
  depthReadsSaved: { counter: 'depthCache.readsSaved', of: 'depthCache', value: 'readsSaved' },
  l2LineHits: { counter: 'l2Cache.lineHits', of: 'l2Cache', value: 'hits' },
  l2LineMisses: { counter: 'l2Cache.lineMisses', of: 'l2Cache', value: 'misses' },
  l2LinesMerged: { counter: 'l2Cache.linesMerged', of: 'l2Cache', value: 'merged' },
  l2LinesWritten: { counter: 'l2Cache.linesWritten', of: 'l2Cache', value: 'written' },
  l2LinesWrittenBack: { counter: 'l2Cache.linesWrittenBack', of: 'l2Cache', value: 'writtenBack' },
  remoteReads: { counter: 'remote.readsRequested', of: 'l2Cache.remote', value: 'readsSent' },
  remoteWrites: { counter: 'remote.writesRequested', of: 'l2Cache.remote', value: 'writesSent' },
  remoteReadsServed: { counter: 'remote.readsServed', of: 'remoteServer', value: 'reads' },
  remoteWritesServed: { counter: 'remote.writesServed', of: 'remoteServer', value: 'writes' },
  remoteLineHits: { counter: 'remote.lineHits', of: 'l2Cache.remote', value: 'hits' },
  remoteLinesMerged: { counter: 'remote.linesMerged', of: 'l2Cache.remote', value: 'merged' },
  remotePagesAsked: { counter: 'remote.pagesAsked', of: 'l2Cache.remote', value: 'pagesAsked' },
  remoteReadCycles: { counter: 'remote.readCycles', of: 'l2Cache.remote', value: 'readCycles' },
  remoteWriteCycles: { counter: 'remote.writeCycles', of: 'l2Cache.remote', value: 'writeCycles' },
  remoteServiceCycles: {
    counter: 'remote.serviceCycles',
    of: 'remoteServer',
    value: 'serviceCycles',
  },
  translationHits: {
    counter: 'pageWalker.translationHits',
    of: 'pageWalker',
    value: 'translations.hits',
  },
  translationMisses: {
    counter: 'pageWalker.translationMisses',
    of: 'pageWalker',
    value: 'translations.misses',
  },
  pageWalks: { counter: 'pageWalker.walks', of: 'pageWalker', value: 'walkCount' },
  listWalks: { counter: 'pageWalker.listWalks', of: 'pageWalker', value: 'lists.walks' },
  listEntriesRead: {
    counter: 'pageWalker.listEntriesRead',
    of: 'pageWalker',
    value: 'lists.entriesRead',
  },
  burstsGranted: { counter: 'arbiter.burstsGranted', of: 'l2Cache', value: 'bursts' },
  arbiterCyclesWaited: {
    counter: 'arbiter.cyclesWaited',
    of: 'memory.ports[]',
    value: 'waitCycles',
  },
  arbiterLongestWait: {
    counter: 'arbiter.longestWait',
    of: 'memory.ports[]',
    value: 'longestWaitCycles',
    isLargest: true,
  },
  linesServed: {
    counter: 'memory.bytesServed',
    of: 'memory.ports[]',
    value: 'linesServed',
    isInLines: true,
  },
  dramLinesRead: {
    counter: 'memory.bytesRead',
    of: 'dram.channels[]',
    value: 'linesRead',
    isInLines: true,
  },
  dramLinesWritten: {
    counter: 'memory.bytesWritten',
    of: 'dram.channels[]',
    value: 'linesWritten',
    isInLines: true,
  },
  dramRowHits: { counter: 'dram.rowHits', of: 'dram.channels[]', value: 'rowHits' },
  dramRowMisses: { counter: 'dram.rowMisses', of: 'dram.channels[]', value: 'rowMisses' },
  dramRowConflicts: { counter: 'dram.rowConflicts', of: 'dram.channels[]', value: 'rowConflicts' },
  dramTurnarounds: { counter: 'dram.turnarounds', of: 'dram.channels[]', value: 'turnarounds' },
  dramRefreshes: { counter: 'dram.refreshes', of: 'dram.channels[]', value: 'refreshes' },
  dramCyclesBusy: { counter: 'dram.channelCyclesBusy', of: 'dram.channels[]', value: 'busyCycles' },
} as const satisfies Readonly<Record<string, CountRow>>;
