/**
 * A pass whose draws are divided among the chiplets, in wall time: the layer of each chiplet is a
 * pass of its draws over the whole target. Layers are rendered as they are, for their cycles, and
 * without timing for each byte of the ranks of draws, which composition needs and which is in the
 * stencil then. The simulated chiplets write ranks at no cost (docs/deviations.md).
 */
import {
  addCounters,
  type ChipletId,
  type Counters,
  type PreparedDraw,
  type PreparedFrame,
  type StencilFaceState,
} from '@tessera/frame';
import { type RenderedPass, type RenderPassOptions, renderPass } from '../passes/render-pass.ts';
import { composeLayers, type RankedLayer } from './compose-layers.ts';
import { RANKS_PER_BYTE } from './composition-groups.ts';
import { scheduleDraws } from './schedule-draws.ts';

/** Division of a rendered pass into layers. */
export interface RenderedLayers {
  /** Chiplet of each layer. */
  readonly chipletIds: readonly ChipletId[];
  /** Layer of each bin. */
  readonly layerByBin: readonly number[];
}

/**
 * Results of a pass whose bins are those of its layers, without the ones that have no primitive.
 */
export interface LayeredPass extends RenderedPass {
  readonly layers: RenderedLayers;
}

/**
 * Renders the layers of a pass.
 *
 * @param frame Frame with one pass of a distributed group.
 * @param chipletCount Number of chiplets of the GPU.
 * @throws {RenderError} As `renderPass`.
 */
export async function renderLayers(
  frame: PreparedFrame,
  options: RenderPassOptions,
  chipletCount: number,
): Promise<LayeredPass> {
  const { draws } = frame.commands.passes[0]!;
  const chipletByDraw = scheduleDraws(draws, chipletCount);
  const chipletIds = [...new Set(chipletByDraw)].sort((a, b) => a - b);
  const layers: RankedLayer[] = [];
  const measured: RenderedPass[] = [];
  for (const [layer, chipletId] of chipletIds.entries()) {
    const ranks = draws.flatMap((_, i) => (chipletByDraw[i] === chipletId ? [i] : []));
    const isLast = layer === chipletIds.length - 1;
    const render = (rank: 'low' | 'high' | null) => {
      const name = `${options.frameId}/layer ${chipletId}, ${rank ?? 'measured'}`;
      const byteOf = (i: number) =>
        1 + (rank === 'low' ? i % RANKS_PER_BYTE : Math.floor(i / RANKS_PER_BYTE));
      const drawn = ranks.map((i) => (rank === null ? draws[i]! : withRank(draws[i]!, byteOf(i))));
      return renderLayer(makeLayer(frame, drawn, rank !== null), {
        ...options,
        frameId: name,
        onBin: isLast && rank === 'low' ? options.onBin : () => {},
      });
    };
    const low = await render('low');
    const high = draws.length > RANKS_PER_BYTE ? await render('high') : null;
    layers.push({ ...low.targets, highRanks: high?.targets.depthStencil ?? null });
    const isTimed = frame.commands.timing === 'cycle';
    measured.push(isTimed ? await render(null) : low);
  }
  const targets = composeLayers(frame, layers);
  return {
    ...joinLayers(measured),
    targets,
    layers: listBins(measured, chipletIds),
  };
}

async function renderLayer(frame: PreparedFrame, options: RenderPassOptions) {
  const { hosts, visibilityHost, frameId, dispatcher } = options;
  const allHosts = [...new Set([visibilityHost, ...hosts])];
  try {
    const rendered = await renderPass(frame, options);
    dispatcher.releaseFrame(frameId, allHosts);
    return rendered;
  } catch (error) {
    for (const host of allHosts) host.releaseFrame(frameId);
    throw error;
  }
}

/** Returns the frame of a layer, which starts with cleared targets and keeps all its samples. */
function makeLayer(
  frame: PreparedFrame,
  draws: readonly PreparedDraw[],
  isRanked: boolean,
): PreparedFrame {
  const { commands } = frame;
  const { isResolved: _, ...pass } = commands.passes[0]!;
  const isLess = draws[0]!.state.depth.compare.startsWith('less');
  const depth = pass.contents?.isDepthLoaded ? Number(isLess) : pass.clear.depth;
  return {
    ...frame,
    commands: {
      ...commands,
      ...(isRanked ? { timing: 'functional', coupling: 'none', alternativeSpecs: [] } : {}),
      passes: [
        {
          ...pass,
          draws,
          clear: { ...pass.clear, depth, stencil: 0 },
          contents: {
            colorBufferIndices: [],
            depthStencilBufferIndex: null,
            isDepthLoaded: false,
            isStencilLoaded: false,
            isDepthStencilStored: true,
          },
        },
      ],
    },
  };
}

/** Returns a draw that writes its rank, 1 to 255, to the stencil of the samples that it draws. */
function withRank(draw: PreparedDraw, rank: number): PreparedDraw {
  const face: StencilFaceState = {
    compare: 'always',
    reference: rank,
    readMask: 255,
    writeMask: 255,
    onStencilFail: 'keep',
    onDepthFail: 'keep',
    onPass: 'replace',
  };
  const stencil = { isTestEnabled: true, front: face, back: face };
  return { ...draw, state: { ...draw.state, stencil } };
}

/** Joins the results of layers to those of their pass, with a part of its phase for each. */
function joinLayers(layers: readonly RenderedPass[]): Omit<RenderedPass, 'targets'> {
  const counters: Counters = {};
  for (const { summary } of layers) addCounters(counters, summary.counters);
  const sum = (numberOf: (layer: RenderedPass) => number) =>
    layers.reduce((total, layer) => total + numberOf(layer), 0);
  // All layers have the same resources, which are stored once.
  const { copyWork } = layers[0]!.summary;
  return {
    summary: {
      passIndex: 0,
      bins: [],
      counters,
      cycles: null,
      ...(copyWork === undefined ? {} : { copyWork }),
      spans: [],
      earlyBin: null,
      parts: layers.map(({ summary }) => ({
        counters: summary.counters,
        cycles: summary.cycles,
        spans: summary.spans,
        ...(summary.records === undefined ? {} : { records: summary.records }),
        streamBytes: 0,
      })),
    },
    parts: layers.flatMap((layer) => layer.parts.filter(hasPrimitives)),
    bins: layers.flatMap(({ bins, parts }) => bins.filter((_bin, i) => hasPrimitives(parts[i]!))),
    visibilityMs: sum(({ visibilityMs }) => visibilityMs),
    compositeMs: sum(({ compositeMs }) => compositeMs),
    retriedBins: sum(({ retriedBins }) => retriedBins),
    checkedBins: sum(({ checkedBins }) => checkedBins),
  };
}

function listBins(layers: readonly RenderedPass[], chipletIds: readonly ChipletId[]) {
  const layerByBin = layers.flatMap(({ parts }, layer) =>
    parts.filter(hasPrimitives).map(() => layer),
  );
  return { chipletIds, layerByBin };
}

function hasPrimitives({ summary }: RenderedPass['parts'][number]): boolean {
  return summary.primitives > 0;
}
