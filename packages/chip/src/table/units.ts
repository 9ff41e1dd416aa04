/**
 * The single table of the simulated chip: its modules, the queues between them, their ports to
 * memory and the parts that several of them share. `npm run cycle-model:build` generates the wiring
 * (chip-units.generated.ts) and the loop over the modules (chip-loop.generated.ts) from it.
 *
 * Expressions are TypeScript of the cycle model. They may use `spec`, the TimingSpec, and exported
 * names of the model.
 */

import type { MemoryClientName } from './memory-clients.ts';

/** Object that the host provides or that several modules share. */
interface SharedRow {
  /** Class, in a file of the same name. */
  readonly type: string;
  /**
   * Expressions by constructor parameter; others are shared parts or numbers of modules (`dramId`).
   */
  readonly options?: Readonly<Record<string, string>>;
}

/** Bounded queue between two modules, or one for each shader core. */
interface QueueRow {
  /** Module that pushes. */
  readonly from: string;
  /** Module that pops. */
  readonly to: string;
  /**
   * Expression for the number of entries. The capacity includes the items that are inside the
   * producer's latency.
   */
  readonly capacity: string;
}

/** Port of a module to the memory system. */
interface PortRow {
  readonly client: MemoryClientName;
  /** Module that owns the port. */
  readonly owner: string;
  /** Expression for the number of tickets that are open at once. */
  readonly tickets: string;
}

/** Module: one unit of the chip, or one for each shader core. */
interface UnitRow {
  /** Class, in a file of the same name. */
  readonly type: string;
  /** Whether there is one for each shader core. */
  readonly isPerCore?: true;
  /** Expression for the module, if a shared part creates it. */
  readonly madeBy?: string;
  /**
   * Queue, port, unit or shared part by constructor parameter. Parameters that are not listed take
   * the part of the same name. A per-core module takes its own element of a per-core part.
   */
  readonly parts?: Readonly<Record<string, string>>;
}

/** Parts that the host provides. */
export const HOST_PARTS = {
  spec: 'TimingSpec',
  traces: 'VertexTraceSource',
  control: 'RunControl',
} as const;

/** Shared parts, in the order of their construction. */
export const SHARED_PARTS = {
  records: { type: 'RunRecords' },
  memory: {
    type: 'MemorySystem',
    options: {
      l2Id: 'l2CacheId',
      walkerId: 'pageWalkerId',
      heads: 'records.pageHeads',
      outbox: 'records.remoteOutbox',
      replies: 'records.remoteReplies',
    },
  },
  colorCache: {
    type: 'TargetCache',
    options: {
      bytes: 'spec.colorCacheBytes',
      ways: 'spec.colorCacheWays',
      targets: 'spec.binTargets',
    },
  },
  depthCache: {
    type: 'TargetCache',
    options: {
      bytes: 'spec.depthCacheBytes',
      ways: 'spec.depthCacheWays',
      targets: 'spec.binTargets',
    },
  },
  hierarchicalDepth: { type: 'HierarchicalDepth' },
  bins: { type: 'BinList' },
  vertexWarps: {
    type: 'WarpTable',
    options: {
      inFlight: '2 * spec.queueEntries + spec.smCount * (spec.warpSlotsPerSm + 1) + 2',
    },
  },
  fragmentWarps: { type: 'WarpTable', options: { inFlight: 'spec.fragmentWarpWindow + 2' } },
  programBlocks: { type: 'ProgramBlocksInUse' },
  results: { type: 'VertexResultFifo', options: { capacity: 'spec.vertexResultWarps' } },
} as const satisfies Readonly<Record<string, SharedRow>>;

/**
 * Queues, from the start of the pipeline to its end. A queue with a per-core end exists once for
 * each core.
 */
