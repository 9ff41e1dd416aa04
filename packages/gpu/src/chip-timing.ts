/**
 * The simulated chip of a chiplet: every unit as a module, linked by queues. Reads as the pipeline, from its end
 * to its start, which is the order in which modules are numbered and clocked:
 *
 *   output bus ◄ output merger ◄ texture units, shader cores ◄ task scheduler ◄ interpolator ◄ warp packing ◄
 *   early depth ◄ tile traversal ◄ fine-bin reader ◄ fine binner ◄ set-up ◄ clip, cull ◄ assembly ◄
 *   vertex fetch (vertex warps to the task scheduler) ◄ command processor
 *
 * A run (a coarse bin, or the visibility phase of a pass) starts with an empty pipeline and cold caches and
 * ends when it is drained: its cycles are a function of frame, specification and bin alone. The functional
 * side runs ahead by a primitive batch: `advance` simulates until the command processor wants more records.
 */
import type { CounterName, Counters, TimedUnit, UnitSpan } from '@tessera/frame';
import { FineBinReaderModule } from './binning/fine-bin-reader-module.ts';
import { FineBinnerModule } from './binning/fine-binner-module.ts';
import type { ChipletSpec } from './chiplet-spec.ts';
import { CommandProcessorModule, PREFETCHED_LINES } from './command/command-processor-module.ts';
import { ClipCullModule } from './geometry/clip-cull-module.ts';
import { PrimitiveAssemblyModule } from './geometry/primitive-assembly-module.ts';
import { VertexFetchModule } from './geometry/vertex-fetch-module.ts';
import { MemorySystem } from './memory/memory-system.ts';
import { ProgramFetch } from './memory/program-fetch.ts';
import { TargetCache } from './memory/target-cache.ts';
import { EMPTY_RUN, type RunPlan, TargetPlaces } from './memory/target-places.ts';
import { CHUNKS, OutputBusModule } from './output/output-bus-module.ts';
import { LOOKED_UP_WARPS, OutputMergerModule } from './output/output-merger-module.ts';
import { EarlyDepthModule } from './raster/early-depth-module.ts';
import { TileTraversalModule, traversalLatency } from './raster/tile-traversal-module.ts';
import { TriangleSetupModule } from './raster/triangle-setup-module.ts';
import { InterpolatorModule } from './shading/interpolator-module.ts';
import { ShaderCoreModule } from './shading/shader-core-module.ts';
import { FRAGMENT, VERTEX } from './shading/slot-policy.ts';
import { TaskSchedulerModule } from './shading/task-scheduler-module.ts';
import { VertexResultFifo } from './shading/vertex-result-fifo.ts';
import { WarpPackingModule } from './shading/warp-packing-module.ts';
import { WarpTable } from './shading/warp-table.ts';
import { BinLog } from './sim/bin-log.ts';
import { Clock, RunControl } from './sim/clock.ts';
import type { Module } from './sim/module.ts';
import { Queue } from './sim/queue.ts';
import { BUSY, Schedule, STALLED, STARVED, STATE_COUNT } from './sim/schedule.ts';
import { TextureUnitModule } from './texture/texture-unit-module.ts';

/** What a run gives. */
export interface RunTiming {
  readonly cycles: number;
  /** Cycle in which the visibility stream had left; 0 if it is all that leaves, or nothing of it does. */
  readonly streamCycles: number;
  readonly counters: Counters;
  /** For each module, the stretches of the run without gaps; at most MAX_UNIT_SPANS in all. */
  readonly spans: readonly UnitSpan[];
}

export class ChipTiming {
  /** Records of the run; the functional side writes them. */
  readonly log = new BinLog();
  readonly #schedule: Schedule;
  readonly #clock: Clock;
  readonly #modules: readonly Module[];
  /** By module: names of the counters of its states. */
  readonly #stateCounters: readonly StateCounters[];
  /** Every counter at 0, once a run has shown which there are: a run's counters are then made at once. */
  #zeros: Readonly<Record<string, number>> = {};
  readonly #memory: MemorySystem;
  readonly #places: TargetPlaces;
  readonly #colorCache: TargetCache;
  readonly #depthCache: TargetCache;
  readonly #bus: OutputBusModule;
  readonly #cores: readonly ShaderCoreModule[];
  readonly #scheduler: TaskSchedulerModule;
  readonly #textures: readonly TextureUnitModule[];
  readonly #packing: WarpPackingModule;
  readonly #earlyDepth: EarlyDepthModule;
  readonly #traversal: TileTraversalModule;
  readonly #fineBinner: FineBinnerModule;
  readonly #fetch: VertexFetchModule;

