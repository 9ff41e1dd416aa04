/**
 * Options of `tessera study sweep`: the values of each axis, checked before anything is rendered.
 */
import { parseSettings, type SettingValue } from '@tessera/chiplet-spec';
import {
  COUPLINGS,
  type Coupling,
  DEFAULT_FRAME_LIMITS,
  DEFAULT_OPTIONS,
  MAX_CHIPLETS,
  MAX_COARSE_BINS,
  RenderError,
  VISIBILITY_DELIVERIES,
  type VisibilityShader,
} from '@tessera/frame';
import {
  DEFAULT_INTERCONNECT,
  DEFAULT_OVERLAP,
  INTERCONNECT_FIELDS,
  LINK_TOPOLOGY_NAMES,
  MAX_SPLITS,
  ORGANIZATIONS,
  OVERLAP_MODES,
} from '@tessera/multi-chiplet';
import { parseSize, type StudyRequest } from '@tessera/study';
import { ENERGY_OPTIONS, readEnergyOptions } from '../../inputs/energy-options.ts';
import { integerOption, wordOption } from '../../terminal/command-options.ts';

/** Options for `parseOptions`. */
export const SWEEP_OPTIONS = {
  chiplets: { type: 'string' },
  policy: { type: 'string' },
  bins: { type: 'string' },
  grid: { type: 'string' },
  split: { type: 'string' },
  visibility: { type: 'string' },
  occlusion: { type: 'string' },
  organization: { type: 'string' },
  'visibility-chiplets': { type: 'string' },
  'visibility-delivery': { type: 'string' },
  coupling: { type: 'string' },
  spec: { type: 'string' },
  set: { type: 'string', multiple: true },
  sweep: { type: 'string', multiple: true },
  placement: { type: 'string', multiple: true },
  overlap: { type: 'string' },
  'link-topology': { type: 'string' },
  'link-bytes-per-cycle': { type: 'string' },
  'link-latency-cycles': { type: 'string' },
  size: { type: 'string' },
  frame: { type: 'string' },
  counters: { type: 'string' },
  energy: { type: 'boolean' },
  ...ENERGY_OPTIONS,
} as const;

/** Values of {@link SWEEP_OPTIONS} that `parseOptions` returns. */
export type SweepValues = {
  readonly [Name in keyof typeof SWEEP_OPTIONS]?: ValueOf<(typeof SWEEP_OPTIONS)[Name]> | undefined;
};
type ValueOf<Option> = Option extends { readonly type: 'boolean' }
  ? boolean
  : Option extends { readonly multiple: true }
    ? string[]
    : string;

/** Axes that the options give. An axis is undefined if no option gives it. */
export type GivenAxes = Partial<
  Omit<StudyRequest, 'title' | 'frames' | 'kinds' | 'specs' | 'bases'>
>;

/** Numbers of chiplets of a study that gives none. */
export const DEFAULT_CHIPLETS: readonly number[] = [1, 2, 4, 8];
const VISIBILITY = ['minimal', 'full'] as const satisfies readonly VisibilityShader[];
const SWITCHES = ['off', 'on'] as const;

/**
 * Reads the axes of the options.
 *
 * @throws {RenderError} REQUEST_INVALID, naming the option, the value and the choices or range.
 */
export function readAxes(values: SweepValues): GivenAxes {
  const integers = (option: keyof SweepValues, min: number, max: number) =>
    listOf(values[option], (text) => integerOption(option, text, min, max), option);
  const words = <const Word extends string>(option: keyof SweepValues, names: readonly Word[]) =>
    listOf(values[option], (text) => wordOption(option, text, names), option);
  const { bytesPerCycle, latencyCycles } = INTERCONNECT_FIELDS;
  if (values.bins !== undefined && values.grid !== undefined) {
    throw new RenderError('REQUEST_INVALID', 'grid: replaces bins; give one of them');
  }
  const [coupling, ...others] = words('coupling', COUPLINGS) ?? [];
  if (others.length > 0) {
    throw new RenderError('REQUEST_INVALID', `coupling: one of ${COUPLINGS.join(', ')}`);
  }
  return {
    chiplets: integers('chiplets', 1, MAX_CHIPLETS)?.sort((a, b) => a - b),
    policies: textsOf(values.policy, 'policy'),
    bins: integers('bins', 1, MAX_COARSE_BINS),
    grids: textsOf(values.grid, 'grid'),
    splits: integers('split', 0, MAX_SPLITS),
    visibility: words('visibility', VISIBILITY),
    occlusion: words('occlusion', SWITCHES)?.map((word) => word === 'on'),
    organizations: words('organization', ORGANIZATIONS),
    visibilityChiplets: integers('visibility-chiplets', 1, MAX_CHIPLETS),
    visibilityDelivery: words('visibility-delivery', VISIBILITY_DELIVERIES),
    coupling: coupling as Coupling | undefined,
    sweep: values.sweep === undefined ? undefined : readSweep(values.sweep),
    placements: values.placement,
    overlaps: words('overlap', OVERLAP_MODES),
    linkTopologies: words('link-topology', LINK_TOPOLOGY_NAMES),
    linkBytesPerCycle: integers('link-bytes-per-cycle', bytesPerCycle.min, bytesPerCycle.max),
    linkLatencyCycles: integers('link-latency-cycles', latencyCycles.min, latencyCycles.max),
    sizes: listOf(
      values.size,
      (text) => parseSize(text, DEFAULT_FRAME_LIMITS.maxEdgePx, 'size'),
      'size',
    ),
    frameIndices: integers('frame', 0, 2 ** 31 - 1),
    counters: textsOf(values.counters, 'counters'),
    energy: readEnergy(values),
  };
}