export const QUEUES = {
  commandToFetch: { from: 'commandProcessor', to: 'vertexFetch', capacity: 'spec.queueEntries' },
  fetchToAssembly: {
    from: 'vertexFetch',
    to: 'primitiveAssembly',
    capacity: 'spec.primitiveQueueEntries',
  },
  fetchToScheduler: { from: 'vertexFetch', to: 'taskScheduler', capacity: 'spec.queueEntries' },
  assemblyToClip: { from: 'primitiveAssembly', to: 'clipCull', capacity: 'spec.queueEntries' },
  clipToSetup: { from: 'clipCull', to: 'triangleSetup', capacity: 'spec.queueEntries' },
  setupToFineBinner: { from: 'triangleSetup', to: 'fineBinner', capacity: 'spec.queueEntries' },
  fineBinnerToReader: {
    from: 'fineBinner',
    to: 'fineBinReader',
    capacity: 'spec.batchBuffers - 1',
  },
  readerToTraversal: { from: 'fineBinReader', to: 'tileTraversal', capacity: 'spec.queueEntries' },
  traversalToDepth: {
    from: 'tileTraversal',
    to: 'earlyDepth',
    capacity: 'spec.queueEntries + traversalLatency(spec)',
  },
  depthToPacking: { from: 'earlyDepth', to: 'warpPacking', capacity: 'spec.queueEntries' },
  packingToInterpolator: {
    from: 'warpPacking',
    to: 'interpolator',
    capacity: 'spec.queueEntries',
  },
  packingToMerger: { from: 'warpPacking', to: 'outputMerger', capacity: 'spec.fragmentWarpWindow' },
  interpolatorToScheduler: {
    from: 'interpolator',
    to: 'taskScheduler',
    capacity: 'spec.queueEntries',
  },
  schedulerToCore: { from: 'taskScheduler', to: 'shaderCore', capacity: '1' },
  coreToTexture: {
    from: 'shaderCore',
    to: 'textureUnit',
    capacity: 'spec.warpSlotsPerSm * spec.textureLookupsPerWarp',
  },
  textureToCore: {
    from: 'textureUnit',
    to: 'shaderCore',
    capacity: 'spec.warpSlotsPerSm * spec.textureLookupsPerWarp',
  },
  coreToAssembly: { from: 'shaderCore', to: 'primitiveAssembly', capacity: 'spec.warpSlotsPerSm' },
  coreToMerger: { from: 'shaderCore', to: 'outputMerger', capacity: 'spec.warpSlotsPerSm' },
  mergerToBus: { from: 'outputMerger', to: 'outputBus', capacity: '4' },
} as const satisfies Readonly<Record<string, QueueRow>>;

/** Ports to memory. Ports of one client take turns in this order. */
export const PORTS = {
  displayStorePort: {
    client: 'displayStore',
    owner: 'outputBus',
    tickets: 'divideUp(spec.outputReadAheadLines, CHUNK_LINES)',
  },
  colorPort: { client: 'color', owner: 'outputMerger', tickets: 'spec.outputMergerWarps' },
  depthPort: { client: 'depth', owner: 'outputMerger', tickets: 'spec.outputMergerWarps' },
  coreProgramPort: { client: 'program', owner: 'shaderCore', tickets: '1' },
  coreConstantPort: { client: 'constant', owner: 'shaderCore', tickets: '1' },
  texturePort: {
    client: 'texture',
    owner: 'textureUnit',
    tickets: 'spec.warpSlotsPerSm * spec.textureLookupsPerWarp + 1',
  },
  earlyDepthPort: { client: 'depth', owner: 'earlyDepth', tickets: 'spec.queueEntries + 1' },
  batchReadPort: {
    client: 'batch',
    owner: 'fineBinReader',
    tickets: 'spec.batchReadAheadPrimitives + 1',
  },
  batchWritePort: { client: 'batch', owner: 'fineBinner', tickets: '1' },
  feedbackPort: { client: 'vertex', owner: 'primitiveAssembly', tickets: '1' },
  vertexPort: { client: 'vertex', owner: 'vertexFetch', tickets: 'spec.queueEntries + 1' },
  streamPort: {
    client: 'command',
    owner: 'commandProcessor',
    tickets: 'spec.streamReadAheadLines',
  },
  listPort: { client: 'command', owner: 'commandProcessor', tickets: '1' },
  programPort: { client: 'program', owner: 'commandProcessor', tickets: '1' },
  copyPort: { client: 'copy', owner: 'copyEngine', tickets: 'spec.copyBufferLines' },
  serverPort: { client: 'remote', owner: 'remoteServer', tickets: 'spec.remoteServerEntries' },
} as const satisfies Readonly<Record<string, PortRow>>;

/**
 * Modules by path, from the end of the pipeline to its start: the order in which they are numbered
 * and clocked. The last part of a path names the module in this table, in ChipUnits and in
 * counters.
 */
