/** Values that a study sweeps, and the frames to render for it. */
import {
  recordsKeyOf,
  type SettingValue,
  type SpecSettings,
  specOfSummary,
  summarizeSpec,
  withSettings,
} from '@tessera/chiplet-spec';
import type { EnergyOptions } from '@tessera/energy';
import {
  type Coupling,
  type GridRequest,
  MAX_ALTERNATIVE_SPECS,
  parseGridRequest,
  type SpecSummary,
  type Timing,
  type VisibilityDelivery,
  type VisibilityShader,
} from '@tessera/frame';
import type { InterconnectSpec, Organization, OverlapMode } from '@tessera/multi-chiplet/rendering';

/** Kinds of scenes: models have a size that is chosen, captures have several frames. */
export const SCENE_KINDS = ['model', 'capture', 'frame'] as const;
/** Kind of a scene. */
export type SceneKind = (typeof SCENE_KINDS)[number];

/** Size of an image. */
export interface ImageSize {
  readonly widthPx: number;
  readonly heightPx: number;
}

/**
 * Request of a study: all combinations of these values. An empty list of an axis of the rendering
 * (grids, splits, occlusion, organizations, division and delivery of visibility, sizes, frames of
 * captures) stands for the scene's own value.
 */
export interface StudyRequest {
  readonly title: string;
  /** Ids of frames whose models, captures or native frames are rendered, or names of scenes. */
  readonly frames: readonly string[];
  /** Kind of each of `frames`. */
  readonly kinds: readonly SceneKind[];
  /** Numbers of chiplets, each including the visibility chiplet. */
  readonly chiplets: readonly number[];
  readonly policies: readonly string[];
  /** Presets and stored specifications; null stands for the preset of the service. */
  readonly specs: readonly (string | null)[];
  /** The same when the study was posted. */
  readonly bases: readonly SpecSummary[];
  /** Values by hardware parameter; all combinations are applied to each of `bases`. */
  readonly sweep: Readonly<Record<string, readonly SettingValue[]>>;
  /** Numbers of coarse bins; ignored if there are `grids`. */
  readonly bins: readonly number[];
  /** Grids of coarse bins as users write them, each independent of the number of chiplets. */
  readonly grids: readonly string[];
  /** Numbers of times that the costliest bin is halved. */
  readonly splits: readonly number[];
  readonly visibility: readonly VisibilityShader[];
  /** States of the switch by which the visibility phase culls hidden primitives. */
  readonly occlusion: readonly boolean[];
  /** Ways in which chiplets share the frame; not `sort-last`, see check-sharing.ts. */
  readonly organizations: readonly Organization[];
  /** Numbers of chiplets that share each visibility phase, each at most the fewest `chiplets`. */
  readonly visibilityChiplets: readonly number[];
  readonly visibilityDelivery: readonly VisibilityDelivery[];
  /** Sizes of models. */
  readonly sizes: readonly ImageSize[];
  /** Indices of the frames of captures. */
  readonly frameIndices: readonly number[];
  readonly linkTopologies: readonly InterconnectSpec['topology'][];
  readonly linkBytesPerCycle: readonly number[];
  readonly linkLatencyCycles: readonly number[];
  /** Placements of resources as users write them. */
  readonly placements: readonly string[];
  readonly overlaps: readonly OverlapMode[];
  /** Coupling of the chiplets; `none` by default, and in studies before version 0.2. */
  readonly coupling?: Coupling | undefined;
  /** Counters that rows have, summed over the chiplets; they need `coupling: exact`. */
  readonly counters: readonly string[];
  /**
   * Technologies of the energy that rows have, which needs `coupling: exact`; by default rows have
   * none.
   */
  readonly energy?: EnergyOptions | undefined;
}

/** Values of a request that all frames of a study share, and those that multiply their number. */
type RenderedAxes = Pick<
  StudyRequest,
  | 'kinds'
  | 'specs'
  | 'sweep'
  | 'bins'
  | 'grids'
  | 'splits'
  | 'visibility'
  | 'occlusion'
  | 'organizations'
  | 'visibilityChiplets'
  | 'visibilityDelivery'
  | 'sizes'
  | 'frameIndices'