/** Returns the axes with the defaults of a study without a service. */
export function withDefaults(
  axes: GivenAxes,
): Omit<StudyRequest, 'title' | 'frames' | 'kinds' | 'specs' | 'bases'> {
  return {
    chiplets: axes.chiplets ?? DEFAULT_CHIPLETS,
    policies: axes.policies ?? [DEFAULT_OPTIONS.policy],
    bins: axes.bins ?? [DEFAULT_OPTIONS.bins],
    grids: axes.grids ?? [],
    splits: axes.splits ?? [],
    visibility: axes.visibility ?? [DEFAULT_OPTIONS.visibility],
    occlusion: axes.occlusion ?? [],
    organizations: axes.organizations ?? [],
    visibilityChiplets: axes.visibilityChiplets ?? [],
    visibilityDelivery: axes.visibilityDelivery ?? [],
    coupling: axes.coupling ?? DEFAULT_OPTIONS.coupling,
    sweep: axes.sweep ?? {},
    placements: axes.placements ?? [DEFAULT_OPTIONS.placement],
    overlaps: axes.overlaps ?? [DEFAULT_OVERLAP],
    linkTopologies: axes.linkTopologies ?? [DEFAULT_INTERCONNECT.topology],
    linkBytesPerCycle: axes.linkBytesPerCycle ?? [DEFAULT_INTERCONNECT.bytesPerCycle],
    linkLatencyCycles: axes.linkLatencyCycles ?? [DEFAULT_INTERCONNECT.latencyCycles],
    sizes: axes.sizes ?? [{ widthPx: DEFAULT_OPTIONS.widthPx, heightPx: DEFAULT_OPTIONS.heightPx }],
    frameIndices: axes.frameIndices ?? [],
    counters: axes.counters ?? [],
    energy: axes.energy,
  };
}

/** Returns the technologies if the options ask for energies. @throws {RenderError} */
function readEnergy(values: SweepValues): GivenAxes['energy'] {
  const names = Object.keys(ENERGY_OPTIONS) as (keyof typeof ENERGY_OPTIONS)[];
  const isAsked = values.energy === true || names.some((name) => values[name] !== undefined);
  return isAsked ? readEnergyOptions(values) : undefined;
}

/**
 * Reads `l2CacheBytes=128Ki,512Ki` of each `--sweep`: a parameter and its values.
 *
 * @throws {RenderError} REQUEST_INVALID.
 */
function readSweep(texts: readonly string[]): Record<string, SettingValue[]> {
  const sweep: Record<string, SettingValue[]> = {};
  for (const text of texts) {
    const [name = '', list, ...rest] = text.split('=');
    const fail = (problem: string): never => {
      throw new RenderError('REQUEST_INVALID', `--sweep: ${problem}`);
    };
    if (list === undefined || rest.length > 0) fail(`'${text}' is not NAME=VALUE,VALUE,…`);
    if (Object.hasOwn(sweep, name)) fail(`${name}: is given twice`);
    try {
      sweep[name] = list!.split(',').map((value) => parseSettings(`${name}=${value}`)[name]!);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      fail(error.message);
    }
  }
  return sweep;
}

function textsOf(text: string | undefined, option: string): string[] | undefined {
  return listOf(text, (each) => each, option);
}

/**
 * Reads a list of values that are separated by commas.
 *
 * @throws {RenderError} REQUEST_INVALID for an empty or repeated value, or as `read`.
 */
function listOf<Value>(
  text: string | readonly string[] | boolean | undefined,
  read: (text: string) => Value,
  option: string,
): Value[] | undefined {
  if (typeof text !== 'string') return undefined;
  const parts = text.split(',').map((part) => part.trim());
  const wrong = parts.find((part, i) => part === '' || parts.indexOf(part) !== i);
  if (wrong === undefined) return parts.map(read);
  const problem = wrong === '' ? 'has an empty value' : `'${wrong}' is given twice`;
  throw new RenderError('REQUEST_INVALID', `${option}: ${problem}`);
}