export const UNITS = {
  'memory.dram': { type: 'DramModule', madeBy: 'memory.dram' },
  'memory.l2Cache': { type: 'L2CacheModule', madeBy: 'memory.l2' },
  'memory.remoteServer': {
    type: 'RemoteServerModule',
    parts: { port: 'serverPort', remote: 'l2Cache.remote', requests: 'l2Cache.served' },
  },
  'memory.pageWalker': { type: 'PageWalkerModule', madeBy: 'memory.walker' },
  'memory.copyEngine': { type: 'CopyEngineModule', parts: { port: 'copyPort' } },
  'output.outputBus': {
    type: 'OutputBusModule',
    parts: { input: 'mergerToBus', memory: 'l2Cache', port: 'displayStorePort' },
  },
  'output.outputMerger': {
    type: 'OutputMergerModule',
    parts: {
      warps: 'fragmentWarps',
      order: 'packingToMerger',
      doneWarps: 'coreToMerger',
      output: 'mergerToBus',
    },
  },
  'texture.textureUnit': {
    type: 'TextureUnitModule',
    isPerCore: true,
    parts: {
      port: 'texturePort',
      requests: 'shaderCore.requests',
      input: 'coreToTexture',
      output: 'textureToCore',
    },
  },
  'shading.shaderCore': {
    type: 'ShaderCoreModule',
    isPerCore: true,
    parts: {
      input: 'schedulerToCore',
      texels: 'textureToCore',
      toTexture: 'coreToTexture',
      doneVertices: 'coreToAssembly',
      doneFragments: 'coreToMerger',
      scheduler: 'taskScheduler',
      programPort: 'coreProgramPort',
      constantPort: 'coreConstantPort',
      priority: 'memory.priority',
    },
  },
  'shading.taskScheduler': {
    type: 'TaskSchedulerModule',
    parts: {
      vertexWarps: 'fetchToScheduler',
      fragmentWarps: 'interpolatorToScheduler',
      cores: 'schedulerToCore',
      priority: 'memory.priority',
    },
  },
  'shading.interpolator': {
    type: 'InterpolatorModule',
    parts: {
      warps: 'fragmentWarps',
      input: 'packingToInterpolator',
      output: 'interpolatorToScheduler',
    },
  },
  'shading.warpPacking': {
    type: 'WarpPackingModule',
    parts: {
      warps: 'fragmentWarps',
      input: 'depthToPacking',
      toInterpolator: 'packingToInterpolator',
      order: 'packingToMerger',
    },
  },
  'raster.earlyDepth': {
    type: 'EarlyDepthModule',
    parts: { input: 'traversalToDepth', output: 'depthToPacking', port: 'earlyDepthPort' },
  },
  'raster.tileTraversal': {
    type: 'TileTraversalModule',
    parts: { input: 'readerToTraversal', output: 'traversalToDepth' },
  },
  'binning.fineBinReader': {
    type: 'FineBinReaderModule',
    parts: { input: 'fineBinnerToReader', output: 'readerToTraversal', port: 'batchReadPort' },
  },
  'binning.fineBinner': {
    type: 'FineBinnerModule',
    parts: {
      input: 'setupToFineBinner',
      output: 'fineBinnerToReader',
      port: 'batchWritePort',
      priority: 'memory.priority',
    },
  },
  'raster.triangleSetup': {
    type: 'TriangleSetupModule',
    parts: { input: 'clipToSetup', output: 'setupToFineBinner' },
  },
  'geometry.clipCull': {
    type: 'ClipCullModule',
    parts: { input: 'assemblyToClip', output: 'clipToSetup' },
  },
  'geometry.primitiveAssembly': {
    type: 'PrimitiveAssemblyModule',
    parts: {
      input: 'fetchToAssembly',
      doneWarps: 'coreToAssembly',
      output: 'assemblyToClip',
      port: 'feedbackPort',
    },
  },
  'geometry.vertexFetch': {
    type: 'VertexFetchModule',
    parts: {
      port: 'vertexPort',
      warps: 'vertexWarps',
      input: 'commandToFetch',
      toAssembly: 'fetchToAssembly',
      toScheduler: 'fetchToScheduler',
    },
  },
  'command.commandProcessor': {
    type: 'CommandProcessorModule',
    parts: { output: 'commandToFetch', priority: 'memory.priority' },
  },
} as const satisfies Readonly<Record<string, UnitRow>>;
