/**
 * Composition of layers: of each sample, the fragment that passes the depth test against those of
 * all other layers stays. Of equally deep fragments, the first or last draw wins, as the comparison
 * says, so the result is that of drawing in order.
 */
import {
  type CompareFunction,
  type PreparedFrame,
  type TextureFormat,
  texelBytesOf,
} from '@tessera/frame';
import type { ComposedTargets } from '../passes/compositor.ts';
import { resolveSamples } from '../passes/resolve-samples.ts';

const DEPTH_MASK = 0xffffff;
const STENCIL_SHIFT = 24;

/** Ways of comparing that a composition group may have. */
interface DepthOrder {
  readonly isNearer: (depth: number, than: number) => boolean;
  /** Whether the later of equally deep fragments stays. */
  readonly isLastKept: boolean;
}

function orderOf(compare: CompareFunction): DepthOrder {
  const isLess = compare === 'less' || compare === 'less-equal';
  return {
    isNearer: isLess ? (depth, than) => depth < than : (depth, than) => depth > than,
    isLastKept: compare === 'less-equal' || compare === 'greater-equal',
  };
}

/**
 * Targets of a layer, with all samples, and with the rank of the draw that wrote a sample in place
 * of its stencil. A rank has two bytes, each from 1; 0 where nothing was drawn.
 */
export interface RankedLayer extends ComposedTargets {
  /** Depth with the upper bytes of ranks; null if they are all the same. */
  readonly highRanks: Uint8Array | null;
}

/**
 * Composes the layers of a pass.
 *
 * @param frame Frame of the pass, with one draw at least.
 * @returns Targets as the pass leaves them.
 */
export function composeLayers(
  { commands, buffers }: PreparedFrame,
  layers: readonly RankedLayer[],
): ComposedTargets {
  const { contents, clear, draws, sampleCount = 1, isResolved, ...pass } = commands.passes[0]!;
  const { colorFormats = ['rgba8unorm'] } = pass;
  const order = orderOf(draws[0]!.state.depth.compare);
  const contentOf = (index: number | null | undefined) =>
    index === null || index === undefined ? null : buffers[index]!.bytes;
  const stored = contentOf(contents?.depthStencilBufferIndex);
  const loadedDepth = contents?.isDepthLoaded && stored !== null ? wordsOf(stored) : null;
  const loadedStencil = contents?.isStencilLoaded && stored !== null ? wordsOf(stored) : null;
  const layerWords = layers.map(({ depthStencil }) => wordsOf(depthStencil!));
  const highWords = layers.map(({ highRanks }) => (highRanks === null ? null : wordsOf(highRanks)));
  const winners = chooseWinners(layerWords, highWords, loadedDepth, order);

  const words = new Uint32Array(winners.length);
  for (let sample = 0; sample < words.length; sample++) {
    const winner = winners[sample]!;
    const depth =
      winner < 0 && loadedDepth !== null
        ? loadedDepth[sample]!
        : layerWords[Math.max(0, winner)]![sample]!;
    const stencil =
      loadedStencil === null ? clear.stencil : loadedStencil[sample]! >>> STENCIL_SHIFT;
    words[sample] = (depth & DEPTH_MASK) | (stencil << STENCIL_SHIFT);
  }
  const colors = colorFormats.map((format, i) => {
    if (format === null) return new Uint8Array(0);
    const loaded = contentOf(contents?.colorBufferIndices[i]);
    const texels = layers.map((layer) => layer.colors[i]!);
    const composed = pickTexels(winners, texels, loaded, texelBytesOf({ format }));
    return isResolved ? resolveSamples(composed, format as TextureFormat, sampleCount) : composed;
  });
  return {
    colors,
    depthStencil: contents?.isDepthStencilStored ? new Uint8Array(words.buffer) : null,
  };
}

/** Returns the layer whose fragment stays, by sample; −1 where none does. */
function chooseWinners(
  layers: readonly Uint32Array[],
  highRanks: readonly (Uint32Array | null)[],
  loadedDepth: Uint32Array | null,
  { isNearer, isLastKept }: DepthOrder,
): Int32Array {
  const winners = new Int32Array(layers[0]!.length).fill(-1);
  for (let sample = 0; sample < winners.length; sample++) {
    let depth = 0;
    let rank = 0;
    for (let layer = 0; layer < layers.length; layer++) {
      const word = layers[layer]![sample]!;
      const lowRank = word >>> STENCIL_SHIFT;
      if (lowRank === 0) continue;
      const highRank = (highRanks[layer]?.[sample] ?? 0) >>> STENCIL_SHIFT;
      const layerRank = (highRank << 8) | lowRank;
      const layerDepth = word & DEPTH_MASK;
      const isLater = layerRank > rank;
      const isKept =
        rank === 0 ||
        isNearer(layerDepth, depth) ||
        (layerDepth === depth && isLater === isLastKept);
      if (!isKept) continue;
      winners[sample] = layer;
      depth = layerDepth;
      rank = layerRank;
    }
    if (rank === 0 || loadedDepth === null) continue;
    const before = loadedDepth[sample]! & DEPTH_MASK;
    const passes = isNearer(depth, before) || (depth === before && isLastKept);
    if (!passes) winners[sample] = -1;
  }
  return winners;
}

/** Takes each sample from its winner, or from the loaded texels, or from the cleared ones. */
function pickTexels(
  winners: Int32Array,
  layers: readonly Uint8Array[],
  loaded: Uint8Array | null,
  bytes: number,
): Uint8Array {
  const picked = new Uint8Array(winners.length * bytes);
  for (let sample = 0; sample < winners.length; sample++) {
    const winner = winners[sample]!;
    const from = winner >= 0 ? layers[winner]! : (loaded ?? layers[0]!);
    const at = sample * bytes;
    for (let byte = at; byte < at + bytes; byte++) picked[byte] = from[byte]!;
  }
  return picked;
}

function wordsOf(bytes: Uint8Array): Uint32Array {
  const isAligned = bytes.byteOffset % 4 === 0;
  const { buffer, byteOffset, length } = isAligned ? bytes : bytes.slice();
  return new Uint32Array(buffer, byteOffset, length / 4);
}
