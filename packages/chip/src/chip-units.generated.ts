/**
 * Generated from table/units.ts by `npm run cycle-model:build`. Do not edit. Long because it is
 * generated.
 */

import type { ClientPort } from './memory/client-port.ts';
import { CopyEngineModule } from './memory/copy-engine-module.ts';
import type { DramModule } from './memory/dram-module.ts';
import type { L2CacheModule } from './memory/l2-cache-module.ts';
import { MemorySystem } from './memory/memory-system.ts';
import type { PageWalkerModule } from './memory/page-walker-module.ts';
import { RemoteServerModule } from './memory/remote-server-module.ts';
import { divideUp } from './portable/integers.ts';
import { MEMORY_CLIENT } from './records/client-numbers.generated.ts';
import { RunRecords } from './records/run-records.ts';
import type { TimingSpec } from './records/timing-spec.generated.ts';
import { InterpolatorModule } from './shading/interpolator-module.ts';
import { ProgramBlocksInUse } from './shading/program-blocks-in-use.ts';
import { ShaderCoreModule } from './shading/shader-core-module.ts';
import { TaskSchedulerModule } from './shading/task-scheduler-module.ts';
import { VertexResultFifo } from './shading/vertex-result-fifo.ts';
import { WarpPackingModule } from './shading/warp-packing-module.ts';
import { WarpTable } from './shading/warp-table.ts';
import { Linker } from './sim/linker.ts';
import type { Module } from './sim/module.ts';
import type { Queue } from './sim/queue.ts';
import type { RunControl } from './sim/run-control.ts';
import { Schedule } from './sim/schedule.ts';
import type { VertexTraceSource } from './sim/vertex-trace-source.ts';
import { BinList } from './target/bin-list.ts';
import { HierarchicalDepth } from './target/hierarchical-depth.ts';
import { TargetCache } from './target/target-cache.ts';
import { ClipCullModule } from './units/clip-cull-module.ts';
import { CommandProcessorModule } from './units/command-processor-module.ts';
import { EarlyDepthModule } from './units/early-depth-module.ts';
import { FineBinReaderModule } from './units/fine-bin-reader-module.ts';
import { FineBinnerModule } from './units/fine-binner-module.ts';
import { CHUNK_LINES, OutputBusModule } from './units/output-bus-module.ts';
import { OutputMergerModule } from './units/output-merger-module.ts';
import { PrimitiveAssemblyModule } from './units/primitive-assembly-module.ts';
import { TextureUnitModule } from './units/texture-unit-module.ts';
import { TileTraversalModule, traversalLatency } from './units/tile-traversal-module.ts';
import { TriangleSetupModule } from './units/triangle-setup-module.ts';
import { VertexFetchModule } from './units/vertex-fetch-module.ts';

/** All modules of a chip with their queues, ports and shared parts. */
export class ChipUnits {
  /** Schedule of the modules. */
  readonly schedule: Schedule;
  /** Modules by number. */
  readonly modules: readonly Module[];
  readonly queues: readonly Queue[];
  readonly records: RunRecords;
  readonly memory: MemorySystem;
  readonly colorCache: TargetCache;
  readonly depthCache: TargetCache;
  readonly hierarchicalDepth: HierarchicalDepth;
  readonly bins: BinList;
  readonly vertexWarps: WarpTable;
  readonly fragmentWarps: WarpTable;
  readonly programBlocks: ProgramBlocksInUse;
  readonly results: VertexResultFifo;
  readonly dram: DramModule;
  readonly l2Cache: L2CacheModule;
  readonly remoteServer: RemoteServerModule;
  readonly pageWalker: PageWalkerModule;
  readonly copyEngine: CopyEngineModule;
  readonly outputBus: OutputBusModule;
  readonly outputMerger: OutputMergerModule;
  readonly textureUnits: readonly TextureUnitModule[];
  readonly shaderCores: readonly ShaderCoreModule[];
  readonly taskScheduler: TaskSchedulerModule;
  readonly interpolator: InterpolatorModule;
  readonly warpPacking: WarpPackingModule;
  readonly earlyDepth: EarlyDepthModule;
  readonly tileTraversal: TileTraversalModule;
  readonly fineBinReader: FineBinReaderModule;
  readonly fineBinner: FineBinnerModule;
  readonly triangleSetup: TriangleSetupModule;
  readonly clipCull: ClipCullModule;
  readonly primitiveAssembly: PrimitiveAssemblyModule;
  readonly vertexFetch: VertexFetchModule;
  readonly commandProcessor: CommandProcessorModule;

