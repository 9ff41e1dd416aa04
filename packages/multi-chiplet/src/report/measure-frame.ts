/** Measures the passes of a rendered frame in cycles and bytes. */
import {
  type CopyEngineWork,
  coarseBinCount,
  coarseBinRect,
  levelSizeOf,
  type PreparedDraw,
  type PreparedFrame,
  type RectPx,
  texelBytesOf,
  type VisibilityPart,
} from '@tessera/frame';
import { binCostTerms, estimateBinCycles } from '../bins/bin-cost.ts';
import { DEPTH_STENCIL_BYTES } from '../passes/compositor.ts';
import { hasRecords } from '../passes/pass-composition.ts';
import type { PassFrame } from '../passes/pass-frames.ts';
import type { RenderedPass } from '../passes/render-pass.ts';
import { divideAmongOwners, type OwnedBytes } from '../passes/target-owners.ts';
import type { ResourceShare } from '../placement/resource-shares.ts';
import type {
  BinPixels,
  LayerComposition,
  PassMeasurement,
  PassTargets,
  ResourceMeasurement,
  VisibilityPartMeasurement,
} from '../simulated-time/frame-measurement.ts';
import type { PassGroup } from '../sort-last/divide-passes.ts';
import type { RenderedLayers } from '../sort-last/render-layers.ts';

/** A pass with its results. */
export type FinishedPass = PassFrame &
  Pick<RenderedPass, 'summary' | 'parts' | 'bins'> & {
    /** Composition group of the pass, and its layers if its draws are divided. */
    readonly group?: PassGroup | undefined;
    readonly layers?: RenderedLayers | undefined;
  };

/**
 * Bytes of commands on the link, of the order of what drivers write: the fixed state of a draw and
 * a descriptor for each attribute, each texture, and the beginning and the end of a query.
 * Constants are added.
 */
const BYTES_PER_DRAW = 128;
const BYTES_PER_DESCRIPTOR = 16;
/** Bytes of a query's count in the result of a bin. */
const BYTES_PER_COUNT = 8;
/**
 * Bytes that say that a bin has no primitives: which bin it is, and a clear value. As large as the
 * header of a message between memories on the default chiplet.
 */
const BIN_HEADER_BYTES = 16;

/**
 * Returns the measurement of a pass.
 *
 * @param passIndex Index of the pass in its frame.
 */
export function measurePass(pass: FinishedPass, passIndex: number): PassMeasurement {
  const { frame, summary, parts, bins, group, layers } = pass;
  const { grid, passes } = frame.commands;
  const { columns, rows, widthPx, heightPx } = grid;
  const isRecorded = hasRecords(frame);
  const shares = shareResolve(pass);
  return {
    grid: { columns, rows },
    historyKey: `pass ${passIndex}, ${columns}×${rows} bins of ${widthPx}×${heightPx}${describeParts(parts)}`,
    visibilityCycles: summary.cycles,
    ...(summary.alternativeCycles === undefined
      ? {}
      : { alternativeVisibilityCycles: summary.alternativeCycles }),
    ...(summary.records === undefined ? {} : { visibilityRecords: summary.records }),
    ...(summary.segments === undefined ? {} : { visibilitySegments: summary.segments }),
    ...(summary.parts === undefined ? {} : { visibilityParts: summary.parts.map(measurePart) }),
    bins: parts.map(({ summary: bin, rect }, binIndex) => {
      const { cycles, alternativeCycles, records } = bins[binIndex]!;
      const { colors, depthStencil, queryCounts = [] } = bins[binIndex]!;
      return {
        binId: bin.binId,
        cycles,
        ...(alternativeCycles === undefined ? {} : { alternativeCycles }),
        ...(records === undefined ? {} : { records }),
        costTerms: binCostTerms(bin),
        estimatedCycles: estimateBinCycles(bin),
        resultBytes:
          colors.reduce((sum, { length }) => sum + length, 0) +
          (depthStencil?.length ?? 0) +
          BYTES_PER_COUNT * queryCounts.length,
        ...(isRecorded ? { pixels: measurePixels(pass, binIndex, rect) } : {}),
        ...(shares[binIndex] === null ? {} : { resolveShare: shares[binIndex]! }),
        ...(layers === undefined ? {} : { layer: layers.layerByBin[binIndex]! }),
        streamBytes: bin.streamBytes,
        isEarly: summary.earlyBin?.binId === bin.binId,
      };
    }),
    commandBytes:
      passes[0]!.draws.reduce((sum, draw) => sum + countCommandBytes(draw), 0) +
      2 * BYTES_PER_DESCRIPTOR * (passes[0]!.queries?.length ?? 0),
    streamBytes: summary.bins.reduce((sum, bin) => sum + bin.streamBytes, 0),
    resources: listResources(frame, pass.drawnResources, summary.copyWork).filter(
      // Chiplets continue what they hold.
      ({ sha256 }) => !(group?.isContinuing && pass.loadedBuffers.has(sha256)),
    ),
    copyWork: keepCopyWork(summary.copyWork),
    // An early bin is drawn within the visibility phase.
    visibilityNeeds: summary.earlyBin === null ? pass.visibilityNeeds : pass.binsNeed,
    // Layers do not read what they are composed with.
    binsNeed: layers === undefined ? pass.binsNeed : pass.texturesNeed,
    ...(layers === undefined ? {} : { composition: measureComposition(pass, layers) }),
    ...(group === undefined
      ? {}
      : { group: { chipletCount: group.chipletCount, isContinued: group.isContinued } }),
    isShown: pass.isShown,
    ...(isRecorded ? { targets: measureTargets(pass) } : {}),
  };
}

