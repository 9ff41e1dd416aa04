/**
 * The simulated chip of a chiplet: every unit as a module, linked by queues. Reads as the pipeline, from its end
 * to its start, which is the order in which modules are numbered and clocked:
 *
 *   output bus ◄ output merger ◄ texture units, shader cores ◄ task scheduler ◄ interpolator ◄ warp packing ◄
 *   early depth ◄ tile traversal ◄ fine-bin reader ◄ fine binner ◄ set-up ◄ clip, cull ◄ assembly ◄
 *   vertex fetch (vertex warps to the task scheduler) ◄ command processor
 *
 * This file and all that it imports run in WebAssembly (see docs/decisions/cycle-model-in-webassembly.md); in
 * TypeScript they are the reference that the compiled chip must equal.
 */

import { ChipLoop, FIRST_TEXTURE_UNIT } from './chip-loop.ts';
import { MemorySystem } from './memory/memory-system.ts';
import { ProgramFetch } from './memory/program-fetch.ts';
import { TargetCache } from './memory/target-cache.ts';
import { TargetPlaces } from './memory/target-places.ts';
import type { f64, i32 } from './portable/number-types.ts';
import { MEMORY_CLIENT } from './records/client-numbers.ts';
import { CLIENT_LINES_WRITTEN, COUNT, COUNT_WORDS } from './records/count-slots.ts';
import { RunRecords } from './records/run-records.ts';
import type { TimingSpec } from './records/timing-spec.ts';
import { InterpolatorModule } from './shading/interpolator-module.ts';
import { ShaderCoreModule } from './shading/shader-core-module.ts';
import { FRAGMENT, VERTEX } from './shading/slot-policy.ts';
import { SLOT_STATE } from './shading/task-scheduler.ts';
import { TaskSchedulerModule } from './shading/task-scheduler-module.ts';
import { VertexResultFifo } from './shading/vertex-result-fifo.ts';
import { WarpPackingModule } from './shading/warp-packing-module.ts';
import { WarpTable } from './shading/warp-table.ts';
import { Clock } from './sim/clock.ts';
import { Linker } from './sim/linker.ts';
import type { Module } from './sim/module.ts';
import type { RunControl } from './sim/run-control.ts';
import { Schedule } from './sim/schedule.ts';
import type { VertexTraceSource } from './sim/vertex-trace-source.ts';
import { ClipCullModule } from './units/clip-cull-module.ts';
import { CommandProcessorModule, PREFETCHED_LINES } from './units/command-processor-module.ts';
import { EarlyDepthModule } from './units/early-depth-module.ts';
import { FineBinReaderModule } from './units/fine-bin-reader-module.ts';
import { FineBinnerModule } from './units/fine-binner-module.ts';
import { CHUNKS, OutputBusModule } from './units/output-bus-module.ts';
import { LOOKED_UP_WARPS, MergerTarget, OutputMergerModule } from './units/output-merger-module.ts';
import { PrimitiveAssemblyModule } from './units/primitive-assembly-module.ts';
import { TextureUnitModule } from './units/texture-unit-module.ts';
import { TileTraversalModule, traversalLatency } from './units/tile-traversal-module.ts';
import { TriangleSetupModule } from './units/triangle-setup-module.ts';
import { VertexFetchModule } from './units/vertex-fetch-module.ts';

export class Chip {
  /** What the functional side did; see `publish` of whoever writes them. */
  readonly records: RunRecords;
  readonly modules: readonly Module[];
  readonly schedule: Schedule;
  readonly clock: Clock;
  /** Where the target of the run lies; its plan is set before `begin`. */
  readonly places: TargetPlaces;
  /** By COUNT, after `finish`. */
  readonly counts: Float64Array = new Float64Array(COUNT_WORDS);
  private readonly memory: MemorySystem;
  private readonly colorCache: TargetCache;
  private readonly depthCache: TargetCache;
  private readonly bus: OutputBusModule;
  private readonly cores: readonly ShaderCoreModule[];
  private readonly scheduler: TaskSchedulerModule;
  private readonly textures: readonly TextureUnitModule[];
  private readonly packing: WarpPackingModule;
  private readonly earlyDepth: EarlyDepthModule;
  private readonly traversal: TileTraversalModule;
  private readonly fineBinner: FineBinnerModule;
  private readonly fetch: VertexFetchModule;

