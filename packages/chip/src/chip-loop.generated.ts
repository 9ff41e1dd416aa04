/**
 * Generated from table/units.ts by `npm run cycle-model:build`. Do not edit. Long because it is
 * generated.
 */

import type { ChipUnits } from './chip-units.generated.ts';
import type { CopyEngineModule } from './memory/copy-engine-module.ts';
import type { DramModule } from './memory/dram-module.ts';
import type { L2CacheModule } from './memory/l2-cache-module.ts';
import type { PageWalkerModule } from './memory/page-walker-module.ts';
import type { RemoteServerModule } from './memory/remote-server-module.ts';
import type { i32 } from './portable/number-types.ts';
import type { InterpolatorModule } from './shading/interpolator-module.ts';
import type { ShaderCoreModule } from './shading/shader-core-module.ts';
import type { TaskSchedulerModule } from './shading/task-scheduler-module.ts';
import type { WarpPackingModule } from './shading/warp-packing-module.ts';
import { ModuleLoop } from './sim/module-loop.ts';
import type { ClipCullModule } from './units/clip-cull-module.ts';
import type { CommandProcessorModule } from './units/command-processor-module.ts';
import type { EarlyDepthModule } from './units/early-depth-module.ts';
import type { FineBinReaderModule } from './units/fine-bin-reader-module.ts';
import type { FineBinnerModule } from './units/fine-binner-module.ts';
import type { OutputBusModule } from './units/output-bus-module.ts';
import type { OutputMergerModule } from './units/output-merger-module.ts';
import type { PrimitiveAssemblyModule } from './units/primitive-assembly-module.ts';
import type { TextureUnitModule } from './units/texture-unit-module.ts';
import type { TileTraversalModule } from './units/tile-traversal-module.ts';
import type { TriangleSetupModule } from './units/triangle-setup-module.ts';
import type { VertexFetchModule } from './units/vertex-fetch-module.ts';

/**
 * Clocks the modules of a chip. A call that may reach any class of module takes several times as long as a call of one
 * class, so the loop is written out.
 */
export class ChipLoop extends ModuleLoop {
  private readonly dram: DramModule;
  private readonly l2Cache: L2CacheModule;
  private readonly remoteServer: RemoteServerModule;
  private readonly pageWalker: PageWalkerModule;
  private readonly copyEngine: CopyEngineModule;
  private readonly outputBus: OutputBusModule;
  private readonly outputMerger: OutputMergerModule;
  private readonly textureUnits: readonly TextureUnitModule[];
  private readonly shaderCores: readonly ShaderCoreModule[];
  private readonly taskScheduler: TaskSchedulerModule;
  private readonly interpolator: InterpolatorModule;
  private readonly warpPacking: WarpPackingModule;
  private readonly earlyDepth: EarlyDepthModule;
  private readonly tileTraversal: TileTraversalModule;
  private readonly fineBinReader: FineBinReaderModule;
  private readonly fineBinner: FineBinnerModule;
  private readonly triangleSetup: TriangleSetupModule;
  private readonly clipCull: ClipCullModule;
  private readonly primitiveAssembly: PrimitiveAssemblyModule;
  private readonly vertexFetch: VertexFetchModule;
  private readonly commandProcessor: CommandProcessorModule;

  constructor(units: ChipUnits, isNaive: boolean) {
    super(units.schedule, units.modules, isNaive);
    this.dram = units.dram;
    this.l2Cache = units.l2Cache;
    this.remoteServer = units.remoteServer;
    this.pageWalker = units.pageWalker;
    this.copyEngine = units.copyEngine;
    this.outputBus = units.outputBus;
    this.outputMerger = units.outputMerger;
    this.textureUnits = units.textureUnits;
    this.shaderCores = units.shaderCores;
    this.taskScheduler = units.taskScheduler;
    this.interpolator = units.interpolator;
    this.warpPacking = units.warpPacking;
    this.earlyDepth = units.earlyDepth;
    this.tileTraversal = units.tileTraversal;
    this.fineBinReader = units.fineBinReader;
    this.fineBinner = units.fineBinner;
    this.triangleSetup = units.triangleSetup;
    this.clipCull = units.clipCull;
    this.primitiveAssembly = units.primitiveAssembly;
    this.vertexFetch = units.vertexFetch;
    this.commandProcessor = units.commandProcessor;
  }