>;

/** Frame that is rendered for a study. All simulations follow from it. */
export interface StudyPoint {
  /** Position in the study, from 0. */
  readonly position: number;
  /** Index of the scene in the request. */
  readonly frameIndex: number;
  readonly spec: SpecSummary;
  /** Values of the swept parameters. */
  readonly settings: SpecSettings;
  /** Requested number of coarse bins. */
  readonly bins: number;
  /** Requested grid; null for a number of bins. */
  readonly grid: GridRequest | null;
  readonly visibility: VisibilityShader;
  /** Number of splits; null for the scene's own, like the next six. */
  readonly split: number | null;
  readonly occlusion: boolean | null;
  readonly organization: Organization | null;
  readonly visibilityChiplets: number | null;
  readonly visibilityDelivery: VisibilityDelivery | null;
  readonly size: ImageSize | null;
  /** Index of a capture's frame. */
  readonly captureFrame: number | null;
}

/** Part of a request that is simulated from a rendered frame, for all numbers of chiplets. */
export interface StudySimulation {
  readonly policy: string;
  readonly interconnect: InterconnectSpec;
  readonly placement: string;
  readonly overlap: OverlapMode;
}

/** Upper bound on the frames of a study of a service, and on the values of each axis. */
export const MAX_AXIS_VALUES = 64;

/** Timing of all studies, because their rows are cycles. */
export const STUDY_TIMING: Timing = 'cycle';

/** Returns the number of frames to render, without listing them. */
export function countPoints(request: RenderedAxes): number {
  const { kinds, specs, sweep, visibility } = request;
  const settings = Object.values(sweep).reduce((product, values) => product * values.length, 1);
  const perFrame =
    specs.length *
    settings *
    (request.grids.length || request.bins.length) *
    visibility.length *
    (request.splits.length || 1) *
    (request.occlusion.length || 1) *
    countSharings(request);
  return kinds.reduce((sum, kind) => sum + ownValuesOf(kind, request).length * perFrame, 0);
}

/** Returns the number of combinations of the ways to share a frame. */
function countSharings(request: SharingAxes): number {
  const { organizations, visibilityChiplets, visibilityDelivery } = request;
  const lists = [organizations, visibilityChiplets, visibilityDelivery];
  return lists.reduce((product, { length }) => product * (length || 1), 1);
}

/** Returns the number of simulations for each frame to render. */
export function countSimulations(request: Omit<StudyRequest, 'bases'>): number {
  const { chiplets, policies, placements, overlaps } = request;
  const links =
    request.linkTopologies.length *
    request.linkBytesPerCycle.length *
    request.linkLatencyCycles.length;
  return chiplets.length * policies.length * links * placements.length * overlaps.length;
}

/**
 * Returns the frames to render, in order.
 *
 * @throws {RangeError} If a swept value is not valid. The message names the parameter, the value
 *   and the range.
 */
export function listPoints(request: StudyRequest): StudyPoint[] {
  const hardware = request.bases.flatMap((base) =>
    combine(request.sweep).map((settings) => ({
      settings,
      spec: summarizeSpec(withSettings(specOfSummary(base), settings)),
    })),
  );
  const divisions = divisionsOf(request);
  const switches = orOwn(request.splits).flatMap((split) =>
    orOwn(request.occlusion).flatMap((occlusion) =>
      sharingsOf(request).map((sharing) => ({ split, occlusion, ...sharing })),
    ),
  );
  const points: StudyPoint[] = [];
  for (const [frameIndex, kind] of request.kinds.entries()) {
    for (const own of ownValuesOf(kind, request)) {
      for (const each of hardware) {
        for (const division of divisions) {
          for (const visibility of request.visibility) {
            for (const varied of switches) {
              const position = points.length;
              const rendering = { ...each, ...division, visibility, ...varied, ...own };
              points.push({ position, frameIndex, ...rendering });
            }
          }
        }
      }
    }
  }
  return points;
}

/** Axes of the ways to share a frame. */
type SharingAxes = Pick<
  StudyRequest,
  'organizations' | 'visibilityChiplets' | 'visibilityDelivery'