  // one function because it is generated, and a constructor must assign all fields
  constructor(spec: TimingSpec, traces: VertexTraceSource, control: RunControl) {
    const coreCount = spec.smCount;

    // 1. Numbers of the modules, from the end of the pipeline.
    const dramId = 0;
    const l2CacheId = 1;
    const remoteServerId = 2;
    const pageWalkerId = 3;
    const copyEngineId = 4;
    const outputBusId = 5;
    const outputMergerId = 6;
    const textureUnitId = 7;
    const shaderCoreId = 7 + 1 * coreCount;
    const taskSchedulerId = 7 + 2 * coreCount;
    const interpolatorId = 8 + 2 * coreCount;
    const warpPackingId = 9 + 2 * coreCount;
    const earlyDepthId = 10 + 2 * coreCount;
    const tileTraversalId = 11 + 2 * coreCount;
    const fineBinReaderId = 12 + 2 * coreCount;
    const fineBinnerId = 13 + 2 * coreCount;
    const triangleSetupId = 14 + 2 * coreCount;
    const clipCullId = 15 + 2 * coreCount;
    const primitiveAssemblyId = 16 + 2 * coreCount;
    const vertexFetchId = 17 + 2 * coreCount;
    const commandProcessorId = 18 + 2 * coreCount;
    const schedule = new Schedule(19 + 2 * coreCount);

    // 2. Queues.
    const links = new Linker(schedule);
    const commandToFetch = links.link(
      'commandToFetch',
      commandProcessorId,
      vertexFetchId,
      spec.queueEntries,
    );
    const fetchToAssembly = links.link(
      'fetchToAssembly',
      vertexFetchId,
      primitiveAssemblyId,
      spec.primitiveQueueEntries,
    );
    const fetchToScheduler = links.link(
      'fetchToScheduler',
      vertexFetchId,
      taskSchedulerId,
      spec.queueEntries,
    );
    const assemblyToClip = links.link(
      'assemblyToClip',
      primitiveAssemblyId,
      clipCullId,
      spec.queueEntries,
    );
    const clipToSetup = links.link('clipToSetup', clipCullId, triangleSetupId, spec.queueEntries);
    const setupToFineBinner = links.link(
      'setupToFineBinner',
      triangleSetupId,
      fineBinnerId,
      spec.queueEntries,
    );
    const fineBinnerToReader = links.link(
      'fineBinnerToReader',
      fineBinnerId,
      fineBinReaderId,
      spec.batchBuffers - 1,
    );
    const readerToTraversal = links.link(
      'readerToTraversal',
      fineBinReaderId,
      tileTraversalId,
      spec.queueEntries,
    );
    const traversalToDepth = links.link(
      'traversalToDepth',
      tileTraversalId,
      earlyDepthId,
      spec.queueEntries + traversalLatency(spec),
    );
    const depthToPacking = links.link(
      'depthToPacking',
      earlyDepthId,
      warpPackingId,
      spec.queueEntries,
    );
    const packingToInterpolator = links.link(
      'packingToInterpolator',
      warpPackingId,
      interpolatorId,
      spec.queueEntries,
    );
    const packingToMerger = links.link(
      'packingToMerger',
      warpPackingId,
      outputMergerId,
      spec.fragmentWarpWindow,
    );
    const interpolatorToScheduler = links.link(
      'interpolatorToScheduler',
      interpolatorId,
      taskSchedulerId,
      spec.queueEntries,
    );
    const schedulerToCore = links.linkEach(
      'schedulerToCore',
      coreCount,
      taskSchedulerId,
      0,
      shaderCoreId,
      1,
      1,
    );
    const coreToTexture = links.linkEach(
      'coreToTexture',
      coreCount,
      shaderCoreId,
      1,
      textureUnitId,
      1,
      spec.warpSlotsPerSm * spec.textureLookupsPerWarp,
    );
    const textureToCore = links.linkEach(
      'textureToCore',
      coreCount,
      textureUnitId,
      1,
      shaderCoreId,
      1,
      spec.warpSlotsPerSm * spec.textureLookupsPerWarp,
    );
    const coreToAssembly = links.linkEach(
      'coreToAssembly',
      coreCount,
      shaderCoreId,
      1,
      primitiveAssemblyId,
      0,
      spec.warpSlotsPerSm,
    );
    const coreToMerger = links.linkEach(
      'coreToMerger',
      coreCount,
      shaderCoreId,
      1,
      outputMergerId,
      0,
      spec.warpSlotsPerSm,
    );
    const mergerToBus = links.link('mergerToBus', outputMergerId, outputBusId, 4);

    // 3. Shared parts.
    const records = new RunRecords();
    const memory = new MemorySystem({
      spec,
      schedule,
      dramId,
      l2Id: l2CacheId,
      walkerId: pageWalkerId,
      heads: records.pageHeads,
      outbox: records.remoteOutbox,
      replies: records.remoteReplies,
    });
    const colorCache = new TargetCache(spec.colorCacheBytes, spec.colorCacheWays, spec.binTargets);
    const depthCache = new TargetCache(spec.depthCacheBytes, spec.depthCacheWays, spec.binTargets);
    const hierarchicalDepth = new HierarchicalDepth(spec);
    const bins = new BinList(spec, schedule, colorCache, depthCache, hierarchicalDepth);
    const vertexWarps = new WarpTable(
      2 * spec.queueEntries + spec.smCount * (spec.warpSlotsPerSm + 1) + 2,
    );
    const fragmentWarps = new WarpTable(spec.fragmentWarpWindow + 2);
    const programBlocks = new ProgramBlocksInUse(spec, schedule);
    const results = new VertexResultFifo(spec.vertexResultWarps, schedule);
    for (let i = 0; i < memory.queues.length; i++) links.queues.push(memory.queues[i]!);

    // 4. Ports to memory.
    const displayStorePort = memory.connect(
      MEMORY_CLIENT.displayStore,
      outputBusId,
      divideUp(spec.outputReadAheadLines, CHUNK_LINES),
    );
    const colorPort = memory.connect(MEMORY_CLIENT.color, outputMergerId, spec.outputMergerWarps);
    const depthPort = memory.connect(MEMORY_CLIENT.depth, outputMergerId, spec.outputMergerWarps);
    const coreProgramPort: ClientPort[] = [];
    for (let i = 0; i < coreCount; i++)
      coreProgramPort.push(memory.connect(MEMORY_CLIENT.program, shaderCoreId + i, 1));
    const coreConstantPort: ClientPort[] = [];
    for (let i = 0; i < coreCount; i++)
      coreConstantPort.push(memory.connect(MEMORY_CLIENT.constant, shaderCoreId + i, 1));
    const texturePort: ClientPort[] = [];
    for (let i = 0; i < coreCount; i++)
      texturePort.push(
        memory.connect(
          MEMORY_CLIENT.texture,
          textureUnitId + i,
          spec.warpSlotsPerSm * spec.textureLookupsPerWarp + 1,
        ),
      );
    const earlyDepthPort = memory.connect(MEMORY_CLIENT.depth, earlyDepthId, spec.queueEntries + 1);
    const batchReadPort = memory.connect(
      MEMORY_CLIENT.batch,
      fineBinReaderId,
      spec.batchReadAheadPrimitives + 1,
    );
    const batchWritePort = memory.connect(MEMORY_CLIENT.batch, fineBinnerId, 1);
    const feedbackPort = memory.connect(MEMORY_CLIENT.vertex, primitiveAssemblyId, 1);
    const vertexPort = memory.connect(MEMORY_CLIENT.vertex, vertexFetchId, spec.queueEntries + 1);
    const streamPort = memory.connect(
      MEMORY_CLIENT.command,
      commandProcessorId,
      spec.streamReadAheadLines,
    );
    const listPort = memory.connect(MEMORY_CLIENT.command, commandProcessorId, 1);
    const programPort = memory.connect(MEMORY_CLIENT.program, commandProcessorId, 1);
    const copyPort = memory.connect(MEMORY_CLIENT.copy, copyEngineId, spec.copyBufferLines);
    const serverPort = memory.connect(
      MEMORY_CLIENT.remote,
      remoteServerId,
      spec.remoteServerEntries,
    );

    // 5. Modules, each after the modules that its constructor takes.
    const dram = memory.dram;
    const l2Cache = memory.l2;
    const remoteServer = new RemoteServerModule({
      id: remoteServerId,
      name: 'memory.remoteServer',
      schedule,
      records,
      port: serverPort,
      remote: l2Cache.remote,
      requests: l2Cache.served,
      l2CacheId,
    });
    const pageWalker = memory.walker;
    const copyEngine = new CopyEngineModule(
      copyEngineId,
      'memory.copyEngine',
      schedule,
      spec,
      copyPort,
      dram,
      control,
    );
    const outputBus = new OutputBusModule(
      outputBusId,
      'output.outputBus',
      schedule,
      spec,
      control,
      mergerToBus,
      l2Cache,
      displayStorePort,
      bins,
      colorCache,
      colorPort,
      depthCache,
    );
    const outputMerger = new OutputMergerModule(
      outputMergerId,
      'output.outputMerger',
      schedule,
      spec,
      records,
      fragmentWarps,
      packingToMerger,
      coreToMerger,
      mergerToBus,
      programBlocks,
      bins,
      colorCache,
      colorPort,
      depthCache,
      depthPort,
    );
    const taskScheduler = new TaskSchedulerModule(
      taskSchedulerId,
      'shading.taskScheduler',
      schedule,
      spec,
      fetchToScheduler,
      interpolatorToScheduler,
      schedulerToCore,
      memory.priority,
    );
    const shaderCores: ShaderCoreModule[] = [];
    for (let i = 0; i < coreCount; i++) {
      shaderCores.push(
        new ShaderCoreModule(
          shaderCoreId + i,
          `shading.shaderCore[${i}]`,
          i,
          schedule,
          spec,
          records,
          vertexWarps,
          fragmentWarps,
          schedulerToCore[i]!,
          textureToCore[i]!,
          coreToTexture[i]!,
          coreToAssembly[i]!,
          coreToMerger[i]!,
          taskScheduler,
          results,
          coreProgramPort[i]!,
          coreConstantPort[i]!,
          memory.priority,
        ),
      );
    }
    const textureUnits: TextureUnitModule[] = [];
    for (let i = 0; i < coreCount; i++) {
      textureUnits.push(
        new TextureUnitModule(
          textureUnitId + i,
          `texture.textureUnit[${i}]`,
          schedule,
          spec,
          records,
          texturePort[i]!,
          shaderCores[i]!.requests,
          coreToTexture[i]!,
          textureToCore[i]!,
        ),
      );
    }
    const interpolator = new InterpolatorModule(
      interpolatorId,
      'shading.interpolator',
      schedule,
      spec,
      records,
      fragmentWarps,
      packingToInterpolator,
      interpolatorToScheduler,
    );
    const warpPacking = new WarpPackingModule(
      warpPackingId,
      'shading.warpPacking',
      schedule,
      spec,
      records,
      fragmentWarps,
      programBlocks,
      depthToPacking,
      packingToInterpolator,
      packingToMerger,
    );
    const earlyDepth = new EarlyDepthModule(
      earlyDepthId,
      'raster.earlyDepth',
      schedule,
      spec,
      records,
      traversalToDepth,
      depthToPacking,
      earlyDepthPort,
      depthCache,
      bins,
      hierarchicalDepth,
    );
    const tileTraversal = new TileTraversalModule(
      tileTraversalId,
      'raster.tileTraversal',
      schedule,
      spec,
      records,
      readerToTraversal,
      traversalToDepth,
      bins,
      hierarchicalDepth,
    );
    const fineBinReader = new FineBinReaderModule(
      fineBinReaderId,
      'binning.fineBinReader',
      schedule,
      spec,
      records,
      fineBinnerToReader,
      readerToTraversal,
      batchReadPort,
      bins,
    );
    const fineBinner = new FineBinnerModule(
      fineBinnerId,
      'binning.fineBinner',
      schedule,
      spec,
      records,
      setupToFineBinner,
      programBlocks,
      fineBinnerToReader,
      batchWritePort,
      bins,
      control,
      outputBus,
      memory.priority,
    );
    const triangleSetup = new TriangleSetupModule(
      triangleSetupId,
      'raster.triangleSetup',
      schedule,
      spec,
      records,
      clipToSetup,
      setupToFineBinner,
    );
    const clipCull = new ClipCullModule(
      clipCullId,
      'geometry.clipCull',
      schedule,
      spec,
      records,
      assemblyToClip,
      clipToSetup,
    );
    const primitiveAssembly = new PrimitiveAssemblyModule(
      primitiveAssemblyId,
      'geometry.primitiveAssembly',
      schedule,
      records,
      fetchToAssembly,
      coreToAssembly,
      assemblyToClip,
      results,
      feedbackPort,
    );
    const vertexFetch = new VertexFetchModule(
      vertexFetchId,
      'geometry.vertexFetch',
      schedule,
      spec,
      records,
      vertexPort,
      vertexWarps,
      commandToFetch,
      fetchToAssembly,
      fetchToScheduler,
      traces,
    );
    const commandProcessor = new CommandProcessorModule(
      commandProcessorId,
      'command.commandProcessor',
      schedule,
      spec,
      records,
      control,
      commandToFetch,
      streamPort,
      listPort,
      programPort,
      copyEngine,
      programBlocks,
      bins,
      memory.priority,
    );

    const modules: Module[] = [];
    modules.push(dram);
    modules.push(l2Cache);
    modules.push(remoteServer);
    modules.push(pageWalker);
    modules.push(copyEngine);
    modules.push(outputBus);
    modules.push(outputMerger);
    for (let i = 0; i < coreCount; i++) modules.push(textureUnits[i]!);
    for (let i = 0; i < coreCount; i++) modules.push(shaderCores[i]!);
    modules.push(taskScheduler);
    modules.push(interpolator);
    modules.push(warpPacking);
    modules.push(earlyDepth);
    modules.push(tileTraversal);
    modules.push(fineBinReader);
    modules.push(fineBinner);
    modules.push(triangleSetup);
    modules.push(clipCull);
    modules.push(primitiveAssembly);
    modules.push(vertexFetch);
    modules.push(commandProcessor);

    this.schedule = schedule;
    this.modules = modules;
    this.queues = links.queues;
    this.records = records;
    this.memory = memory;
    this.colorCache = colorCache;
    this.depthCache = depthCache;
    this.hierarchicalDepth = hierarchicalDepth;
    this.bins = bins;
    this.vertexWarps = vertexWarps;
    this.fragmentWarps = fragmentWarps;
    this.programBlocks = programBlocks;
    this.results = results;
    this.dram = dram;
    this.l2Cache = l2Cache;
    this.remoteServer = remoteServer;
    this.pageWalker = pageWalker;
    this.copyEngine = copyEngine;
    this.outputBus = outputBus;
    this.outputMerger = outputMerger;
    this.textureUnits = textureUnits;
    this.shaderCores = shaderCores;
    this.taskScheduler = taskScheduler;
    this.interpolator = interpolator;
    this.warpPacking = warpPacking;
    this.earlyDepth = earlyDepth;
    this.tileTraversal = tileTraversal;
    this.fineBinReader = fineBinReader;
    this.fineBinner = fineBinner;
    this.triangleSetup = triangleSetup;
    this.clipCull = clipCull;
    this.primitiveAssembly = primitiveAssembly;
    this.vertexFetch = vertexFetch;
    this.commandProcessor = commandProcessor;
  }
}
