/**
 * THE table of counters: what a chiplet counts while it works. docs/counters.md lists the same; a test
 * compares. Each counter is written by one unit only; ratios are computed by the reader. One file, since it is
 * one table.
 */

export interface CounterInfo {
  /** What one count is. */
  readonly unit: string;
  /** When it goes up by one. */
  readonly meaning: string;
  /** Whether it is a greatest value, which counts of several runs do not add up to. */
  readonly isMaximum?: boolean;
}

export const COUNTERS = {
  'visibility.verticesShaded': {
    unit: 'vertices',
    meaning: 'a vertex ran through the visibility phase’s vertex shader',
  },
  'visibility.instructionsExecuted': {
    unit: 'instructions',
    meaning: 'an instruction of that shader was issued for one vertex, straight-line count',
  },
  'visibility.primitivesIn': {
    unit: 'primitives',
    meaning: 'a primitive was assembled in the visibility phase',
  },
  'visibility.primitivesOutsideView': {
    unit: 'primitives',
    meaning: 'a primitive lay wholly outside the view volume',
  },
  'visibility.primitivesFaceCulled': {
    unit: 'primitives',
    meaning: 'a triangle was dropped by the cull mode',
  },
  'visibility.primitivesZeroArea': {
    unit: 'primitives',
    meaning: 'a triangle had no area after snapping to 1/256 pixel',
  },
  'visibility.primitivesNoSample': {
    unit: 'primitives',
    meaning: 'a primitive lay between the sample points of the target',
  },
  'visibility.primitivesOccluded': {
    unit: 'primitives',
    meaning: 'a primitive lay behind the coarse depth of earlier ones in every bin it touches',
  },
  'visibility.entriesOccluded': {
    unit: 'bin entries',
    meaning:
      'a primitive was left out of one coarse bin since it lay behind the coarse depth there',
  },
  'visibility.drawsMinimal': {
    unit: 'draws',
    meaning: 'a draw ran the minimal vertex shader in the visibility phase',
  },
  'visibility.drawsFull': {
    unit: 'draws',
    meaning: 'a draw ran its full vertex shader in the visibility phase',
  },
  'visibility.earlyBins': {
    unit: 'coarse bins',
    meaning: 'a coarse bin was rendered within the visibility phase',
  },
  'visibility.primitivesListed': {
    unit: 'bin entries',
    meaning: 'a primitive was put into the visibility stream of one coarse bin',
  },
  'geometry.verticesFetched': {
    unit: 'vertices',
    meaning: 'a vertex of a coarse bin’s visible geometry was fetched and shaded',
  },
  'geometry.vertexReuses': {
    unit: 'vertices',
    meaning: 'a primitive used a vertex that its batch had shaded already',
  },
  'geometry.primitivesIn': {
    unit: 'primitives',
    meaning: 'a primitive was read from the visibility stream and assembled',
  },
  'geometry.primitivesClipped': {
    unit: 'primitives',
    meaning: 'a primitive crossed a clip plane and was cut',
  },
  'geometry.primitivesCulled': {
    unit: 'primitives',
    meaning: 'a primitive was dropped before set-up: face, zero area or outside the view',
  },
  'binning.batchesFull': {
    unit: 'batches',
    meaning: 'a primitive batch was closed since it was full',
  },
  'binning.batchesStateFull': {
    unit: 'batches',
    meaning: 'a primitive batch was closed since it held no room for another draw’s state',
  },
  'binning.batchesDependency': {
    unit: 'batches',
    meaning:
      'a primitive batch was closed since an early depth test had to see depth that an earlier draw writes late',
  },
  'binning.batchesEnd': {
    unit: 'batches',
    meaning: 'a primitive batch was closed by the end of the coarse bin',
  },
  'binning.primitivesBinned': {
    unit: 'bin entries',
    meaning: 'a primitive was put into the list of one fine bin',
  },
  'raster.primitivesSetUp': {
    unit: 'primitives',
    meaning: 'a triangle, line or point passed set-up',
  },
  'raster.primitivesCovered': {
    unit: 'primitives',
    meaning: 'a primitive covered at least one sample of the coarse bin',
  },
  'raster.quadsCovered': {
    unit: 'quads',
    meaning: 'a 2×2 quad had at least one covered sample',
  },
  'raster.fragmentsCovered': {
    unit: 'fragments',
    meaning: 'a sample was covered by a primitive, inside scissor and coarse bin',
  },
  'raster.fragmentsEarlyKilled': {
    unit: 'fragments',
    meaning: 'a covered fragment failed the depth test before shading',
  },
  'shading.fragmentsShaded': {
    unit: 'fragments',
    meaning: 'a fragment ran through the fragment shader, helper lanes not counted',
  },
  'shading.helperLanes': {
    unit: 'lanes',
    meaning: 'a lane of a shaded quad had no fragment and ran only for derivatives',
  },
  'shading.fragmentsDiscarded': {
    unit: 'fragments',
    meaning: 'the fragment shader discarded a fragment',
  },
  'output.fragmentsLateKilled': {
    unit: 'fragments',
    meaning: 'a shaded fragment failed the stencil or depth test after shading',
  },
  'output.fragmentsWritten': {
    unit: 'fragments',
    meaning:
      'a fragment reached the colour target (also where the colour mask lets nothing through)',
  },
  'output.binPixels': {
    unit: 'pixels',
    meaning: 'a pixel of a finished coarse bin left the chiplet',
  },
  'commandProcessor.cyclesBusy': {
    unit: 'cycles',
    meaning: 'the command processor worked for a cycle',
  },
  'commandProcessor.cyclesStarved': {
    unit: 'cycles',
    meaning: 'the command processor had nothing to take for a cycle',
  },
  'commandProcessor.cyclesStalled': {
    unit: 'cycles',
    meaning: 'the command processor could not hand on for a cycle',
  },
  'vertexFetch.cyclesBusy': {
    unit: 'cycles',
    meaning: 'vertex fetch worked for a cycle',
  },
  'vertexFetch.cyclesStarved': {
    unit: 'cycles',
    meaning: 'vertex fetch had nothing to take for a cycle',
  },
  'vertexFetch.cyclesStalled': {
    unit: 'cycles',
    meaning: 'vertex fetch could not hand on for a cycle',
  },
  'primitiveAssembly.cyclesBusy': {
    unit: 'cycles',
    meaning: 'primitive assembly worked for a cycle',
  },
  'primitiveAssembly.cyclesStarved': {
    unit: 'cycles',
    meaning: 'primitive assembly had nothing to take for a cycle',
  },
  'primitiveAssembly.cyclesStalled': {
    unit: 'cycles',
    meaning: 'primitive assembly could not hand on for a cycle',
  },
  'clipCull.cyclesBusy': {
    unit: 'cycles',
    meaning: 'clip and cull worked for a cycle',
  },
  'clipCull.cyclesStarved': {
    unit: 'cycles',
    meaning: 'clip and cull had nothing to take for a cycle',
  },
  'clipCull.cyclesStalled': {
    unit: 'cycles',
    meaning: 'clip and cull could not hand on for a cycle',
  },
  'triangleSetup.cyclesBusy': {
    unit: 'cycles',
    meaning: 'set-up worked for a cycle',
  },
  'triangleSetup.cyclesStarved': {
    unit: 'cycles',
    meaning: 'set-up had nothing to take for a cycle',
  },
  'triangleSetup.cyclesStalled': {
    unit: 'cycles',
    meaning: 'set-up could not hand on for a cycle',
  },
  'fineBinner.cyclesBusy': {
    unit: 'cycles',
    meaning: 'the fine binner worked for a cycle',
  },
  'fineBinner.cyclesStarved': {
    unit: 'cycles',
    meaning: 'the fine binner had nothing to take for a cycle',
  },
  'fineBinner.cyclesStalled': {
    unit: 'cycles',
    meaning: 'the fine binner could not hand on for a cycle',
  },
  'fineBinReader.cyclesBusy': {
    unit: 'cycles',
    meaning: 'the fine-bin reader worked for a cycle',
  },
  'fineBinReader.cyclesStarved': {
    unit: 'cycles',
    meaning: 'the fine-bin reader had nothing to take for a cycle',
  },
  'fineBinReader.cyclesStalled': {
    unit: 'cycles',
    meaning: 'the fine-bin reader could not hand on for a cycle',
  },
  'tileTraversal.cyclesBusy': {
    unit: 'cycles',
    meaning: 'tile traversal worked for a cycle',
  },
  'tileTraversal.cyclesStarved': {
    unit: 'cycles',
    meaning: 'tile traversal had nothing to take for a cycle',
  },
  'tileTraversal.cyclesStalled': {
    unit: 'cycles',
    meaning: 'tile traversal could not hand on for a cycle',
  },
  'earlyDepth.cyclesBusy': {
    unit: 'cycles',
    meaning: 'early depth worked for a cycle',
  },
  'earlyDepth.cyclesStarved': {
    unit: 'cycles',
    meaning: 'early depth had nothing to take for a cycle',
  },
  'earlyDepth.cyclesStalled': {
    unit: 'cycles',
    meaning: 'early depth could not hand on for a cycle',
  },
  'warpPacking.cyclesBusy': {
    unit: 'cycles',
    meaning: 'warp packing worked for a cycle',
  },
  'warpPacking.cyclesStarved': {
    unit: 'cycles',
    meaning: 'warp packing had nothing to take for a cycle',
  },
  'warpPacking.cyclesStalled': {
    unit: 'cycles',
    meaning: 'warp packing could not hand on for a cycle',
  },
  'interpolator.cyclesBusy': {
    unit: 'cycles',
    meaning: 'the interpolator worked for a cycle',
  },
  'interpolator.cyclesStarved': {
    unit: 'cycles',
    meaning: 'the interpolator had nothing to take for a cycle',
  },
  'interpolator.cyclesStalled': {
    unit: 'cycles',
    meaning: 'the interpolator could not hand on for a cycle',
  },
  'taskScheduler.cyclesBusy': {
    unit: 'cycles',
    meaning: 'the task scheduler worked for a cycle',
  },
  'taskScheduler.cyclesStarved': {
    unit: 'cycles',
    meaning: 'the task scheduler had nothing to take for a cycle',
  },
  'taskScheduler.cyclesStalled': {
    unit: 'cycles',
    meaning: 'the task scheduler could not hand on for a cycle',
  },
  'shaderCore.cyclesBusy': {
    unit: 'cycles',
    meaning: 'a shader core worked for a cycle',
  },
  'shaderCore.cyclesStarved': {
    unit: 'cycles',
    meaning: 'a shader core had nothing to take for a cycle',
  },
  'shaderCore.cyclesStalled': {
    unit: 'cycles',
    meaning: 'a shader core could not hand on for a cycle',
  },
  'textureUnit.cyclesBusy': {
    unit: 'cycles',
    meaning: 'a texture unit worked for a cycle',
  },
  'textureUnit.cyclesStarved': {
    unit: 'cycles',
    meaning: 'a texture unit had nothing to take for a cycle',
  },
  'textureUnit.cyclesStalled': {
    unit: 'cycles',
    meaning: 'a texture unit could not hand on for a cycle',
  },
  'outputMerger.cyclesBusy': {
    unit: 'cycles',
    meaning: 'the output merger worked for a cycle',
  },
  'outputMerger.cyclesStarved': {
    unit: 'cycles',
    meaning: 'the output merger had nothing to take for a cycle',
  },
  'outputMerger.cyclesStalled': {
    unit: 'cycles',
    meaning: 'the output merger could not hand on for a cycle',
  },
  'outputBus.cyclesBusy': {
    unit: 'cycles',
    meaning: 'the output bus worked for a cycle',
  },
  'outputBus.cyclesStarved': {
    unit: 'cycles',
    meaning: 'the output bus had nothing to take for a cycle',
  },
  'outputBus.cyclesStalled': {
    unit: 'cycles',
    meaning: 'the output bus could not hand on for a cycle',
  },
  'l2Cache.cyclesBusy': {
    unit: 'cycles',
    meaning: 'the second-level cache took requests or lines for a cycle',
  },
  'l2Cache.cyclesStarved': {
    unit: 'cycles',
    meaning: 'the second-level cache had nothing to take for a cycle',
  },
  'l2Cache.cyclesStalled': {
    unit: 'cycles',
    meaning:
      'the second-level cache could not go on with a burst for a cycle: lines on their way, or local memory, were at their limit',
  },
  'dram.cyclesBusy': {
    unit: 'cycles',
    meaning: 'local memory had a request or a transfer for a cycle',
  },
  'dram.cyclesStarved': {
    unit: 'cycles',
    meaning: 'local memory had neither for a cycle',
  },
  'dram.cyclesStalled': {
    unit: 'cycles',
    meaning: 'local memory could not hand on for a cycle',
  },
  'vertexFetch.verticesMissed': {
    unit: 'vertices',
    meaning:
      'a corner was not in the post-transform cache, so a vertex was fetched and shaded in time',
  },
  'vertexFetch.warps': {
    unit: 'warps',
    meaning: 'a vertex warp was closed',
  },
  'warpPacking.warps': {
    unit: 'warps',
    meaning: 'a fragment warp was closed',
  },
  'shaderCore.warpInstructions': {
    unit: 'instructions',
    meaning: 'a shader core issued an instruction for a warp',
  },
  'taskScheduler.slotCyclesVertex': {
    unit: 'slot-cycles',
    meaning: 'a warp slot held a vertex warp for a cycle',
  },
  'taskScheduler.slotCyclesFragment': {
    unit: 'slot-cycles',
    meaning: 'a warp slot held a fragment warp for a cycle',
  },
  'taskScheduler.slotCyclesUnreleased': {
    unit: 'slot-cycles',
    meaning: 'the warp of a slot was done for a cycle, but an earlier one of its type was not',
  },
  'taskScheduler.slotCyclesIdle': {
    unit: 'slot-cycles',
    meaning: 'a warp slot was free for a cycle',
  },
  'taskScheduler.idsMovedToVertex': {
    unit: 'warp IDs',
    meaning: 'load balancing moved a warp ID from fragments to vertices',
  },
  'taskScheduler.idsMovedToFragment': {
    unit: 'warp IDs',
    meaning: 'load balancing moved a warp ID from vertices to fragments',
  },
  'taskScheduler.cyclesLocked': {
    unit: 'cycles',
    meaning: 'the queues of warp IDs were locked for a cycle while one moved',
  },
  'taskScheduler.cyclesVertexWaited': {
    unit: 'cycles',
    meaning: 'a vertex warp was ready for a cycle and got no slot',
  },
  'taskScheduler.cyclesFragmentWaited': {
    unit: 'cycles',
    meaning: 'a fragment warp was ready for a cycle and got no slot',
  },
  'shaderCore.slotCyclesHeld': {
    unit: 'slot-cycles',
    meaning:
      'a shaded vertex warp kept its slot for a cycle since primitive assembly had no room; part of taskScheduler.slotCyclesVertex',
  },
  'textureUnit.requests': {
    unit: 'requests',
    meaning: 'a texture unit took the lookup of a warp',
  },
  'textureUnit.lineHits': {
    unit: 'lines',
    meaning: 'a cache line that a lookup of a warp reads texels from was cached',
  },
  'textureUnit.lineMisses': {
    unit: 'lines',
    meaning:
      'a cache line that a lookup of a warp reads texels from was not in the texture unit’s cache',
  },
  'textureUnit.requestsLogged': {
    unit: 'requests',
    meaning: 'a lookup of a warp was found in what the kernels logged; equals textureUnit.requests',
  },
  'textureUnit.linesLogged': {
    unit: 'lines',
    meaning: 'a cache line of such a lookup; equals the sum of hits and misses',
  },
  'earlyDepth.blocksHierarchicalKilled': {
    unit: 'blocks',
    meaning: 'a block of 4×4 pixels was dropped by hierarchical depth',
  },
  'memory.bytesRead': {
    unit: 'bytes',
    meaning: 'a byte left local memory',
  },
  'memory.bytesWritten': {
    unit: 'bytes',
    meaning: 'a byte was written to local memory',
  },
  'outputBus.bytesSent': {
    unit: 'bytes',
    meaning: 'a byte of a bin or a visibility stream left the chiplet',
  },
  'vertexFetch.lineHits': {
    unit: 'lines',
    meaning: 'a line of indices or attributes was in the first-level cache',
  },
  'vertexFetch.lineMisses': {
    unit: 'lines',
    meaning: 'a line of indices or attributes was asked of memory',
  },
  'colorCache.lineHits': {
    unit: 'lines',
    meaning: 'a block of 4×4 pixels of a fragment warp was in the colour cache',
  },
  'colorCache.lineMisses': {
    unit: 'lines',
    meaning: 'a block of a fragment warp was not: read from memory, or as it was cleared',
  },
  'depthCache.lineHits': {
    unit: 'lines',
    meaning: 'a block was in the depth cache, for the early or the late test',
  },
  'depthCache.lineMisses': {
    unit: 'lines',
    meaning: 'a block was not: read from memory, or as it was cleared',
  },
  'l2Cache.lineHits': {
    unit: 'lines',
    meaning: 'a line that a client read was in the second-level cache',
  },
  'l2Cache.lineMisses': {
    unit: 'lines',
    meaning: 'a line that a client read was asked of local memory',
  },
  'l2Cache.linesMerged': {
    unit: 'lines',
    meaning: 'a line that a client read was on its way from local memory already',
  },
  'l2Cache.linesWritten': {
    unit: 'lines',
    meaning: 'a line that a client wrote was taken',
  },
  'l2Cache.linesWrittenBack': {
    unit: 'lines',
    meaning: 'a line went to local memory, to make room or for want of a cache',
  },
  'arbiter.burstsGranted': {
    unit: 'bursts',
    meaning: 'a client of memory was granted a burst',
  },
  'arbiter.cyclesWaited': {
    unit: 'cycles',
    meaning: 'a burst that was ready waited a cycle for its grant',
  },
  'arbiter.longestWait': {
    unit: 'cycles',
    meaning: 'not a sum: the longest that a burst waited in a run',
    isMaximum: true,
  },
  'dram.rowHits': {
    unit: 'lines',
    meaning: 'a line was in the open row of its bank',
  },
  'dram.rowMisses': {
    unit: 'lines',
    meaning: 'a line was in a bank without an open row',
  },
  'dram.rowConflicts': {
    unit: 'lines',
    meaning: 'a line was in a bank whose open row was another',
  },
  'dram.turnarounds': {
    unit: 'turns',
    meaning: 'a data bus turned between reads and writes',
  },
  'dram.refreshes': {
    unit: 'refreshes',
    meaning: 'a channel was refreshed while it had work',
  },
  'dram.channelCyclesBusy': {
    unit: 'channel cycles',
    meaning: 'a data bus carried a line; of as many as there are channels, peak bandwidth',
  },
  'memory.displayStoreBytesRead': {
    unit: 'bytes',
    meaning: 'a byte of a finished bin was asked for by the output bus',
  },
  'memory.displayStoreBytesWritten': {
    unit: 'bytes',
    meaning: 'a byte of a visibility stream that the chiplet keeps was written',
  },
  'memory.colorBytesRead': {
    unit: 'bytes',
    meaning: 'a byte of colour was asked of the second-level cache',
  },
  'memory.colorBytesWritten': {
    unit: 'bytes',
    meaning: 'a byte of colour was written',
  },
  'memory.depthBytesRead': {
    unit: 'bytes',
    meaning: 'a byte of depth and stencil was asked of the second-level cache',
  },
  'memory.depthBytesWritten': {
    unit: 'bytes',
    meaning: 'a byte of depth and stencil was written',
  },
  'memory.programBytesRead': {
    unit: 'bytes',
    meaning: 'a byte of programs, for shader cores was asked of the second-level cache',
  },
  'memory.programBytesWritten': {
    unit: 'bytes',
    meaning: 'a byte of programs that a draw brings was written',
  },
  'memory.textureBytesRead': {
    unit: 'bytes',
    meaning: 'a byte of textures was asked of the second-level cache',
  },
  'memory.vertexBytesRead': {
    unit: 'bytes',
    meaning: 'a byte of indices and attributes was asked of the second-level cache',
  },
  'memory.commandBytesRead': {
    unit: 'bytes',
    meaning:
      'a byte of the visibility stream and display lists was asked of the second-level cache',
  },
  'memory.bytesServed': {
    unit: 'bytes',
    meaning:
      'a byte that a client asked for or wrote was answered or taken; all that were asked for, at the end',
  },
  'tileTraversal.subTilesLevel1': {
    unit: 'sub-tiles',
    meaning: 'level 1 of tile traversal handed a sub-tile of 64×64 pixels on',
  },
  'tileTraversal.subTilesLevel2': {
    unit: 'sub-tiles',
    meaning: 'level 2 of tile traversal handed a sub-tile of 32×32 pixels on',
  },
  'tileTraversal.subTilesLevel3': {
    unit: 'sub-tiles',
    meaning: 'level 3 of tile traversal handed a sub-tile of 16×16 pixels on',
  },
  'tileTraversal.subTilesLevel4': {
    unit: 'sub-tiles',
    meaning: 'level 4 of tile traversal handed a sub-tile of 8×8 pixels on',
  },
  'tileTraversal.subTilesLevel5': {
    unit: 'sub-tiles',
    meaning: 'level 5 of tile traversal handed a sub-tile of 4×4 pixels on',
  },
  'tileTraversal.subTilesLevel6': {
    unit: 'sub-tiles',
    meaning: 'level 6 of tile traversal handed a sub-tile of 2×2 pixels on',
  },
  'tileTraversal.subTilesLevel7': {
    unit: 'sub-tiles',
    meaning: 'level 7 of tile traversal handed a sub-tile of 1×1 pixels on',
  },
} as const satisfies Record<string, CounterInfo>;