  /** @param maxUnitSpans @param isNaive See Clock. */
  constructor(
    spec: TimingSpec,
    traces: VertexTraceSource,
    control: RunControl,
    maxUnitSpans: i32,
    isNaive: boolean,
  ) {
    const records = new RunRecords();
    const cores = spec.smCount;
    const slots = spec.warpSlotsPerSm;
    const entries = spec.queueEntries;
    // 1. Numbers, from the end of the pipeline.
    const dram = 0;
    const l2 = 1;
    const bus = 2;
    const merger = 3;
    const texture = FIRST_TEXTURE_UNIT;
    const core = texture + cores;
    const scheduler = core + cores;
    const interpolator = scheduler + 1;
    const packing = scheduler + 2;
    const earlyDepth = scheduler + 3;
    const traversal = scheduler + 4;
    const reader = scheduler + 5;
    const fineBinner = scheduler + 6;
    const setup = scheduler + 7;
    const clipCull = scheduler + 8;
    const assembly = scheduler + 9;
    const fetch = scheduler + 10;
    const command = scheduler + 11;

    // 2. Queues. What is on its way through a unit's latency takes room in the queue behind it.
    const schedule = new Schedule(command + 1);
    const links = new Linker(schedule);
    const commandToFetch = links.link('commandToFetch', command, fetch, entries);
    const fetchToAssembly = links.link(
      'fetchToAssembly',
      fetch,
      assembly,
      spec.primitiveQueueEntries,
    );
    const fetchToScheduler = links.link('fetchToScheduler', fetch, scheduler, entries);
    const assemblyToClip = links.link('assemblyToClip', assembly, clipCull, entries);
    const clipToSetup = links.link('clipToSetup', clipCull, setup, entries);
    const setupToFineBinner = links.link('setupToFineBinner', setup, fineBinner, entries);
    const fineBinnerToReader = links.link(
      'fineBinnerToReader',
      fineBinner,
      reader,
      spec.batchBuffers - 1,
    );
    const readerToTraversal = links.link('readerToTraversal', reader, traversal, entries);
    const traversalToDepth = links.link(
      'traversalToDepth',
      traversal,
      earlyDepth,
      entries + traversalLatency(spec),
    );
    const depthToPacking = links.link('depthToPacking', earlyDepth, packing, entries);
    const packingToInterpolator = links.link(
      'packingToInterpolator',
      packing,
      interpolator,
      entries,
    );
    const packingToMerger = links.link('packingToMerger', packing, merger, spec.fragmentWarpWindow);
    const interpolatorToScheduler = links.link(
      'interpolatorToScheduler',
      interpolator,
      scheduler,
      entries,
    );
    const toCore = links.linkEach('schedulerToCore', cores, scheduler, 0, core, 1, 1);
    const toTexture = links.linkEach('coreToTexture', cores, core, 1, texture, 1, slots);
    const texels = links.linkEach('textureToCore', cores, texture, 1, core, 1, slots);
    const doneVertices = links.linkEach('coreToAssembly', cores, core, 1, assembly, 0, slots);
    const doneFragments = links.linkEach('coreToMerger', cores, core, 1, merger, 0, slots);
    const mergerToBus = links.link('mergerToBus', merger, bus, 1);

    // 3. Modules. Ports of one priority take turns in the order in which they are connected.
    const memory = new MemorySystem(spec, schedule, dram, l2);
    for (let i = 0; i < memory.queues.length; i++) links.queues.push(memory.queues[i]!);
    const places = new TargetPlaces(spec.fineBinPx);
    const colorCache = new TargetCache(spec.colorCacheBytes);
    const depthCache = new TargetCache(spec.depthCacheBytes);
    const vertexWarps = new WarpTable(2 * entries + cores * (slots + 1) + 2);
    const fragmentWarps = new WarpTable(spec.fragmentWarpWindow + 2);
    const busModule = new OutputBusModule(
      bus,
      schedule,
      spec,
      control,
      mergerToBus,
      memory.l2,
      memory.connect(MEMORY_CLIENT.displayStore, bus, CHUNKS),
      places,
      colorCache,
      depthCache,
    );
    const results = new VertexResultFifo(spec.vertexResultWarps, schedule);
    const schedulerModule = new TaskSchedulerModule(
      scheduler,
      schedule,
      spec,
      fetchToScheduler,
      interpolatorToScheduler,
      toCore,
    );
    const colorPort = memory.connect(MEMORY_CLIENT.color, merger, LOOKED_UP_WARPS);
    const depthPort = memory.connect(MEMORY_CLIENT.depth, merger, LOOKED_UP_WARPS);
    const mergerModule = new OutputMergerModule(
      merger,
      schedule,
      spec,
      records,
      fragmentWarps,
      packingToMerger,
      doneFragments,
      mergerToBus,
      places,
      new MergerTarget(colorCache, colorPort, places, false),
      new MergerTarget(depthCache, depthPort, places, true),
    );
    const coreModules: ShaderCoreModule[] = [];
    for (let i = 0; i < cores; i++) {
      coreModules.push(
        new ShaderCoreModule(
          i,
          core + i,
          schedule,
          spec,
          records,
          vertexWarps,
          fragmentWarps,
          toCore[i]!,
          texels[i]!,
          toTexture[i]!,
          doneVertices[i]!,
          doneFragments[i]!,
          schedulerModule,
          results,
          new ProgramFetch(memory.connect(MEMORY_CLIENT.program, core + i, 1)),
        ),
      );
    }
    const textureModules: TextureUnitModule[] = [];
    for (let i = 0; i < cores; i++) {
      textureModules.push(
        new TextureUnitModule(
          i,
          texture + i,
          schedule,
          spec,
          records,
          memory.connect(MEMORY_CLIENT.texture, texture + i, slots + 1),
          coreModules[i]!.requests,
          toTexture[i]!,
          texels[i]!,
        ),
      );
    }
    const packingModule = new WarpPackingModule(
      packing,
      schedule,
      spec,
      records,
      fragmentWarps,
      depthToPacking,
      packingToInterpolator,
      packingToMerger,
    );
    const earlyDepthModule = new EarlyDepthModule(
      earlyDepth,
      schedule,
      spec,
      records,
      traversalToDepth,
      depthToPacking,
      memory.connect(MEMORY_CLIENT.depth, earlyDepth, entries + 1),
      depthCache,
      places,
    );
    const traversalModule = new TileTraversalModule(
      traversal,
      schedule,
      spec,
      records,
      readerToTraversal,
      traversalToDepth,
    );
    const fineBinnerModule = new FineBinnerModule(
      fineBinner,
      schedule,
      records,
      setupToFineBinner,
      fineBinnerToReader,
    );
    const fetchModule = new VertexFetchModule(
      fetch,
      schedule,
      spec,
      records,
      memory.connect(MEMORY_CLIENT.vertex, fetch, entries + 1),
      vertexWarps,
      commandToFetch,
      fetchToAssembly,
      fetchToScheduler,
      traces,
    );
    const readerModule = new FineBinReaderModule(
      reader,
      schedule,
      records,
      fineBinnerToReader,
      readerToTraversal,
    );
    const setupModule = new TriangleSetupModule(
      setup,
      schedule,
      spec,
      records,
      clipToSetup,
      setupToFineBinner,
    );
    const clipCullModule = new ClipCullModule(
      clipCull,
      schedule,
      spec,
      records,
      assemblyToClip,
      clipToSetup,
    );
    const interpolatorModule = new InterpolatorModule(
      interpolator,
      schedule,
      spec,
      records,
      fragmentWarps,
      packingToInterpolator,
      interpolatorToScheduler,
    );
    const assemblyModule = new PrimitiveAssemblyModule(
      assembly,
      schedule,
      records,
      fetchToAssembly,
      doneVertices,
      assemblyToClip,
      results,
    );
    const commandModule = new CommandProcessorModule(
      command,
      schedule,
      spec,
      records,
      control,
      commandToFetch,
      memory.connect(MEMORY_CLIENT.command, command, PREFETCHED_LINES),
      memory.connect(MEMORY_CLIENT.command, command, 1),
      memory.connect(MEMORY_CLIENT.program, command, 1),
      places,
    );

    // 4. The loop, in the order of the numbers.
    const loop = new ChipLoop(
      schedule,
      memory.dram,
      memory.l2,
      busModule,
      mergerModule,
      textureModules,
      coreModules,
      schedulerModule,
      interpolatorModule,
      packingModule,
      earlyDepthModule,
      traversalModule,
      readerModule,
      fineBinnerModule,
      setupModule,
      clipCullModule,
      assemblyModule,
      fetchModule,
      commandModule,
      isNaive,
    );
    busModule.binner = fineBinnerModule;
    this.records = records;
    this.modules = loop.modules;
    this.bus = busModule;
    this.cores = coreModules;
    this.scheduler = schedulerModule;
    this.textures = textureModules;
    this.packing = packingModule;
    this.earlyDepth = earlyDepthModule;
    this.traversal = traversalModule;
    this.fineBinner = fineBinnerModule;
    this.fetch = fetchModule;
    this.memory = memory;
    this.places = places;
    this.colorCache = colorCache;
    this.depthCache = depthCache;
    this.schedule = schedule;
    this.clock = new Clock(schedule, loop, links.queues, control, maxUnitSpans);
  }