/** Measures what composing the layers of a pass takes. */
function measureComposition(
  { frame: { commands }, group }: FinishedPass,
  { chipletIds }: RenderedLayers,
): LayerComposition {
  const { grid, passes } = commands;
  const { colorFormats = ['rgba8unorm'], sampleCount = 1, isResolved, contents } = passes[0]!;
  const texelBytes = colorFormats.reduce(
    (sum, format) => sum + (format === null ? 0 : texelBytesOf({ format })),
    0,
  );
  const colorSamples = isResolved ? 1 : sampleCount;
  const depthBytes = contents?.isDepthStencilStored ? DEPTH_STENCIL_BYTES * sampleCount : 0;
  return {
    chipletIds,
    isContinuing: group?.isContinuing ?? false,
    bins: Array.from({ length: coarseBinCount(grid) }, (_, binId) => {
      const { width, height } = coarseBinRect(grid, binId);
      const pixels = width * height;
      return {
        samples: pixels * sampleCount,
        sampleBytes: texelBytes + DEPTH_STENCIL_BYTES,
        resultBytes: pixels * (texelBytes * colorSamples + depthBytes),
      };
    }),
  };
}

function measurePart(part: VisibilityPart): VisibilityPartMeasurement {
  const { cycles, alternativeCycles, records, streamBytes, segments } = part;
  return {
    cycles,
    ...(alternativeCycles === undefined ? {} : { alternativeCycles }),
    ...(records === undefined ? {} : { records }),
    streamBytes,
    ...(segments === undefined ? {} : { segments }),
  };
}

function keepCopyWork(work: CopyEngineWork | undefined): PassMeasurement['copyWork'] {
  const { timings = [], copies = [], resolve } = work ?? {};
  return { timings, copies, ...(resolve === undefined ? {} : { resolve }) };
}

/**
 * Returns the share of each bin of the pixels that are resolved; null for none. Pixels that only
 * have the clear value are not resolved.
 */
function shareResolve({ frame, parts, summary }: FinishedPass): readonly (ResourceShare | null)[] {
  const { grid, passes } = frame.commands;
  if (summary.copyWork?.resolve === undefined) return parts.map(() => null);
  const isColorLoaded = passes[0]!.contents?.colorBufferIndices.some((index) => index !== null);
  let before = 0;
  return parts.map(({ rect, summary: { primitives } }) => {
    const size = rect.width * rect.height;
    const part = before;
    before += size;
    const isClear = primitives === 0 && !isColorLoaded;
    return isClear ? null : { part, parts: grid.widthPx * grid.heightPx, size };
  });
}

