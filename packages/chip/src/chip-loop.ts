/**
 * The loop over the modules of a chip, written out: a call that may be of any module takes several times as long as
 * one of a module that is known.
 */

import type { DramModule } from './memory/dram-module.ts';
import type { L2CacheModule } from './memory/l2-cache-module.ts';
import type { i32 } from './portable/number-types.ts';
import type { InterpolatorModule } from './shading/interpolator-module.ts';
import type { ShaderCoreModule } from './shading/shader-core-module.ts';
import type { TaskSchedulerModule } from './shading/task-scheduler-module.ts';
import type { WarpPackingModule } from './shading/warp-packing-module.ts';
import type { Module } from './sim/module.ts';
import { ModuleLoop } from './sim/module-loop.ts';
import type { Schedule } from './sim/schedule.ts';
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

/** Number of the first texture unit; shader cores follow, then the others. */
export const FIRST_TEXTURE_UNIT = 4;

export class ChipLoop extends ModuleLoop {
  private readonly dram: DramModule;
  private readonly l2: L2CacheModule;
  private readonly bus: OutputBusModule;
  private readonly merger: OutputMergerModule;
  private readonly textures: readonly TextureUnitModule[];
  private readonly cores: readonly ShaderCoreModule[];
  private readonly scheduler: TaskSchedulerModule;
  private readonly interpolator: InterpolatorModule;
  private readonly packing: WarpPackingModule;
  private readonly earlyDepth: EarlyDepthModule;
  private readonly traversal: TileTraversalModule;
  private readonly reader: FineBinReaderModule;
  private readonly fineBinner: FineBinnerModule;
  private readonly setup: TriangleSetupModule;
  private readonly clipCull: ClipCullModule;
  private readonly assembly: PrimitiveAssemblyModule;
  private readonly fetch: VertexFetchModule;
  private readonly command: CommandProcessorModule;

  /** The modules in the order of their numbers. */
  constructor(
    schedule: Schedule,
    dram: DramModule,
    l2: L2CacheModule,
    bus: OutputBusModule,
    merger: OutputMergerModule,
    textures: readonly TextureUnitModule[],
    cores: readonly ShaderCoreModule[],
    scheduler: TaskSchedulerModule,
    interpolator: InterpolatorModule,
    packing: WarpPackingModule,
    earlyDepth: EarlyDepthModule,
    traversal: TileTraversalModule,
    reader: FineBinReaderModule,
    fineBinner: FineBinnerModule,
    setup: TriangleSetupModule,
    clipCull: ClipCullModule,
    assembly: PrimitiveAssemblyModule,
    fetch: VertexFetchModule,
    command: CommandProcessorModule,
    isNaive: boolean,
  ) {
    const modules: Module[] = [dram, l2, bus, merger];
    for (let i = 0; i < textures.length; i++) modules.push(textures[i]!);
    for (let i = 0; i < cores.length; i++) modules.push(cores[i]!);
    const others: Module[] = [
      scheduler,
      interpolator,
      packing,
      earlyDepth,
      traversal,
      reader,
      fineBinner,
      setup,
      clipCull,
      assembly,
      fetch,
      command,
    ];
    for (let i = 0; i < others.length; i++) modules.push(others[i]!);
    super(schedule, modules, isNaive);
    this.dram = dram;
    this.l2 = l2;
    this.bus = bus;
    this.merger = merger;
    this.textures = textures;
    this.cores = cores;
    this.scheduler = scheduler;
    this.interpolator = interpolator;
    this.packing = packing;
    this.earlyDepth = earlyDepth;
    this.traversal = traversal;
    this.reader = reader;
    this.fineBinner = fineBinner;
    this.setup = setup;
    this.clipCull = clipCull;
    this.assembly = assembly;
    this.fetch = fetch;
    this.command = command;
  }

  override clockDue(cycle: i32): boolean {
    if (this.isNaive) return super.clockDue(cycle);
    const wakes = this.wakes;
    let ran = false;
    if (wakes[0]! <= cycle) ran = this.end(0, this.begin(0), this.dram.clock(cycle), cycle);
    if (wakes[1]! <= cycle) ran = this.end(1, this.begin(1), this.l2.clock(cycle), cycle);
    if (wakes[2]! <= cycle) ran = this.end(2, this.begin(2), this.bus.clock(cycle), cycle);
    if (wakes[3]! <= cycle) ran = this.end(3, this.begin(3), this.merger.clock(cycle), cycle);
    let n = FIRST_TEXTURE_UNIT;
    for (let i = 0; i < this.textures.length; i++, n++) {
      if (wakes[n]! <= cycle) {
        ran = this.end(n, this.begin(n), this.textures[i]!.clock(cycle), cycle);
      }
    }
    for (let i = 0; i < this.cores.length; i++, n++) {
      if (wakes[n]! <= cycle) ran = this.end(n, this.begin(n), this.cores[i]!.clock(cycle), cycle);
    }
    if (wakes[n]! <= cycle) ran = this.end(n, this.begin(n), this.scheduler.clock(cycle), cycle);
    n++;
    if (wakes[n]! <= cycle) ran = this.end(n, this.begin(n), this.interpolator.clock(cycle), cycle);
    n++;
    if (wakes[n]! <= cycle) ran = this.end(n, this.begin(n), this.packing.clock(cycle), cycle);
    n++;
    if (wakes[n]! <= cycle) ran = this.end(n, this.begin(n), this.earlyDepth.clock(cycle), cycle);
    n++;
    if (wakes[n]! <= cycle) ran = this.end(n, this.begin(n), this.traversal.clock(cycle), cycle);
    n++;
    if (wakes[n]! <= cycle) ran = this.end(n, this.begin(n), this.reader.clock(cycle), cycle);
    n++;
    if (wakes[n]! <= cycle) ran = this.end(n, this.begin(n), this.fineBinner.clock(cycle), cycle);
    n++;
    if (wakes[n]! <= cycle) ran = this.end(n, this.begin(n), this.setup.clock(cycle), cycle);
    n++;
    if (wakes[n]! <= cycle) ran = this.end(n, this.begin(n), this.clipCull.clock(cycle), cycle);
    n++;
    if (wakes[n]! <= cycle) ran = this.end(n, this.begin(n), this.assembly.clock(cycle), cycle);
    n++;
    if (wakes[n]! <= cycle) ran = this.end(n, this.begin(n), this.fetch.clock(cycle), cycle);
    n++;
    if (wakes[n]! <= cycle) ran = this.end(n, this.begin(n), this.command.clock(cycle), cycle);
    return ran;
  }
}
