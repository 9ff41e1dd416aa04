/**
 * Probe of a prepared frame: renders passes again, without timing, on one chiplet in this thread,
 * and observes their fragments. The same kernels draw the same pixels as in the frame.
 */
import type { ChipletSpec } from '@tessera/chiplet-spec';
import {
  type CoarseBinGrid,
  type CoarseBinId,
  coarseBinCount,
  coarseBinRect,
  HEAT_METRICS,
  type HeatMap,
  type HeatMetricName,
  type Image,
  type PixelHistory,
  type PreparedDraw,
  type PreparedFrame,
  type ProbedDraw,
  type ProgramSource,
  type ProgramSummary,
  primitiveCountOf,
  RenderError,
  type ShaderProfile,
  type StopWords,
} from '@tessera/frame';
import { type ResidentFrame, SimulatedChiplet } from '@tessera/gpu';
import { DrawTotals, type FragmentObserver, PixelCounts, PixelRecorder } from '@tessera/gpu/probe';
import {
  PassVisit,
  type RecordedPass,
  type RenderVisitedBin,
  type SimulatedGpuOptions,
  visitPasses,
} from '@tessera/multi-chiplet/rendering';
import { attributeCycles, type HeatMapRequest, sumBlocks } from './heat-map.ts';
import { type ProfileRequest, ShaderProfiler } from './shader-profiler.ts';
import { locateTextureReads, type TextureReads } from './texture-reads.ts';

/** Index of a pass in the frame that the chiplet receives. */
const ONLY_PASS = 0;

/** Options of a probe. */
export interface FrameProbeOptions {
  readonly spec: ChipletSpec;
  /** Words by which another thread stops the work. */
  readonly stopWords?: StopWords | undefined;
  /** GPU of the frame. Its machines are needed for `remoteBytes` alone. */
  readonly gpu: SimulatedGpuOptions;
  /** Sources of the programs, in the order of the frame's. */
  readonly sources: readonly ProgramSource[];
}

/** Pixel of a pass. */
export interface ProbedPixel {
  /** Index of the pass. */
  readonly pass: number;
  /** Column, from the left. */
  readonly x: number;
  /** Row, from the top. */
  readonly y: number;
  /** Index of the sample; 0 by default. */
  readonly sample?: number | undefined;
}

/**
 * Probe of one frame. The visibility phase of the last pass is kept for the next call.
 *
 * @example
 * const probe = gpu.probe(frame);
 * const { values, total } = probe.heatMap({ metric: 'overdraw', pass: 0 });
 * const { events } = probe.pixelHistory({ pass: 0, x: 100, y: 80 });
 */
export class FrameProbe {
  readonly #frame: PreparedFrame;
  readonly #chiplet: SimulatedChiplet;
  readonly #recorded: RecordedPass;
  readonly #sources: readonly ProgramSource[];
  readonly #stopWords: StopWords | undefined;
  #profiler: ShaderProfiler | null = null;
  readonly #gpu: SimulatedGpuOptions;
  #textureReads: TextureReads | null = null;
  #visited: { readonly pass: number; readonly visit: PassVisit<ResidentFrame> } | null = null;

  /** @throws {RangeError} If a field of the specification is missing or out of range. */
  constructor(frame: PreparedFrame, options: FrameProbeOptions) {
    const { spec, stopWords, gpu } = options;
    const { isVisibilityChipletRendering, splits = 0 } = gpu;
    this.#sources = options.sources;
    this.#recorded = { isVisibilityChipletRendering, splits };
    const { commands } = frame;
    const untimed = { timing: 'functional', coupling: 'none', alternativeSpecs: [] } as const;
    this.#frame = { ...frame, commands: { ...commands, ...untimed } };
    this.#chiplet = new SimulatedChiplet(spec, stopWords);
    this.#gpu = gpu;
    this.#stopWords = stopWords;
  }

  /** Number of passes of the frame. */
  get passCount(): number {
    return this.#frame.commands.passes.length;
  }

  /** Index of the last pass that draws to the screen; 0 if there is none. */
  get screenPass(): number {
    const links = this.#frame.passLinks ?? [];
    return Math.max(
      0,
      links.findLastIndex(({ target }) => target.kind === 'screen'),
    );
  }