function measurePixels(pass: FinishedPass, binIndex: number, rect: RectPx): BinPixels {
  const { colors, depthStencil, queryCounts = [] } = pass.bins[binIndex]!;
  return {
    bytes: colors.reduce((sum, { length }) => sum + length, 0) + (depthStencil?.length ?? 0),
    headerBytes: BIN_HEADER_BYTES + BYTES_PER_COUNT * queryCounts.length,
    isEmpty: pass.parts[binIndex]!.summary.primitives === 0,
    contents: listContents(pass, rect),
  };
}

/** Returns the bytes that a bin loads, by the owners of their pixels. */
function listContents({ frame, loadedImages }: FinishedPass, rect: RectPx): readonly OwnedBytes[] {
  const { heightPx } = frame.commands.grid;
  const bytesByOwner = new Map<number, number>();
  for (const { map, pixelBytes } of loadedImages) {
    const bytes = rect.width * rect.height * pixelBytes;
    for (const part of divideAmongOwners(map, heightPx, rect, bytes)) {
      bytesByOwner.set(part.owner, (bytesByOwner.get(part.owner) ?? 0) + part.bytes);
    }
  }
  return [...bytesByOwner].map(([owner, bytes]) => ({ owner, bytes }));
}

/** Returns the targets that a pass draws and reads, with its textures without their texels. */
function measureTargets({ frame, ownedImages, targetClass }: FinishedPass): PassTargets {
  const textures = frame.textures.map((texture, index) => ({
    texture: { ...texture, levels: [], levelCount: texture.levelCount ?? texture.levels.length },
    images: ownedImages[index]!,
  }));
  return { targetClass, textures, firstPass: 0 };
}

/** Returns a text that differs for passes whose bins are split differently. */
function describeParts(parts: FinishedPass['parts']): string {
  const cuts = parts.filter(({ isWhole }) => !isWhole);
  return cuts.map(({ binId, rect }) => `; ${binId} at ${rect.x}, ${rect.y}`).join('');
}

function countCommandBytes({ attributes, textures, constants }: PreparedDraw): number {
  const descriptors = attributes.length + textures.length;
  return BYTES_PER_DRAW + BYTES_PER_DESCRIPTOR * descriptors + constants.byteLength;
}

/** Lists the resources of a pass, each once, however often it is bound. */
function listResources(
  { buffers, textures, programs }: PreparedFrame,
  drawn: ReadonlySet<string>,
  work: CopyEngineWork | undefined,
): ResourceMeasurement[] {
  const byHash = new Map<string, ResourceMeasurement>();
  const add = (
    kind: ResourceMeasurement['kind'],
    sha256: string,
    bytes: number,
    store = -1,
    mipmaps = -1,
  ) =>
    byHash.set(sha256, {
      ...{ sha256, bytes, kind, isDrawn: drawn.has(sha256) },
      ...(store < 0 ? {} : { store }),
      ...(mipmaps < 0 ? {} : { mipmaps }),
    });
  for (const [i, { sha256, bytes }] of buffers.entries()) {
    add('buffers', sha256, bytes.length, work?.stores[i]);
  }
  for (const [i, texture] of textures.entries()) {
    const bytes = countTextureBytes(texture);
    add('textures', texture.sha256, bytes, work?.stores[buffers.length + i], work?.mipmaps[i]);
  }
  // Programs are stored by the command processor, in the time of the draws that use them.
  for (const { sha256, vertex, fragment } of programs) {
    add('programs', sha256, vertex.code.byteLength + fragment.code.byteLength);
  }
  return [...byHash.values()];
}

/**
 * Returns the size of the levels of a texture that the frame contains. Texels that were expanded
 * count with the size of their blocks in memory.
 */
function countTextureBytes(texture: PreparedFrame['textures'][number]): number {
  const { levels, blockBytes, blockWidthPx = 4, blockHeightPx = 4 } = texture;
  if (blockBytes === undefined) return levels.reduce((sum, { length }) => sum + length, 0);
  return levels.reduce((sum, _texels, level) => {
    const { widthPx, heightPx, sliceCount } = levelSizeOf(texture, level);
    const columnCount = Math.ceil(widthPx / blockWidthPx);
    const rowCount = Math.ceil(heightPx / blockHeightPx);
    return sum + columnCount * rowCount * sliceCount * blockBytes;
  }, 0);
}
