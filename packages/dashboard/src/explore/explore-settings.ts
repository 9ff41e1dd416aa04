/** Settings of the exploration of a frame, and their form in an address. */
import {
  BIN_ASSIGNMENT_POLICIES,
  type BinAssignmentPolicyName,
  INTERCONNECT_FIELDS,
  OVERLAP_MODES,
  type OverlapMode,
  TOPOLOGY_NAMES,
  type Topology,
} from '@tessera/multi-chiplet/estimate';
import type { Report } from '../api/types.ts';
import { type NumberRange, readChoice, readInteger } from '../ui/address-state.ts';

/** Upper bound of the slider for chiplets. */
const MAX_EXPLORED_CHIPLETS = 64;
/** Upper bound of the slider for frames, which is the number that a sequence has in flight. */
const MAX_EXPLORED_FRAMES = 6;

/** Names of the policies, without aliases. */
export const POLICIES = Object.keys(BIN_ASSIGNMENT_POLICIES) as BinAssignmentPolicyName[];

/** Simulated GPU and number of equal frames. */
export interface ExploreSettings {
  readonly chiplets: number;
  readonly policy: BinAssignmentPolicyName;
  readonly linkTopology: Topology;
  readonly linkBytesPerCycle: number;
  readonly linkLatencyCycles: number;
  readonly overlap: OverlapMode;
  /** Number of times that the frame is rendered in a row, all in flight together. */
  readonly frames: number;
}

/** Parts of a frame's measurement that determine its settings. */
export interface SettingsSource {
  readonly overlap: OverlapMode;
  readonly isVisibilityChipletRendering: boolean;
}

/** Returns the ranges of the numeric settings. */
export function settingRanges({ isVisibilityChipletRendering }: SettingsSource) {
  const { bytesPerCycle, latencyCycles } = INTERCONNECT_FIELDS;
  return {
    chiplets: { min: isVisibilityChipletRendering ? 1 : 2, max: MAX_EXPLORED_CHIPLETS },
    linkBytesPerCycle: bytesPerCycle,
    linkLatencyCycles: latencyCycles,
    frames: { min: 1, max: MAX_EXPLORED_FRAMES },
  } satisfies Partial<Record<keyof ExploreSettings, NumberRange>>;
}

/**
 * Returns the settings of a frame itself. Those that an estimate cannot have are replaced: more
 * chiplets than the slider has, and topologies of the packet network.
 */
export function settingsOf(report: Report, source: SettingsSource): ExploreSettings {
  const { link, chiplets } = report;
  return {
    chiplets: Math.min(chiplets.length, MAX_EXPLORED_CHIPLETS),
    policy: POLICIES.find((name) => name === report.policy) ?? 'dynamic-pull',
    linkTopology: TOPOLOGY_NAMES.find((name) => name === link.topology) ?? 'bus',
    linkBytesPerCycle: link.bytesPerCycle,
    linkLatencyCycles: link.latencyCycles,
    overlap: source.overlap,
    frames: 1,
  };
}

/**
 * Returns settings with those of an address applied.
 *
 * @throws {RangeError} If a value is not permitted. The message names the setting, the value and
 *   the permitted values.
 */
export function readSettings(
  query: URLSearchParams,
  settings: ExploreSettings,
  source: SettingsSource,
): ExploreSettings {
  const ranges = settingRanges(source);
  const integer = (name: keyof typeof ranges) =>
    readInteger(query, name, ranges[name], settings[name]);
  return {
    chiplets: integer('chiplets'),
    policy: readChoice(query, 'policy', POLICIES, settings.policy),
    linkTopology: readChoice(query, 'linkTopology', TOPOLOGY_NAMES, settings.linkTopology),
    linkBytesPerCycle: integer('linkBytesPerCycle'),
    linkLatencyCycles: integer('linkLatencyCycles'),
    overlap: readChoice(query, 'overlap', OVERLAP_MODES, settings.overlap),
    frames: integer('frames'),
  };
}

/** Returns the settings as a query. Those of the GPU have the names of `POST /v1/frames`. */
export function settingsQuery(settings: ExploreSettings): URLSearchParams {
  return new URLSearchParams(
    Object.entries(settings).map(([name, value]): [string, string] => [name, String(value)]),
  );
}

/** Describes settings in a line. */
export function describeSettings(settings: ExploreSettings): string {
  const { chiplets, policy, linkTopology, linkBytesPerCycle, linkLatencyCycles, overlap } =
    settings;
  return [
    `${chiplets} chiplets`,
    policy,
    `${linkTopology} link of ${linkBytesPerCycle} bytes per cycle and ${linkLatencyCycles} cycles latency`,
    `overlap ${overlap}`,
  ].join(', ');
}