  override clockDue(cycle: i32): boolean {
    if (this.isNaive) return super.clockDue(cycle);
    const wakes = this.wakes;
    let ran = false;
    let n = 0;
    if (wakes[n]! <= cycle) ran = this.end(n, this.begin(n), this.dram.clock(cycle), cycle);
    n++;
    if (wakes[n]! <= cycle) ran = this.end(n, this.begin(n), this.l2Cache.clock(cycle), cycle);
    n++;
    if (wakes[n]! <= cycle) ran = this.end(n, this.begin(n), this.remoteServer.clock(cycle), cycle);
    n++;
    if (wakes[n]! <= cycle) ran = this.end(n, this.begin(n), this.pageWalker.clock(cycle), cycle);
    n++;
    if (wakes[n]! <= cycle) ran = this.end(n, this.begin(n), this.copyEngine.clock(cycle), cycle);
    n++;
    if (wakes[n]! <= cycle) ran = this.end(n, this.begin(n), this.outputBus.clock(cycle), cycle);
    n++;
    if (wakes[n]! <= cycle) ran = this.end(n, this.begin(n), this.outputMerger.clock(cycle), cycle);
    n++;
    for (let i = 0; i < this.textureUnits.length; i++, n++) {
      if (wakes[n]! <= cycle)
        ran = this.end(n, this.begin(n), this.textureUnits[i]!.clock(cycle), cycle);
    }
    for (let i = 0; i < this.shaderCores.length; i++, n++) {
      if (wakes[n]! <= cycle)
        ran = this.end(n, this.begin(n), this.shaderCores[i]!.clock(cycle), cycle);
    }
    if (wakes[n]! <= cycle)
      ran = this.end(n, this.begin(n), this.taskScheduler.clock(cycle), cycle);
    n++;
    if (wakes[n]! <= cycle) ran = this.end(n, this.begin(n), this.interpolator.clock(cycle), cycle);
    n++;
    if (wakes[n]! <= cycle) ran = this.end(n, this.begin(n), this.warpPacking.clock(cycle), cycle);
    n++;
    if (wakes[n]! <= cycle) ran = this.end(n, this.begin(n), this.earlyDepth.clock(cycle), cycle);
    n++;
    if (wakes[n]! <= cycle)
      ran = this.end(n, this.begin(n), this.tileTraversal.clock(cycle), cycle);
    n++;
    if (wakes[n]! <= cycle)
      ran = this.end(n, this.begin(n), this.fineBinReader.clock(cycle), cycle);
    n++;
    if (wakes[n]! <= cycle) ran = this.end(n, this.begin(n), this.fineBinner.clock(cycle), cycle);
    n++;
    if (wakes[n]! <= cycle)
      ran = this.end(n, this.begin(n), this.triangleSetup.clock(cycle), cycle);
    n++;
    if (wakes[n]! <= cycle) ran = this.end(n, this.begin(n), this.clipCull.clock(cycle), cycle);
    n++;
    if (wakes[n]! <= cycle)
      ran = this.end(n, this.begin(n), this.primitiveAssembly.clock(cycle), cycle);
    n++;
    if (wakes[n]! <= cycle) ran = this.end(n, this.begin(n), this.vertexFetch.clock(cycle), cycle);
    n++;
    if (wakes[n]! <= cycle)
      ran = this.end(n, this.begin(n), this.commandProcessor.clock(cycle), cycle);
    n++;
    return ran;
  }
}