>;

/** Returns all combinations of the ways to share a frame, the delivery varying fastest. */
function sharingsOf(
  request: SharingAxes,
): Pick<StudyPoint, 'organization' | 'visibilityChiplets' | 'visibilityDelivery'>[] {
  return orOwn(request.organizations).flatMap((organization) =>
    orOwn(request.visibilityChiplets).flatMap((visibilityChiplets) =>
      orOwn(request.visibilityDelivery).map((visibilityDelivery) => ({
        organization,
        visibilityChiplets,
        visibilityDelivery,
      })),
    ),
  );
}

/** Returns the grids of a request, or its numbers of bins. */
function divisionsOf({
  grids,
  bins,
}: Pick<StudyRequest, 'grids' | 'bins'>): Pick<StudyPoint, 'bins' | 'grid'>[] {
  if (grids.length === 0) return bins.map((count) => ({ bins: count, grid: null }));
  return grids.map((text) => {
    const grid = parseGridRequest(text);
    if (grid.kind === 'shape') return { bins: grid.columns * grid.rows, grid };
    if (grid.kind === 'bins') return { bins: grid.count, grid };
    // The request is checked.
    throw new Error(`grids: '${text}' depends on the number of chiplets`);
  });
}

/** Returns the values of the axes that a scene of this kind has. */
function ownValuesOf(
  kind: SceneKind,
  { sizes, frameIndices }: Pick<StudyRequest, 'sizes' | 'frameIndices'>,
): Pick<StudyPoint, 'size' | 'captureFrame'>[] {
  if (kind === 'model') return orOwn(sizes).map((size) => ({ size, captureFrame: null }));
  if (kind === 'frame') return [{ size: null, captureFrame: null }];
  return orOwn(frameIndices).map((captureFrame) => ({ size: null, captureFrame }));
}

function orOwn<Value>(values: readonly Value[]): readonly (Value | null)[] {
  return values.length === 0 ? [null] : values;
}

/** Returns the simulations of each rendered frame, in order. */
export function listSimulations(request: Omit<StudyRequest, 'bases'>): StudySimulation[] {
  const { policies, linkTopologies, linkBytesPerCycle, linkLatencyCycles } = request;
  const links = linkTopologies.flatMap((topology) =>
    linkBytesPerCycle.flatMap((bytesPerCycle) =>
      linkLatencyCycles.map((latencyCycles) => ({ topology, bytesPerCycle, latencyCycles })),
    ),
  );
  return policies.flatMap((policy) =>
    links.flatMap((interconnect) =>
      request.placements.flatMap((placement) =>
        request.overlaps.map((overlap) => ({ policy, interconnect, placement, overlap })),
      ),
    ),
  );
}

/**
 * Returns the points in groups that one rendering serves: those of a scene with the same axes of
 * the rendering whose specifications need the same records. Counters, from which energies follow,
 * are those of one specification, so with them each point is a group.
 */
export function groupPoints(
  points: readonly StudyPoint[],
  { counters, energy }: Pick<StudyRequest, 'counters' | 'energy'>,
): StudyPoint[][] {
  if (counters.length > 0 || energy !== undefined) return points.map((point) => [point]);
  const groups: StudyPoint[][] = [];
  const openByKey = new Map<string, StudyPoint[]>();
  for (const point of points) {
    const { position: _position, settings: _settings, spec, ...rendering } = point;
    const key = `${JSON.stringify(rendering)} ${recordsKeyOf(specOfSummary(spec))}`;
    const open = openByKey.get(key);
    if (open !== undefined && open.length <= MAX_ALTERNATIVE_SPECS) {
      open.push(point);
      continue;
    }
    const group = [point];
    openByKey.set(key, group);
    groups.push(group);
  }
  return groups;
}

/** Returns all combinations of values, the last parameter varying fastest. */
function combine(sweep: StudyRequest['sweep']): SpecSettings[] {
  return Object.entries(sweep).reduce<SpecSettings[]>(
    (combinations, [name, values]) =>
      combinations.flatMap((settings) => values.map((value) => ({ ...settings, [name]: value }))),
    [{}],
  );
}