/** The units whose cycles are counted; units that there are several of are summed. */
export const TIMED_UNITS = [
  'commandProcessor',
  'vertexFetch',
  'primitiveAssembly',
  'clipCull',
  'triangleSetup',
  'fineBinner',
  'fineBinReader',
  'tileTraversal',
  'earlyDepth',
  'warpPacking',
  'interpolator',
  'taskScheduler',
  'shaderCore',
  'textureUnit',
  'outputMerger',
  'outputBus',
  'l2Cache',
  'dram',
] as const;
export type TimedUnit = (typeof TIMED_UNITS)[number];

export type CounterName = keyof typeof COUNTERS;

/** Counts by name; a missing counter was not moved. */
export type Counters = Partial<Record<CounterName, number>>;

/** All counter names, in the order of the table. */
export const COUNTER_NAMES = Object.keys(COUNTERS) as readonly CounterName[];

/** Adds `more` to `sum` in place; of a greatest value it keeps the greater one. */
export function addCounters(sum: Counters, more: Counters): void {
  for (let i = 0; i < COUNTER_NAMES.length; i++) {
    const name = COUNTER_NAMES[i]!;
    const count = more[name];
    if (count === undefined) continue;
    const before = sum[name] ?? 0;
    sum[name] = IS_MAXIMUM[i] ? Math.max(before, count) : before + count;
  }
}

/** By place in the table. */
const IS_MAXIMUM = COUNTER_NAMES.map((name) => 'isMaximum' in COUNTERS[name]);