  /**
   * Counts by pixel or block of a pass.
   *
   * @throws {RenderError} NOT_FOUND if there is no such pass or home, REQUEST_INVALID if the pass
   *   draws no pixels, its bins have no cycles to attribute, `home` does not fit the metric, or
   *   every memory has copies of all resources (`remoteBytes`), and the errors of rendering.
   */
  heatMap({ metric, pass, blockPx = 1, bins = [], home }: HeatMapRequest): HeatMap {
    if (home !== undefined && metric !== 'remoteBytes') {
      const message = `home: ${metric} has no homes; only remoteBytes has`;
      throw new RenderError('REQUEST_INVALID', message);
    }
    // Located before the pass is visited, because the chiplet renders all passes for them.
    const reads = metric === 'remoteBytes' ? this.textureReads : null;
    const visit = this.#visit(pass);
    const { widthPx, heightPx } = visit.grid;
    const values =
      reads?.bytesOf(pass, widthPx * heightPx, home) ?? this.#countByPixel(visit, metric);
    if (metric === 'cyclesAttributed') {
      const ofPass = bins.filter(({ passIndex }) => passIndex === pass);
      if (ofPass.length === 0) throw new Error('frame probe: cyclesAttributed needs the bins');
      attributeCycles(values, widthPx, ofPass);
    }
    const blocks = sumBlocks(values, widthPx, heightPx, blockPx);
    return { metric, pass, blockPx, widthPx, heightPx, ...blocks };
  }

  /**
   * Reads of other memories by texture lookups, which are located on the first call.
   *
   * @throws {RenderError} As `locateTextureReads`.
   */
  get textureReads(): TextureReads {
    if (this.#textureReads === null) {
      this.#visited = null; // The chiplet renders other passes.
      this.#textureReads = locateTextureReads(this.#frame, this.#chiplet, this.#gpu);
    }
    return this.#textureReads;
  }

