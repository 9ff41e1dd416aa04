/**
 * Generated from table/counts.ts by `npm run cycle-model:build`. Do not edit. Long because it is
 * generated.
 */

import type { ChipUnits } from './chip-units.generated.ts';
import type { i32 } from './portable/number-types.ts';
import {
  CLIENT_LINES_READ,
  CLIENT_LINES_WRITTEN,
  COUNT,
  WARP_CYCLES,
} from './records/count-slots.generated.ts';
import { FRAGMENT, VERTEX } from './shading/slot-policy.ts';
import { SLOT_STATE } from './shading/task-scheduler.ts';

/**
 * Fills the slots of COUNT after a run. Long because each count has a line.
 *
 * @param cycle Last cycle of the run.
 */
export function countRun(units: ChipUnits, cycle: i32, counts: Float64Array): void {
  counts.fill(0);
  for (let i = 0; i < units.shaderCores.length; i++) {
    const shaderCore = units.shaderCores[i]!;
    counts[COUNT.warpInstructions]! += shaderCore.instructions;
    shaderCore.addWarpCycles(counts, WARP_CYCLES, cycle);
  }
  const scheduler = units.taskScheduler.scheduler;
  counts[COUNT.slotCyclesVertex] = scheduler.countSlotCycles(SLOT_STATE.vertex, cycle);
  counts[COUNT.slotCyclesFragment] = scheduler.countSlotCycles(SLOT_STATE.fragment, cycle);
  counts[COUNT.slotCyclesUnreleased] = scheduler.countSlotCycles(SLOT_STATE.unreleased, cycle);
  counts[COUNT.slotCyclesIdle] = scheduler.countSlotCycles(SLOT_STATE.idle, cycle);
  counts[COUNT.idsMovedToVertex] = scheduler.moves[VERTEX]!;
  counts[COUNT.idsMovedToFragment] = scheduler.moves[FRAGMENT]!;
  counts[COUNT.cyclesLocked] = scheduler.lockCycles;
  counts[COUNT.cyclesVertexWaited] = scheduler.waitCycles[VERTEX]!;
  counts[COUNT.cyclesFragmentWaited] = scheduler.waitCycles[FRAGMENT]!;
  for (let i = 0; i < units.textureUnits.length; i++) {
    const textureUnit = units.textureUnits[i]!;
    counts[COUNT.textureRequests]! += textureUnit.requestCount;
    counts[COUNT.textureLineHits]! += textureUnit.cache.hits;
    counts[COUNT.textureLineMisses]! += textureUnit.cache.misses;
  }
  const vertexFetch = units.vertexFetch;
  counts[COUNT.verticesMissed] = vertexFetch.verticesShaded;
  counts[COUNT.vertexWarps] = vertexFetch.warpCount;
  counts[COUNT.vertexLineHits] = vertexFetch.cache.hits;
  counts[COUNT.vertexLineMisses] = vertexFetch.cache.misses;
  const triangleSetup = units.triangleSetup;
  counts[COUNT.setupIssueCycles] = triangleSetup.issueCycles;
  const commandProcessor = units.commandProcessor;
  counts[COUNT.programWaitCycles] = commandProcessor.programWaitCycles;
  const warpPacking = units.warpPacking;
  counts[COUNT.fragmentWarps] = warpPacking.warpCount;
  const tileTraversal = units.tileTraversal;
  counts[COUNT.blocksHierarchicalKilled] = tileTraversal.blocksDropped;
  const colorCache = units.colorCache;
  counts[COUNT.colorLineHits] = colorCache.hits;
  counts[COUNT.colorLineMisses] = colorCache.misses;
  counts[COUNT.colorWritesSaved] = colorCache.writesSaved;
  counts[COUNT.colorReadsSaved] = colorCache.readsSaved;
  const depthCache = units.depthCache;
  counts[COUNT.depthLineHits] = depthCache.hits;
  counts[COUNT.depthLineMisses] = depthCache.misses;
  counts[COUNT.depthWritesSaved] = depthCache.writesSaved;
  counts[COUNT.depthReadsSaved] = depthCache.readsSaved;
  const l2Cache = units.l2Cache;
  counts[COUNT.l2LineHits] = l2Cache.hits;
  counts[COUNT.l2LineMisses] = l2Cache.misses;
  counts[COUNT.l2LinesMerged] = l2Cache.merged;
  counts[COUNT.l2LinesWritten] = l2Cache.written;
  counts[COUNT.l2LinesWrittenBack] = l2Cache.writtenBack;
  counts[COUNT.burstsGranted] = l2Cache.bursts;
  const remote = units.l2Cache.remote;
  counts[COUNT.remoteReads] = remote.readsSent;
  counts[COUNT.remoteWrites] = remote.writesSent;
  counts[COUNT.remoteLineHits] = remote.hits;
  counts[COUNT.remoteLinesMerged] = remote.merged;
  counts[COUNT.remotePagesAsked] = remote.pagesAsked;
  counts[COUNT.remoteReadCycles] = remote.readCycles;
  counts[COUNT.remoteWriteCycles] = remote.writeCycles;
  const remoteServer = units.remoteServer;
  counts[COUNT.remoteReadsServed] = remoteServer.reads;
  counts[COUNT.remoteWritesServed] = remoteServer.writes;
  counts[COUNT.remoteServiceCycles] = remoteServer.serviceCycles;
  const pageWalker = units.pageWalker;
  counts[COUNT.translationHits] = pageWalker.translations.hits;
  counts[COUNT.translationMisses] = pageWalker.translations.misses;
  counts[COUNT.pageWalks] = pageWalker.walkCount;
  counts[COUNT.listWalks] = pageWalker.lists.walks;
  counts[COUNT.listEntriesRead] = pageWalker.lists.entriesRead;
  for (let i = 0; i < units.memory.ports.length; i++) {
    const port = units.memory.ports[i]!;
    counts[COUNT.arbiterCyclesWaited]! += port.waitCycles;
    if (port.longestWaitCycles > counts[COUNT.arbiterLongestWait]!) {
      counts[COUNT.arbiterLongestWait] = port.longestWaitCycles;
    }
    counts[COUNT.linesServed]! += port.linesServed;
    counts[CLIENT_LINES_READ + port.client]! += port.linesRead;
    counts[CLIENT_LINES_WRITTEN + port.client]! += port.linesWritten;
  }
  for (let i = 0; i < units.dram.channels.length; i++) {
    const channel = units.dram.channels[i]!;
    counts[COUNT.dramLinesRead]! += channel.linesRead;
    counts[COUNT.dramLinesWritten]! += channel.linesWritten;
    counts[COUNT.dramRowHits]! += channel.rowHits;
    counts[COUNT.dramRowMisses]! += channel.rowMisses;
    counts[COUNT.dramRowConflicts]! += channel.rowConflicts;
    counts[COUNT.dramTurnarounds]! += channel.turnarounds;
    counts[COUNT.dramRefreshes]! += channel.refreshes;
    counts[COUNT.dramCyclesBusy]! += channel.busyCycles;
  }
}