  /** @param isNaive See Clock. */
  constructor(spec: ChipletSpec, isNaive = false) {
    const { log } = this;
    const cores = spec.smCount;
    // 1. Numbers, from the end of the pipeline.
    let moduleCount = 0;
    const take = (count = 1) => {
      moduleCount += count;
      return moduleCount - count;
    };
    const dram = take();
    const l2 = take();
    const bus = take();
    const merger = take();
    const texture = take(cores);
    const core = take(cores);
    const scheduler = take();
    const interpolator = take();
    const packing = take();
    const earlyDepth = take();
    const traversal = take();
    const reader = take();
    const fineBinner = take();
    const setup = take();
    const clipCull = take();
    const assembly = take();
    const fetch = take();
    const command = take();

    // 2. Queues. What is on its way through a unit's latency takes room in the queue behind it.
    const schedule = new Schedule(moduleCount);
    const control = new RunControl();
    const queues: Queue[] = [];
    const link = (
      name: string,
      producer: number,
      consumer: number,
      capacity: number = spec.queueEntries,
    ) => {
      const queue = new Queue(name, capacity, schedule, producer, consumer);
      queues.push(queue);
      return queue;
    };
    const perCore = (make: (index: number) => Queue) =>
      Array.from({ length: cores }, (_, index) => make(index));
    const slots = spec.warpSlotsPerSm;
    const commandToFetch = link('commandToFetch', command, fetch);
    const fetchToAssembly = link('fetchToAssembly', fetch, assembly, spec.primitiveQueueEntries);
    const fetchToScheduler = link('fetchToScheduler', fetch, scheduler);
    const assemblyToClip = link('assemblyToClip', assembly, clipCull);
    const clipToSetup = link('clipToSetup', clipCull, setup);
    const setupToFineBinner = link('setupToFineBinner', setup, fineBinner);
    const fineBinnerToReader = link(
      'fineBinnerToReader',
      fineBinner,
      reader,
      spec.batchBuffers - 1,
    );
    const readerToTraversal = link('readerToTraversal', reader, traversal);
    const traversalEntries = spec.queueEntries + traversalLatency(spec);
    const traversalToDepth = link('traversalToDepth', traversal, earlyDepth, traversalEntries);
    const depthToPacking = link('depthToPacking', earlyDepth, packing);
    const packingToInterpolator = link('packingToInterpolator', packing, interpolator);
    const packingToMerger = link('packingToMerger', packing, merger, spec.fragmentWarpWindow);
    const interpolatorToScheduler = link('interpolatorToScheduler', interpolator, scheduler);
    const toCore = perCore((i) => link(`schedulerToCore[${i}]`, scheduler, core + i, 1));
    const toTexture = perCore((i) => link(`coreToTexture[${i}]`, core + i, texture + i, slots));
    const texels = perCore((i) => link(`textureToCore[${i}]`, texture + i, core + i, slots));
    const doneVertices = perCore((i) => link(`coreToAssembly[${i}]`, core + i, assembly, slots));
    const doneFragments = perCore((i) => link(`coreToMerger[${i}]`, core + i, merger, slots));
    const mergerToBus = link('mergerToBus', merger, bus, 1);

    // 3. Modules.
    const memory = new MemorySystem(spec, schedule, dram, l2);
    queues.push(...memory.queues);
    const places = new TargetPlaces(spec.fineBinPx);
    const colorCache = new TargetCache(spec.colorCacheBytes);
    const depthCache = new TargetCache(spec.depthCacheBytes);
    const vertexWarps = new WarpTable(2 * spec.queueEntries + cores * (slots + 1) + 2);
    const fragmentWarps = new WarpTable(spec.fragmentWarpWindow + 2);
    this.#bus = new OutputBusModule(
      bus,
      schedule,
      spec,
      control,
      mergerToBus,
      memory.l2,
      memory.connect('displayStore', bus, CHUNKS),
      places,
      colorCache,
      depthCache,
    );
    const results = new VertexResultFifo(spec.vertexResultWarps, schedule);
    this.#scheduler = new TaskSchedulerModule(
      scheduler,
      schedule,
      spec,
      fetchToScheduler,
      interpolatorToScheduler,
      toCore,
    );
    const mergerModule = new OutputMergerModule(
      merger,
      schedule,
      spec,
      log,
      fragmentWarps,
      packingToMerger,
      doneFragments,
      mergerToBus,
      places,
      {
        cache: colorCache,
        port: memory.connect('color', merger, LOOKED_UP_WARPS),
        lineOf: (block) => places.colorLine(block),
      },
      {
        cache: depthCache,
        port: memory.connect('depth', merger, LOOKED_UP_WARPS),
        lineOf: (block) => places.depthLine(block),
      },
    );
    this.#cores = toCore.map(
      (input, i) =>
        new ShaderCoreModule(
          i,
          core + i,
          schedule,
          spec,
          log,
          vertexWarps,
          fragmentWarps,
          input,
          texels[i]!,
          toTexture[i]!,
          doneVertices[i]!,
          doneFragments[i]!,
          this.#scheduler,
          results,
          new ProgramFetch(memory.connect('program', core + i, 1)),
        ),
    );
    this.#textures = toTexture.map(
      (input, i) =>
        new TextureUnitModule(
          i,
          texture + i,
          schedule,
          spec,
          log,
          memory.connect('texture', texture + i, slots + 1),
          this.#cores[i]!.requests,
          input,
          texels[i]!,
        ),
    );
    this.#packing = new WarpPackingModule(
      packing,
      schedule,
      spec,
      log,
      fragmentWarps,
      depthToPacking,
      packingToInterpolator,
      packingToMerger,
    );
    this.#earlyDepth = new EarlyDepthModule(
      earlyDepth,
      schedule,
      spec,
      log,
      traversalToDepth,
      depthToPacking,
      memory.connect('depth', earlyDepth, spec.queueEntries + 1),
      depthCache,
      places,
    );
    this.#traversal = new TileTraversalModule(
      traversal,
      schedule,
      spec,
      log,
      readerToTraversal,
      traversalToDepth,
    );
    this.#fineBinner = new FineBinnerModule(
      fineBinner,
      schedule,
      log,
      setupToFineBinner,
      fineBinnerToReader,
    );
    this.#fetch = new VertexFetchModule(
      fetch,
      schedule,
      spec,
      log,
      memory.connect('vertex', fetch, spec.queueEntries + 1),
      vertexWarps,
      commandToFetch,
      fetchToAssembly,
      fetchToScheduler,
    );
    this.#modules = [
      memory.dram,
      memory.l2,
      this.#bus,
      mergerModule,
      ...this.#textures,
      ...this.#cores,
      this.#scheduler,
      new InterpolatorModule(
        interpolator,
        schedule,
        spec,
        log,
        fragmentWarps,
        packingToInterpolator,
        interpolatorToScheduler,
      ),
      this.#packing,
      this.#earlyDepth,
      this.#traversal,
      new FineBinReaderModule(reader, schedule, log, fineBinnerToReader, readerToTraversal),
      this.#fineBinner,
      new TriangleSetupModule(setup, schedule, spec, log, clipToSetup, setupToFineBinner),
      new ClipCullModule(clipCull, schedule, spec, log, assemblyToClip, clipToSetup),
      new PrimitiveAssemblyModule(
        assembly,
        schedule,
        log,
        fetchToAssembly,
        doneVertices,
        assemblyToClip,
        results,
      ),
      this.#fetch,
      new CommandProcessorModule(
        command,
        schedule,
        spec,
        log,
        control,
        commandToFetch,
        memory.connect('command', command, PREFETCHED_LINES),
        memory.connect('command', command, 1),
        memory.connect('program', command, 1),
        places,
      ),
    ];
    this.#stateCounters = this.#modules.map(({ name }) => stateCountersOf(unitOf(name)));
    this.#bus.binner = this.#fineBinner;
    this.#memory = memory;
    this.#places = places;
    this.#colorCache = colorCache;
    this.#depthCache = depthCache;
    this.#schedule = schedule;
    this.#clock = new Clock(schedule, this.#modules, queues, control, isNaive);
  }

  /** Starts a run with empty pipeline, cold caches and no records. */
  begin(plan: RunPlan = EMPTY_RUN): void {
    this.log.reset();
    this.#memory.reset();
    this.#places.begin(plan, this.#colorCache, this.#depthCache);
    this.#clock.reset();
  }

  /** Simulates the records written so far, as far as they go, and frees those that are done with. */
  advance(): void {
    this.#clock.run();
    this.log.commands.start = this.#fineBinner.commandsDone;
    this.log.entries.start = this.#traversal.entriesDone;
    this.log.blocks.start = this.#packing.blocksDone;
    this.log.vertices.start = this.#fetch.verticesDone;
  }

  /**
   * Simulates to the end of the run; its last record must be written.
   *
   * @param outputBytes What leaves the chiplet over the output bus at the end.
   * @param streamBytes Of a visibility stream that leaves before, as soon as all is binned.
   */
  finish(outputBytes: number, streamBytes = 0): RunTiming {
    this.#bus.bytes = outputBytes;
    this.#bus.streamBytes = streamBytes;
    this.#clock.run();
    const { cycle } = this.#clock;
    const streamCycles = this.#bus.streamEnd;
    return { cycles: cycle, streamCycles, counters: this.#count(), spans: this.#spans() };
  }

  #count(): Counters {
    const counters: Record<string, number> = { ...this.#zeros };
    const add = (name: string, value: number) => {
      counters[name] = (counters[name] ?? 0) + value;
    };
    const { cycles } = this.#schedule;
    for (const { id } of this.#modules) {
      const { busy, starved, stalled } = this.#stateCounters[id]!;
      add(busy, cycles[id * STATE_COUNT + BUSY]!);
      add(starved, cycles[id * STATE_COUNT + STARVED]!);
      add(stalled, cycles[id * STATE_COUNT + STALLED]!);
    }
    for (const { instructions, heldSlotCycles } of this.#cores) {
      add('shaderCore.warpInstructions', instructions);
      add('shaderCore.slotCyclesHeld', heldSlotCycles);
    }
    const { scheduler } = this.#scheduler;
    const slotCycles = scheduler.countSlotCycles(this.#clock.cycle);
    add('taskScheduler.slotCyclesVertex', slotCycles.vertex);
    add('taskScheduler.slotCyclesFragment', slotCycles.fragment);
    add('taskScheduler.slotCyclesUnreleased', slotCycles.unreleased);
    add('taskScheduler.slotCyclesIdle', slotCycles.idle);
    add('taskScheduler.idsMovedToVertex', scheduler.moves[VERTEX]!);
    add('taskScheduler.idsMovedToFragment', scheduler.moves[FRAGMENT]!);
    add('taskScheduler.cyclesLocked', scheduler.lockCycles);
    add('taskScheduler.cyclesVertexWaited', scheduler.waitCycles[VERTEX]!);
    add('taskScheduler.cyclesFragmentWaited', scheduler.waitCycles[FRAGMENT]!);
    for (const { requestCount, cache } of this.#textures) {
      add('textureUnit.requests', requestCount);
      add('textureUnit.lineHits', cache.hits);
      add('textureUnit.lineMisses', cache.misses);
    }
    add('vertexFetch.verticesMissed', this.#fetch.verticesShaded);
    add('vertexFetch.warps', this.#fetch.warpCount);
    add('warpPacking.warps', this.#packing.warpCount);
    add('earlyDepth.blocksHierarchicalKilled', this.#earlyDepth.blocksHierarchicalKilled);
    add('vertexFetch.lineHits', this.#fetch.cache.hits);
    add('vertexFetch.lineMisses', this.#fetch.cache.misses);
    add('colorCache.lineHits', this.#colorCache.hits);
    add('colorCache.lineMisses', this.#colorCache.misses);
    add('depthCache.lineHits', this.#depthCache.hits);
    add('depthCache.lineMisses', this.#depthCache.misses);
    add('outputBus.bytesSent', this.#bus.bytes + this.#bus.streamBytes);
    this.#memory.count(add);
    if (Object.keys(this.#zeros).length === 0) {
      const zeros = Object.fromEntries(Object.keys(counters).map((name) => [name, 0]));
      // V8 keeps what was filled by computed names as a dictionary; what JSON gives has a shape, and is copied as such.
      this.#zeros = JSON.parse(JSON.stringify(zeros)) as Record<string, number>;
    }
    return counters as Counters; // the names are those of the table; a test compares
  }

  #spans(): UnitSpan[] {
    const { activity } = this.#clock;
    const spans: UnitSpan[] = [];
    for (const { id, name } of this.#modules) {
      for (let stretch = 0; stretch < activity.count; stretch++) {
        spans.push({
          unit: name,
          startCycle: activity.endOf(stretch - 1),
          endCycle: activity.endOf(stretch),
          busyCycles: activity.cyclesOf(stretch, id, BUSY),
          starvedCycles: activity.cyclesOf(stretch, id, STARVED),
          stalledCycles: activity.cyclesOf(stretch, id, STALLED),
        });
      }
    }
    return spans;
  }
}

interface StateCounters {
  readonly busy: CounterName;
  readonly starved: CounterName;
  readonly stalled: CounterName;
}

function stateCountersOf(unit: TimedUnit): StateCounters {
  return {
    busy: `${unit}.cyclesBusy`,
    starved: `${unit}.cyclesStarved`,
    stalled: `${unit}.cyclesStalled`,
  };
}

/** `shading.shaderCore[3]` → `shaderCore`. */
function unitOf(name: string): TimedUnit {
  return name.replace(/^.*\./, '').replace(/\[.*$/, '') as TimedUnit; // names of modules end in a unit
}
