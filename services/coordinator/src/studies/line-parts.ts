/** Division of a study's rows into the lines of its plots, and the names of these lines. */
import { formatValue } from '@tessera/chiplet-spec';
import type { StudyRequest, StudyRow } from '@tessera/study';

/** Lines of the rows of a study. */
export interface LineParts {
  /** Returns the key of a row's line. */
  readonly keyOf: (row: StudyRow) => string;
  /**
   * Returns the name of a row's line. It lists only what the study varies.
   *
   * @param scenes Names of all scenes by id of their frames. Names may repeat, ids do not.
   */
  readonly nameOf: (row: StudyRow, scenes: ReadonlyMap<string, string>) => string;
  /** Whether a line has the rows of several frames. */
  readonly isMean: boolean;
}

interface Part {
  /** Number of values in the request. */
  readonly count: number;
  readonly textOf: (row: StudyRow) => string;
}

/**
 * Returns how rows are divided into lines. Frames are distinguished unless that would be too many
 * lines.
 *
 * @param over Parameter on the horizontal axis, which distinguishes no lines.
 */
export function linePartsOf(request: StudyRequest, over: string, maxLines: number): LineParts {
  const parts = partsOf(request, over).filter(({ count }) => count > 1);
  const scenePart: Part = { count: request.frames.length, textOf: ({ frame }) => frame };
  const indexPart: Part = {
    count: request.frameIndices.length,
    textOf: ({ frameIndex }) => `frame ${frameIndex}`,
  };
  const frameParts = [scenePart, indexPart].filter(({ count }) => count > 1);
  const product = (some: readonly Part[]) => some.reduce((lines, { count }) => lines * count, 1);
  const lineCount = product(parts) * request.policies.length;
  const isMean = frameParts.length > 0 && lineCount * product(frameParts) > maxLines;
  const named = isMean ? parts : [...frameParts, ...parts];
  return {
    keyOf: (row) => JSON.stringify([row.policy, ...named.map(({ textOf }) => textOf(row))]),
    nameOf: (row, scenes) => {
      const texts = named.map((part) =>
        part === scenePart ? sceneName(row, scenes) : part.textOf(row),
      );
      return [row.policy, ...texts].join(', ');
    },
    isMean,
  };
}

function partsOf(request: StudyRequest, over: string): Part[] {
  const { sweep, grids, bins, sizes } = request;
  const settings = Object.entries(sweep).filter(([name]) => name !== over);
  return [
    {
      count: over === 'chiplets' ? 1 : request.chiplets.length,
      textOf: ({ chiplets }) => `${chiplets} chiplets`,
    },
    {
      count: request.bases.length,
      // Settings follow the name of the specification that they change.
      textOf: ({ spec, settings: own }) => (own === undefined ? spec : spec.split('+', 1)[0]!),
    },
    ...settings.map(([name, values]) => ({
      count: values.length,
      textOf: (row: StudyRow) => `${name}=${formatValue(row.settings?.[name] ?? '')}`,
    })),
    { count: sizes.length, textOf: ({ widthPx, heightPx }) => `${widthPx}x${heightPx}` },
    { count: grids.length > 0 ? 1 : bins.length, textOf: (row) => `${row.bins} bins` },
    { count: grids.length, textOf: ({ grid }) => `grid ${grid}` },
    { count: request.splits.length, textOf: ({ split }) => `split ${split}` },
    { count: request.visibility.length, textOf: ({ visibility }) => visibility },
    {
      count: request.occlusion.length,
      textOf: ({ occlusion }) => `occlusion ${formatValue(occlusion)}`,
    },
    { count: request.organizations.length, textOf: ({ organization }) => organization },
    {
      count: request.visibilityChiplets.length,
      textOf: (row) => `visibility on ${row.visibilityChiplets}`,
    },
    {
      count: request.visibilityDelivery.length,
      textOf: ({ visibilityDelivery }) => `visibility by ${visibilityDelivery}`,
    },
    { count: request.linkTopologies.length, textOf: ({ linkTopology }) => linkTopology },
    {
      count: request.linkBytesPerCycle.length,
      textOf: ({ linkBytesPerCycle }) => `${linkBytesPerCycle} bytes per cycle`,
    },
    {
      count: request.linkLatencyCycles.length,
      textOf: ({ linkLatencyCycles }) => `latency ${linkLatencyCycles}`,
    },
    { count: request.placements.length, textOf: ({ placement }) => placement },
    { count: request.overlaps.length, textOf: ({ overlap }) => overlap },
  ];
}

/** Returns the name of a row's scene, with the id of its frame if several have this name. */
function sceneName({ scene, frame }: StudyRow, scenes: ReadonlyMap<string, string>): string {
  const frames = [...scenes].filter(([, name]) => name === scene);
  return frames.length > 1 ? `${scene} ${frame.slice(0, 8)}` : scene;
}