  /**
   * History of one sample of a pixel.
   *
   * @throws {RenderError} NOT_FOUND if there is no such pass, pixel or sample, REQUEST_INVALID if
   *   the pass draws no pixels, and the errors of rendering.
   */
  pixelHistory({ pass, x, y, sample = 0 }: ProbedPixel): PixelHistory {
    const visit = this.#visit(pass);
    const { grid, sampleCount, colorFormats } = visit;
    requirePixel(grid, x, y);
    if (sample >= sampleCount) {
      const message = `sample: there is no sample ${sample}; a pixel of pass ${pass} has ${sampleCount}`;
      throw new RenderError('NOT_FOUND', message);
    }
    const bin = binOf(grid, x, y);
    const history = new PixelRecorder(x, y, sample);
    visit.renderBin(bin, this.#observedBy(history));
    return { pass, x, y, sample, sampleCount, bin, colorFormats, ...history.result() };
  }

  /**
   * Draws of all passes in order, with their costs. Passes of transform feedback have none.
   *
   * @throws {RenderError} The errors of rendering.
   */
  draws(): ProbedDraw[] {
    const probed: ProbedDraw[] = [];
    this.#visited = null; // The chiplet holds one visited pass.
    for (const { pass, visit } of visitPasses(this.#frame, this.#chiplet)) {
      const totals = new DrawTotals();
      visit.renderBins(this.#observedBy(totals));
      for (const [index, draw] of this.#frame.commands.passes[pass]!.draws.entries()) {
        probed.push({
          pass,
          draw: index,
          ...describeDraw(draw),
          depthStage: visit.resident.draw(ONLY_PASS, index).depthStage,
          cost: totals.countsOf(index),
        });
      }
      if (pass === this.passCount - 1) this.#visited = { pass, visit };
    }
    return probed;
  }

  /**
   * Image of a pass after a draw.
   *
   * @param lastDraw Index of the last draw that is drawn.
   * @throws {RenderError} NOT_FOUND if there is no such pass or draw, REQUEST_INVALID if the pass
   *   draws no pixels, and the errors of rendering.
   */
  imageAfter(pass: number, lastDraw: number): Image {
    const visit = this.#visit(pass);
    const { draws } = this.#frame.commands.passes[pass]!;
    if (lastDraw >= draws.length) {
      const message = `draw: there is no draw ${lastDraw}; pass ${pass} has ${draws.length} draws`;
      throw new RenderError('NOT_FOUND', message);
    }
    this.#visited = null; // The image replaces the contents that the pass was visited with.
    const chiplet = this.#chiplet;
    return visit.renderImage((...bin) => chiplet.observeBin(...bin, { observer: null, lastDraw }));
  }

  /**
   * Programs that draws use, with their costs. The first call of this method or the next renders
   * the frame.
   *
   * @param options `waits`: whether costs have the waits of warps, for which the chiplets are
   *   simulated; see StageCounts.
   * @throws {RenderError} The errors of rendering.
   */
  shaders({ waits = false }: { readonly waits?: boolean } = {}): ProgramSummary[] {
    return this.#profile(waits).programs();
  }

  /**
   * Code of a program with the costs of its instructions and source lines.
   *
   * @throws {RenderError} NOT_FOUND if there is no such program, or no such draw that uses it, and
   *   the errors of rendering.
   */
  shaderProfile(request: ProfileRequest): ShaderProfile {
    return this.#profile(request.waits ?? false).profile(request);
  }

  #profile(waits: boolean): ShaderProfiler {
    if (this.#profiler?.hasWaits === waits) return this.#profiler;
    this.#visited = null; // The chiplet holds one visited pass.
    this.#profiler = new ShaderProfiler(this.#frame, this.#sources, {
      chiplet: this.#chiplet,
      recorded: this.#recorded,
      simulated: waits ? this.#gpu : null,
      stopWords: this.#stopWords,
    });
    return this.#profiler;
  }

  #countByPixel(visit: PassVisit<ResidentFrame>, metric: HeatMetricName): Float64Array {
    const { count } = HEAT_METRICS[metric];
    if (count === null) return this.#textureLines(visit);
    const counts = new PixelCounts(visit.grid, [count]);
    visit.renderBins(this.#observedBy(counts));
    return counts.values(count);
  }

  #textureLines(visit: PassVisit<ResidentFrame>): Float64Array {
    const chiplet = this.#chiplet;
    const { widthPx, heightPx } = visit.grid;
    const values = new Float64Array(widthPx * heightPx);
    chiplet.lineObserver = (x, y, lines) => {
      values[y * widthPx + x]! += lines;
    };
    try {
      visit.renderRecorded(chiplet, this.#recorded);
    } finally {
      chiplet.lineObserver = null;
    }
    return values;
  }

  #visit(pass: number): PassVisit<ResidentFrame> {
    if (this.#visited?.pass === pass) return this.#visited.visit;
    const visit = new PassVisit(this.#frame, pass, this.#chiplet);
    this.#visited = { pass, visit };
    return visit;
  }

  #observedBy(observer: FragmentObserver) {
    const chiplet = this.#chiplet;
    const render: RenderVisitedBin<ResidentFrame> = (...bin) => {
      const rendered = chiplet.observeBin(...bin, { observer });
      chiplet.recycle(rendered);
      return rendered;
    };
    return render;
  }
}

function requirePixel({ widthPx, heightPx }: CoarseBinGrid, x: number, y: number): void {
  if (x < widthPx && y < heightPx) return;
  throw new RenderError(
    'NOT_FOUND',
    `pixel: there is no pixel (${x}, ${y}); the pass has ${widthPx} × ${heightPx} pixels`,
  );
}

function binOf(grid: CoarseBinGrid, x: number, y: number): CoarseBinId {
  const count = coarseBinCount(grid);
  for (let binId = 0; binId < count; binId++) {
    const { x: left, y: top, width, height } = coarseBinRect(grid, binId);
    if (x >= left && x < left + width && y >= top && y < top + height) return binId;
  }
  throw new Error(`frame probe: no coarse bin has pixel (${x}, ${y})`);
}

function describeDraw(
  draw: PreparedDraw,
): Omit<ProbedDraw, 'pass' | 'draw' | 'depthStage' | 'cost'> {
  const { topology, count, instanceCount } = draw;
  return {
    program: draw.programIndex,
    topology,
    vertices: count,
    instances: instanceCount,
    primitives: primitiveCountOf(draw),
    isIndexed: draw.indices !== null,
    textures: draw.textures.map((binding) => binding?.textureIndex ?? null),
    state: draw.state,
  };
}
