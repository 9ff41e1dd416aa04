/**
 * The table of counters that a chiplet increments while it renders. A test compares it with
 * docs/counters.md. Each counter is written by one unit only. The table contains counts only, no
 * ratios. One file because it is one table.
 */

import { WAIT_COUNTERS } from './wait-counters.ts';
import { WARP_WAIT_COUNTERS } from './warp-wait-counters.ts';

/** Unit and meaning of a counter. */
export interface CounterInfo {
  /** Unit of one count. */
  readonly unit: string;
  /** Event that increments the counter by one. */
  readonly meaning: string;
  /** Whether the counter is a maximum. Maxima of several runs are not added. */
  readonly isMaximum?: boolean;
}

/** All counters by name. */
export const COUNTERS = {
  'visibility.verticesShaded': {
    unit: 'vertices',
    meaning:
      'a vertex ran through the vertex shader of the visibility phase or of transform feedback',
  },
  'visibility.instructionsExecuted': {
    unit: 'instructions',
    meaning: 'that shader issued an instruction for one vertex, straight-line count',
  },
  'visibility.primitivesIn': {
    unit: 'primitives',
    meaning: 'a primitive was assembled in the visibility phase or for transform feedback',
  },
  'visibility.primitivesOutsideView': {
    unit: 'primitives',
    meaning: 'a primitive was entirely outside the view volume',
  },
  'visibility.primitivesFaceCulled': {
    unit: 'primitives',
    meaning: 'a triangle was discarded by the cull mode',
  },
  'visibility.primitivesZeroArea': {
    unit: 'primitives',
    meaning: 'a triangle had no area after snapping to 1/256 pixel',
  },
  'visibility.primitivesNoSample': {
    unit: 'primitives',
    meaning: 'a primitive covered no sample point of the target',
  },
  'visibility.primitivesOccluded': {
    unit: 'primitives',
    meaning:
      'a primitive was behind the coarse depth of earlier primitives in every bin it touches',
  },
  'visibility.entriesOccluded': {
    unit: 'bin entries',
    meaning:
      'a primitive was omitted from one coarse bin because it was behind the coarse depth there',
  },
  'visibility.drawsMinimal': {
    unit: 'draws',
    meaning: 'a draw used the minimal vertex shader in the visibility phase',
  },
  'visibility.drawsFull': {
    unit: 'draws',
    meaning: 'a draw used its full vertex shader in the visibility phase',
  },
  'visibility.earlyBins': {
    unit: 'coarse bins',
    meaning: 'a coarse bin was rendered during the visibility phase',
  },
  'visibility.primitivesWritten': {
    unit: 'primitives',
    meaning: 'transform feedback wrote the vertices of a primitive, which is listed in no bin',
  },
  'visibility.primitivesListed': {
    unit: 'bin entries',
    meaning: 'a primitive was listed in the visibility stream of one coarse bin',
  },
  'geometry.verticesFetched': {
    unit: 'vertices',
    meaning: 'a vertex of a coarse bin’s visible geometry was fetched and shaded',
  },
  'geometry.vertexReuses': {
    unit: 'vertices',
    meaning: 'a primitive reused a vertex that its batch had already shaded',
  },
  'geometry.primitivesIn': {
    unit: 'primitives',
    meaning: 'a primitive was read from the visibility stream and assembled',
  },
  'geometry.primitivesClipped': {
    unit: 'primitives',
    meaning: 'a primitive crossed a clip plane and was clipped',
  },
  'geometry.primitivesCulled': {
    unit: 'primitives',
    meaning: 'a primitive was discarded before setup: facing, zero area or outside the view',
  },
  'binning.batchesFull': {
    unit: 'batches',
    meaning: 'a primitive batch was closed because it was full',
  },
  'binning.batchesStateFull': {
    unit: 'batches',
    meaning: 'a primitive batch was closed because it had no room for the state of another draw',
  },
  'binning.batchesDependency': {
    unit: 'batches',
    meaning:
      'a primitive batch was closed because an early depth test depended on depth that an earlier draw writes late',
  },
  'binning.batchesEnd': {
    unit: 'batches',
    meaning: 'a primitive batch was closed at the end of the coarse bin',
  },
  'binning.primitivesBinned': {
    unit: 'bin entries',
    meaning: 'a primitive was added to the list of one fine bin',
  },
  'raster.primitivesSetUp': {
    unit: 'primitives',
    meaning: 'a triangle, line or point passed setup',
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
    meaning: 'a covered fragment failed the depth test before it was shaded',
  },
  'shading.fragmentsShaded': {
    unit: 'fragments',
    meaning: 'a fragment was shaded, helper lanes not counted',
  },
  'shading.helperLanes': {
    unit: 'lanes',
    meaning: 'a lane of a shaded quad had no fragment and only computed derivatives',
  },
  'shading.fragmentsDiscarded': {
    unit: 'fragments',
    meaning: 'the fragment shader discarded a fragment',
  },
  'output.fragmentsLateKilled': {
    unit: 'fragments',
    meaning: 'a fragment failed the stencil or depth test after it was shaded',
  },
  'output.fragmentsWritten': {
    unit: 'fragments',
    meaning: 'a fragment reached the color target, even if the color mask disabled all channels',
  },
  'output.binPixels': {
    unit: 'pixels',
    meaning: 'a pixel of a finished coarse bin was sent off the chiplet',
  },
  'commandProcessor.cyclesBusy': {
    unit: 'cycles',
    meaning: 'the command processor was busy for a cycle',
  },
  'commandProcessor.cyclesStarved': {
    unit: 'cycles',
    meaning: 'the command processor had no input for a cycle',
  },
  'commandProcessor.cyclesStalled': {
    unit: 'cycles',
    meaning: 'the command processor could not pass on its output for a cycle',
  },
  'vertexFetch.cyclesBusy': {
    unit: 'cycles',
    meaning: 'vertex fetch was busy for a cycle',
  },
  'vertexFetch.cyclesStarved': {
    unit: 'cycles',
    meaning: 'vertex fetch had no input for a cycle',
  },
  'vertexFetch.cyclesStalled': {
    unit: 'cycles',
    meaning: 'vertex fetch could not pass on its output for a cycle',
  },
  'primitiveAssembly.cyclesBusy': {
    unit: 'cycles',
    meaning: 'primitive assembly was busy for a cycle',
  },
  'primitiveAssembly.cyclesStarved': {
    unit: 'cycles',
    meaning: 'primitive assembly had no input for a cycle',
  },
  'primitiveAssembly.cyclesStalled': {
    unit: 'cycles',
    meaning: 'primitive assembly could not pass on its output for a cycle',
  },
  'clipCull.cyclesBusy': {
    unit: 'cycles',
    meaning: 'clip and cull was busy for a cycle',
  },
  'clipCull.cyclesStarved': {
    unit: 'cycles',
    meaning: 'clip and cull had no input for a cycle',
  },
  'clipCull.cyclesStalled': {
    unit: 'cycles',
    meaning: 'clip and cull could not pass on its output for a cycle',
  },
  'triangleSetup.cyclesBusy': {
    unit: 'cycles',
    meaning: 'triangle setup was busy for a cycle',
  },
  'triangleSetup.cyclesStarved': {
    unit: 'cycles',
    meaning: 'triangle setup had no input for a cycle',
  },
  'triangleSetup.cyclesStalled': {
    unit: 'cycles',
    meaning: 'triangle setup could not pass on its output for a cycle',
  },
  'fineBinner.cyclesBusy': {
    unit: 'cycles',
    meaning: 'the fine binner was busy for a cycle',
  },
  'fineBinner.cyclesStarved': {
    unit: 'cycles',
    meaning: 'the fine binner had no input for a cycle',
  },
  'fineBinner.cyclesStalled': {
    unit: 'cycles',
    meaning: 'the fine binner could not pass on its output for a cycle',
  },
  'fineBinReader.cyclesBusy': {
    unit: 'cycles',
    meaning: 'the fine-bin reader was busy for a cycle',
  },
  'fineBinReader.cyclesStarved': {
    unit: 'cycles',
    meaning: 'the fine-bin reader had no input for a cycle',
  },
  'fineBinReader.cyclesStalled': {
    unit: 'cycles',
    meaning: 'the fine-bin reader could not pass on its output for a cycle',
  },
  'tileTraversal.cyclesBusy': {
    unit: 'cycles',
    meaning: 'tile traversal was busy for a cycle',
  },
  'tileTraversal.cyclesStarved': {
    unit: 'cycles',
    meaning: 'tile traversal had no input for a cycle',
  },
  'tileTraversal.cyclesStalled': {
    unit: 'cycles',
    meaning: 'tile traversal could not pass on its output for a cycle',
  },
  'earlyDepth.cyclesBusy': {
    unit: 'cycles',
    meaning: 'early depth was busy for a cycle',
  },
  'earlyDepth.cyclesStarved': {
    unit: 'cycles',
    meaning: 'early depth had no input for a cycle',
  },
  'earlyDepth.cyclesStalled': {
    unit: 'cycles',
    meaning: 'early depth could not pass on its output for a cycle',
  },
  'warpPacking.cyclesBusy': {
    unit: 'cycles',
    meaning: 'warp packing was busy for a cycle',
  },
  'warpPacking.cyclesStarved': {
    unit: 'cycles',
    meaning: 'warp packing had no input for a cycle',
  },
  'warpPacking.cyclesStalled': {
    unit: 'cycles',
    meaning: 'warp packing could not pass on its output for a cycle',
  },
  'interpolator.cyclesBusy': {
    unit: 'cycles',
    meaning: 'the interpolator was busy for a cycle',
  },
  'interpolator.cyclesStarved': {
    unit: 'cycles',
    meaning: 'the interpolator had no input for a cycle',
  },
  'interpolator.cyclesStalled': {
    unit: 'cycles',
    meaning: 'the interpolator could not pass on its output for a cycle',
  },
  'taskScheduler.cyclesBusy': {
    unit: 'cycles',
    meaning: 'the task scheduler was busy for a cycle',
  },
  'taskScheduler.cyclesStarved': {
    unit: 'cycles',
    meaning: 'the task scheduler had no input for a cycle',
  },
  'taskScheduler.cyclesStalled': {
    unit: 'cycles',
    meaning: 'the task scheduler could not pass on its output for a cycle',
  },
  'shaderCore.cyclesBusy': {
    unit: 'cycles',
    meaning: 'a shader core was busy for a cycle',
  },
  'shaderCore.cyclesStarved': {
    unit: 'cycles',
    meaning: 'a shader core had no input for a cycle',
  },
  'shaderCore.cyclesStalled': {
    unit: 'cycles',
    meaning: 'a shader core could not pass on its output for a cycle',
  },
  'textureUnit.cyclesBusy': {
    unit: 'cycles',
    meaning: 'a texture unit was busy for a cycle',
  },
  'textureUnit.cyclesStarved': {
    unit: 'cycles',
    meaning: 'a texture unit had no input for a cycle',
  },
  'textureUnit.cyclesStalled': {
    unit: 'cycles',
    meaning: 'a texture unit could not pass on its output for a cycle',
  },
  'outputMerger.cyclesBusy': {
    unit: 'cycles',
    meaning: 'the output merger was busy for a cycle',
  },
  'outputMerger.cyclesStarved': {
    unit: 'cycles',
    meaning: 'the output merger had no input for a cycle',
  },
  'outputMerger.cyclesStalled': {
    unit: 'cycles',
    meaning: 'the output merger could not pass on its output for a cycle',
  },
  'outputBus.cyclesBusy': {
    unit: 'cycles',
    meaning: 'the output bus was busy for a cycle',
  },
  'outputBus.cyclesStarved': {
    unit: 'cycles',
    meaning: 'the output bus had no input for a cycle',
  },
  'outputBus.cyclesStalled': {
    unit: 'cycles',
    meaning: 'the output bus could not pass on its output for a cycle',
  },
  'l2Cache.cyclesBusy': {
    unit: 'cycles',
    meaning: 'the second-level cache accepted requests or lines for a cycle',
  },
  'l2Cache.cyclesStarved': {
    unit: 'cycles',
    meaning: 'the second-level cache had no input for a cycle',
  },
  'l2Cache.cyclesStalled': {
    unit: 'cycles',
    meaning:
      'the second-level cache could not continue a burst for a cycle because pending lines or local memory were at their limit',
  },
  'copyEngine.cyclesBusy': {
    unit: 'cycles',
    meaning: 'the copy engine requested or wrote a line in a cycle',
  },
  'copyEngine.cyclesStarved': {
    unit: 'cycles',
    meaning: 'the copy engine had no copy, or waited for lines, for a cycle',
  },
  'copyEngine.cyclesStalled': {
    unit: 'cycles',
    meaning: 'the copy engine waited for room in its port to memory for a cycle',
  },
  'remoteServer.cyclesBusy': {
    unit: 'cycles',
    meaning: 'a request of another chiplet was taken or answered in a cycle',
  },
  'remoteServer.cyclesStarved': {
    unit: 'cycles',
    meaning: 'no request of another chiplet arrived or was done in a cycle',
  },
  'remoteServer.cyclesStalled': {
    unit: 'cycles',
    meaning: 'the table of requests of other chiplets was full for a cycle',
  },
  'pageWalker.cyclesBusy': {
    unit: 'cycles',
    meaning: 'a page walk was in progress for a cycle',
  },
  'pageWalker.cyclesStarved': {
    unit: 'cycles',
    meaning: 'no page walk was in progress for a cycle',
  },
  'pageWalker.cyclesStalled': {
    unit: 'cycles',
    meaning: 'the page walker could not pass on its output for a cycle',
  },
  'dram.cyclesBusy': {
    unit: 'cycles',
    meaning: 'local memory had a request or a transfer for a cycle',
  },
  'dram.cyclesStarved': {
    unit: 'cycles',
    meaning: 'local memory had neither a request nor a transfer for a cycle',
  },
  'dram.cyclesStalled': {
    unit: 'cycles',
    meaning: 'local memory could not pass on its output for a cycle',
  },
  'vertexFetch.verticesMissed': {
    unit: 'vertices',
    meaning: 'a corner was not in the post-transform cache, so its vertex was fetched and shaded',
  },
  'vertexFetch.warps': {
    unit: 'warps',
    meaning: 'a vertex warp was closed',
  },
  'commandProcessor.programWaitCycles': {
    unit: 'cycles',
    meaning:
      'the store of a program waited until no batch needed the last program of its block any more',
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
    meaning: 'the warp in a slot was complete for a cycle, but an earlier warp of its type was not',
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
    meaning: 'the queues of warp IDs were locked for a cycle while an ID moved',
  },
  'taskScheduler.cyclesVertexWaited': {
    unit: 'cycles',
    meaning: 'a vertex warp was ready for a cycle without a free slot',
  },
  'taskScheduler.cyclesFragmentWaited': {
    unit: 'cycles',
    meaning: 'a fragment warp was ready for a cycle without a free slot',
  },
  'textureUnit.requests': {
    unit: 'requests',
    meaning: 'a texture unit accepted the lookup of a warp',
  },
  'textureUnit.lineHits': {
    unit: 'lines',
    meaning: 'a cache line that the lookup of a warp reads was in the texture unit’s cache',
  },
  'textureUnit.lineMisses': {
    unit: 'lines',
    meaning: 'a cache line that the lookup of a warp reads was not in the texture unit’s cache',
  },
  'textureUnit.requestsLogged': {
    unit: 'requests',
    meaning: 'the kernels logged the lookup of a warp; equals textureUnit.requests',
  },
  'textureUnit.linesLogged': {
    unit: 'lines',
    meaning: 'the kernels logged a cache line of a lookup; equals the sum of hits and misses',
  },
  'earlyDepth.blocksHierarchicalKilled': {
    unit: 'blocks',
    meaning: 'a block of 4×4 pixels was rejected by hierarchical depth',
  },
  'memory.bytesRead': {
    unit: 'bytes',
    meaning: 'a byte was read from local memory',
  },
  'memory.bytesWritten': {
    unit: 'bytes',
    meaning: 'a byte was written to local memory',
  },
  'outputBus.bytesSent': {
    unit: 'bytes',
    meaning: 'a byte of a bin or a visibility stream was sent off the chiplet',
  },
  'triangleSetup.issueCycles': {
    unit: 'cycles',
    meaning:
      'a primitive occupied the first stage of setup for a cycle; the unit is also busy while later stages work',
  },
  'vertexFetch.lineHits': {
    unit: 'lines',
    meaning: 'a line of indices or attributes was in the first-level cache',
  },
  'vertexFetch.lineMisses': {
    unit: 'lines',
    meaning: 'a line of indices or attributes was requested from memory',
  },
  'colorCache.lineHits': {
    unit: 'lines',
    meaning: 'a block of 4×4 pixels of a fragment warp was in the color cache',
  },
  'colorCache.lineMisses': {
    unit: 'lines',
    meaning:
      'a block of a fragment warp was not in the color cache; it was read from memory or cleared',
  },
  'colorCache.writesSaved': {
    unit: 'lines',
    meaning: 'a compressed block was written back together with another one, in the same line',
  },
  'colorCache.readsSaved': {
    unit: 'lines',
    meaning: 'a compressed block was loaded together with another one, from the same line',
  },
  'depthCache.lineHits': {
    unit: 'lines',
    meaning: 'a block of the early or the late test was in the depth cache',
  },
  'depthCache.lineMisses': {
    unit: 'lines',
    meaning: 'a block was not in the depth cache; it was read from memory or cleared',
  },
  'depthCache.writesSaved': {
    unit: 'lines',
    meaning: 'a compressed block was written back together with another one, in the same line',
  },
  'depthCache.readsSaved': {
    unit: 'lines',
    meaning: 'a compressed block was loaded together with another one, from the same line',
  },
  'l2Cache.lineHits': {
    unit: 'lines',
    meaning: 'a line that a client read was in the second-level cache',
  },
  'l2Cache.lineMisses': {
    unit: 'lines',
    meaning: 'a line that a client read was requested from local memory',
  },
  'l2Cache.linesMerged': {
    unit: 'lines',
    meaning: 'a line that a client read was already being fetched from local memory',
  },
  'l2Cache.linesWritten': {
    unit: 'lines',
    meaning: 'the second-level cache accepted a line that a client wrote',
  },
  'l2Cache.linesWrittenBack': {
    unit: 'lines',
    meaning: 'a line was written to local memory, on eviction or because there is no cache',
  },
  'remote.readsRequested': {
    unit: 'lines',
    meaning: 'a line was requested from the memory of another chiplet',
  },
  'remote.writesRequested': {
    unit: 'lines',
    meaning: 'a line was sent to the memory of another chiplet',
  },
  'remote.readsServed': {
    unit: 'lines',
    meaning: 'a line of the memory was sent to another chiplet',
  },
  'remote.writesServed': {
    unit: 'lines',
    meaning: 'a line of another chiplet was written to the memory',
  },
  'remote.lineHits': {
    unit: 'lines',
    meaning: 'a line of another memory was in the cache that keeps such lines (`remoteCache`)',
  },
  'remote.linesMerged': {
    unit: 'lines',
    meaning: 'a requested line was already requested from another memory',
  },
  'remote.pagesAsked': {
    unit: 'pages',
    meaning: 'the directory of a page was asked for its home',
  },
  'remote.readCycles': {
    unit: 'cycles',
    meaning: 'a line from another memory was in flight, for a cycle',
  },
  'remote.writeCycles': {
    unit: 'cycles',
    meaning: 'a line sent to another memory was not acknowledged, for a cycle',
  },
  'remote.serviceCycles': {
    unit: 'cycles',
    meaning: 'a request of another chiplet was in the chiplet, for a cycle',
  },
  'pageWalker.translationHits': {
    unit: 'requests',
    meaning: 'the page of the oldest request of a client was translated',
  },
  'pageWalker.translationMisses': {
    unit: 'requests',
    meaning: 'the oldest request of a client waited for the translation of its page',
  },
  'pageWalker.walks': {
    unit: 'walks',
    meaning: 'a page was translated by reads of the page table',
  },
  'pageWalker.listWalks': {
    unit: 'walks',
    meaning: 'a client entered another page of a buffer or display list by a walk of its list',
  },
  'pageWalker.listEntriesRead': {
    unit: 'entries',
    meaning: 'an entry of a list of pages was read from on-chip memory',
  },
  'arbiter.burstsGranted': {
    unit: 'bursts',
    meaning: 'a client of memory was granted a burst',
  },
  'arbiter.cyclesWaited': {
    unit: 'cycles',
    meaning: 'a ready burst waited a cycle for its grant',
  },
  'arbiter.longestWait': {
    unit: 'cycles',
    meaning: 'maximum instead of a sum: the longest wait of a burst in a run',
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
    meaning: 'a line was in a bank with another row open',
  },
  'dram.turnarounds': {
    unit: 'turns',
    meaning: 'a data bus switched between reads and writes',
  },
  'dram.refreshes': {
    unit: 'refreshes',
    meaning: 'a channel was refreshed while it had pending requests',
  },
  'dram.channelCyclesBusy': {
    unit: 'channel cycles',
    meaning:
      'a data bus carried a line for a cycle; at peak bandwidth, every channel does in every cycle',
  },
  'memory.remoteBytesRead': {
    unit: 'bytes',
    meaning: 'a byte was read for another chiplet',
  },
  'memory.remoteBytesWritten': {
    unit: 'bytes',
    meaning: 'a byte was written for another chiplet',
  },
  'memory.copyBytesRead': {
    unit: 'bytes',
    meaning: 'a byte was read to generate a mipmap level, or to copy or resolve a target',
  },
  'memory.copyBytesWritten': {
    unit: 'bytes',
    meaning:
      'a byte of a resource that arrived, of a generated mipmap level, or of a copy was written to local memory',
  },
  'memory.pageTableBytesRead': {
    unit: 'bytes',
    meaning: 'a byte of the page table was requested from the second-level cache',
  },
  'memory.displayStoreBytesRead': {
    unit: 'bytes',
    meaning: 'the output bus requested a byte of a finished bin',
  },
  'memory.displayStoreBytesWritten': {
    unit: 'bytes',
    meaning: 'a byte of a visibility stream that the chiplet stores was written',
  },
  'memory.colorBytesRead': {
    unit: 'bytes',
    meaning: 'a byte of color was requested from the second-level cache',
  },
  'memory.colorBytesWritten': {
    unit: 'bytes',
    meaning: 'a byte of color was written',
  },
  'memory.depthBytesRead': {
    unit: 'bytes',
    meaning: 'a byte of depth and stencil was requested from the second-level cache',
  },
  'memory.depthBytesWritten': {
    unit: 'bytes',
    meaning: 'a byte of depth and stencil was written',
  },
  'memory.programBytesRead': {
    unit: 'bytes',
    meaning: 'a shader core requested a byte of a program from the second-level cache',
  },
  'memory.programBytesWritten': {
    unit: 'bytes',
    meaning: 'a byte of a draw’s program was written',
  },
  'memory.constantBytesRead': {
    unit: 'bytes',
    meaning: 'a shader core requested a byte of a draw’s constants from the second-level cache',
  },
  'memory.textureBytesRead': {
    unit: 'bytes',
    meaning: 'a byte of a texture was requested from the second-level cache',
  },
  'memory.batchBytesRead': {
    unit: 'bytes',
    meaning:
      'a byte of a primitive record or a fine-bin list was requested from the second-level cache',
  },
  'memory.batchBytesWritten': {
    unit: 'bytes',
    meaning: 'a byte of a primitive record or a fine-bin list was written',
  },
  'memory.vertexBytesRead': {
    unit: 'bytes',
    meaning: 'a byte of indices or attributes was requested from the second-level cache',
  },
  'memory.vertexBytesWritten': {
    unit: 'bytes',
    meaning: 'a byte of transform feedback was written',
  },
  'memory.commandBytesRead': {
    unit: 'bytes',
    meaning:
      'a byte of the visibility stream or a display list was requested from the second-level cache',
  },
  'memory.commandBytesWritten': {
    unit: 'bytes',
    meaning: 'a byte of a snapshot was written at the beginning or the end of an occlusion query',
  },
  'memory.bytesServed': {
    unit: 'bytes',
    meaning:
      'a byte that a client read or wrote was served; at the end of a run, equals the bytes requested',
  },
  'tileTraversal.subTilesLevel1': {
    unit: 'sub-tiles',
    meaning: 'level 1 of tile traversal passed on a sub-tile of 64×64 pixels',
  },
  'tileTraversal.subTilesLevel2': {
    unit: 'sub-tiles',
    meaning: 'level 2 of tile traversal passed on a sub-tile of 32×32 pixels',
  },
  'tileTraversal.subTilesLevel3': {
    unit: 'sub-tiles',
    meaning: 'level 3 of tile traversal passed on a sub-tile of 16×16 pixels',
  },
  'tileTraversal.subTilesLevel4': {
    unit: 'sub-tiles',
    meaning: 'level 4 of tile traversal passed on a sub-tile of 8×8 pixels',
  },
  'tileTraversal.subTilesLevel5': {
    unit: 'sub-tiles',
    meaning: 'level 5 of tile traversal passed on a sub-tile of 4×4 pixels',
  },
  'tileTraversal.subTilesLevel6': {
    unit: 'sub-tiles',
    meaning: 'level 6 of tile traversal passed on a sub-tile of 2×2 pixels',
  },
  'tileTraversal.subTilesLevel7': {
    unit: 'sub-tiles',
    meaning: 'level 7 of tile traversal passed on a sub-tile of 1×1 pixels',
  },
  ...WAIT_COUNTERS,
  ...WARP_WAIT_COUNTERS,
} as const satisfies Record<string, CounterInfo>;