  /** Starts the run of `places.plan` with empty pipeline, cold caches and no records. */
  begin(): void {
    this.records.reset();
    this.memory.reset();
    this.places.begin(this.colorCache, this.depthCache);
    this.clock.reset();
  }

  /** Simulates the records written so far, as far as they go, and frees those that are done with. */
  advance(): void {
    this.clock.run();
    this.records.commands.start = this.fineBinner.commandsDone;
    this.records.entries.start = this.traversal.entriesDone;
    this.records.blocks.start = this.packing.blocksDone;
    this.records.vertices.start = this.fetch.verticesDone;
  }

  /**
   * Simulates to the end of the run; its last record must be written.
   *
   * @param outputBytes What leaves the chiplet over the output bus at the end.
   * @param streamBytes Of a visibility stream that leaves before, as soon as all is binned.
   */
  finish(outputBytes: f64, streamBytes: f64): void {
    this.bus.bytes = outputBytes;
    this.bus.streamBytes = streamBytes;
    this.clock.run();
    this.count();
  }

  /** Cycle in which the visibility stream had left; 0 if it is all that leaves, or nothing of it does. */
  get streamEnd(): i32 {
    return this.bus.streamEnd;
  }

  private count(): void {
    const counts = this.counts;
    counts.fill(0);
    for (let i = 0; i < this.cores.length; i++) {
      counts[COUNT.warpInstructions]! += this.cores[i]!.instructions;
      counts[COUNT.slotCyclesHeld]! += this.cores[i]!.heldSlotCycles;
      counts[COUNT.textureRequests]! += this.textures[i]!.requestCount;
      counts[COUNT.textureLineHits]! += this.textures[i]!.cache.hits;
      counts[COUNT.textureLineMisses]! += this.textures[i]!.cache.misses;
    }
    const scheduler = this.scheduler.scheduler;
    const cycle = this.clock.cycle;
    counts[COUNT.slotCyclesVertex] = scheduler.countSlotCycles(SLOT_STATE.vertex, cycle);
    counts[COUNT.slotCyclesFragment] = scheduler.countSlotCycles(SLOT_STATE.fragment, cycle);
    counts[COUNT.slotCyclesUnreleased] = scheduler.countSlotCycles(SLOT_STATE.unreleased, cycle);
    counts[COUNT.slotCyclesIdle] = scheduler.countSlotCycles(SLOT_STATE.idle, cycle);
    counts[COUNT.idsMovedToVertex] = scheduler.moves[VERTEX]!;
    counts[COUNT.idsMovedToFragment] = scheduler.moves[FRAGMENT]!;
    counts[COUNT.cyclesLocked] = scheduler.lockCycles;
    counts[COUNT.cyclesVertexWaited] = scheduler.waitCycles[VERTEX]!;
    counts[COUNT.cyclesFragmentWaited] = scheduler.waitCycles[FRAGMENT]!;
    counts[COUNT.verticesMissed] = this.fetch.verticesShaded;
    counts[COUNT.vertexWarps] = this.fetch.warpCount;
    counts[COUNT.vertexLineHits] = this.fetch.cache.hits;
    counts[COUNT.vertexLineMisses] = this.fetch.cache.misses;
    counts[COUNT.fragmentWarps] = this.packing.warpCount;
    counts[COUNT.blocksHierarchicalKilled] = this.earlyDepth.blocksHierarchicalKilled;
    counts[COUNT.colorLineHits] = this.colorCache.hits;
    counts[COUNT.colorLineMisses] = this.colorCache.misses;
    counts[COUNT.depthLineHits] = this.depthCache.hits;
    counts[COUNT.depthLineMisses] = this.depthCache.misses;
    this.countMemory();
  }

  private countMemory(): void {
    const counts = this.counts;
    const l2 = this.memory.l2;
    counts[COUNT.l2LineHits] = l2.hits;
    counts[COUNT.l2LineMisses] = l2.misses;
    counts[COUNT.l2LinesMerged] = l2.merged;
    counts[COUNT.l2LinesWritten] = l2.written;
    counts[COUNT.l2LinesWrittenBack] = l2.writtenBack;
    counts[COUNT.burstsGranted] = l2.bursts;
    const ports = this.memory.ports;
    for (let i = 0; i < ports.length; i++) {
      const port = ports[i]!;
      counts[COUNT.clientLinesRead + port.client]! += port.linesRead;
      counts[CLIENT_LINES_WRITTEN + port.client]! += port.linesWritten;
      counts[COUNT.linesServed]! += port.linesServed;
      counts[COUNT.arbiterCyclesWaited]! += port.waitCycles;
      if (port.longestWaitCycles > counts[COUNT.arbiterLongestWait]!) {
        counts[COUNT.arbiterLongestWait] = port.longestWaitCycles;
      }
    }
    const channels = this.memory.dram.channels;
    for (let i = 0; i < channels.length; i++) {
      const channel = channels[i]!;
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
}