/**
 * Units of a chiplet whose cycles are counted. The counts of several instances of a unit are added.
 */
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
  'copyEngine',
  'remoteServer',
  'pageWalker',
  'dram',
] as const;
/** Name of a unit of {@link TIMED_UNITS}. */
export type TimedUnit = (typeof TIMED_UNITS)[number];

/** Returns the unit of a module of the chip, such as `shaderCore` of `shading.shaderCore[2]`. */
export function unitOfModule(name: string): TimedUnit {
  // Names of modules end in a unit.
  return name.replace(/^.*\./, '').replace(/\[.*$/, '') as TimedUnit;
}

/** Name of a counter, a key of {@link COUNTERS}. */
export type CounterName = keyof typeof COUNTERS;

/** Counts by counter name. A missing counter is 0. */
export type Counters = Partial<Record<CounterName, number>>;

/** All counter names, in table order. */
export const COUNTER_NAMES = Object.keys(COUNTERS) as readonly CounterName[];

/** Adds the counts in `more` to `sum` in place. Maxima keep the larger value. */
export function addCounters(sum: Counters, more: Counters): void {
  for (let i = 0; i < COUNTER_NAMES.length; i++) {
    const name = COUNTER_NAMES[i]!;
    const count = more[name];
    if (count === undefined) continue;
    const before = sum[name] ?? 0;
    sum[name] = IS_MAXIMUM[i] ? Math.max(before, count) : before + count;
  }
}

/** Whether each counter is a maximum, in table order. */
const IS_MAXIMUM = COUNTER_NAMES.map((name) => 'isMaximum' in COUNTERS[name]);
