/** Options of commands that describe the simulated GPU and how it divides the work. */

import {
  COUPLINGS,
  DEFAULT_OPTIONS,
  MAX_CHIPLETS,
  MAX_COARSE_BINS,
  parseGridRequest,
  RenderError,
  TIMELINE_CYCLES,
  TIMINGS,
  type Timing,
  VISIBILITY_DELIVERIES,
  VISIBILITY_SHADERS,
} from '@tessera/frame';
import type { LocalGpuOptions, RenderOptions } from '@tessera/local-gpu';
import {
  DEFAULT_ORGANIZATION,
  DEFAULT_OVERLAP,
  defineInterconnect,
  MAX_SPLITS,
  ORGANIZATIONS,
  OVERLAP_MODES,
  parsePlacement,
  resolvePolicyName,
} from '@tessera/multi-chiplet';
import {
  ENERGY_OPTIONS,
  type EnergyOptionValues,
  readEnergyOptions,
} from '../inputs/energy-options.ts';
import { readSpecOption } from '../inputs/spec-option.ts';
import { integerOption, optionalInteger, wordOption } from '../terminal/command-options.ts';

/** Options for `parseOptions`. */
export const GPU_OPTIONS = {
  chiplets: { type: 'string', default: String(DEFAULT_OPTIONS.chiplets) },
  policy: { type: 'string', default: DEFAULT_OPTIONS.policy },
  bins: { type: 'string', default: String(DEFAULT_OPTIONS.bins) },
  grid: { type: 'string' },
  split: { type: 'string', default: String(DEFAULT_OPTIONS.splits) },
  visibility: { type: 'string', default: DEFAULT_OPTIONS.visibility },
  'no-culling': { type: 'boolean', default: false },
  occlusion: { type: 'boolean', default: false },
  'no-early-bin': { type: 'boolean', default: false },
  'visibility-chiplets': { type: 'string', default: String(DEFAULT_OPTIONS.visibilityChiplets) },
  'visibility-delivery': { type: 'string', default: DEFAULT_OPTIONS.visibilityDelivery },
  'visibility-only': { type: 'boolean', default: false },
  timing: { type: 'string', default: DEFAULT_OPTIONS.timing },
  coupling: { type: 'string', default: DEFAULT_OPTIONS.coupling },
  placement: { type: 'string', default: DEFAULT_OPTIONS.placement },
  spec: { type: 'string', default: 'default' },
  set: { type: 'string', multiple: true },
  overlap: { type: 'string', default: DEFAULT_OVERLAP },
  organization: { type: 'string', default: DEFAULT_ORGANIZATION },
  'timeline-cycles': { type: 'string' },
  'link-topology': { type: 'string' },
  'link-bytes-per-cycle': { type: 'string' },
  'link-latency-cycles': { type: 'string' },
  ...ENERGY_OPTIONS,
} as const;

/** Values of {@link GPU_OPTIONS} that `parseOptions` returns. */
interface GpuOptionValues extends EnergyOptionValues {
  readonly chiplets: string;
  readonly policy: string;
  readonly bins: string;
  readonly grid?: string | undefined;
  readonly split: string;
  readonly visibility: string;
  readonly 'no-culling': boolean;
  readonly occlusion: boolean;
  readonly 'no-early-bin': boolean;
  readonly 'visibility-chiplets': string;
  readonly 'visibility-delivery': string;
  readonly 'visibility-only': boolean;
  readonly timing: string;
  readonly coupling: string;
  readonly placement: string;
  readonly spec: string;
  readonly set?: string[] | undefined;
  readonly overlap: string;
  readonly organization: string;
  readonly 'timeline-cycles'?: string | undefined;
  readonly 'link-topology'?: string | undefined;
  readonly 'link-bytes-per-cycle'?: string | undefined;
  readonly 'link-latency-cycles'?: string | undefined;
}

/**
 * Reads the options of the GPU and of its frames.
 *
 * @throws {RenderError} REQUEST_INVALID, naming the option.
 */
export function readGpuOptions(values: GpuOptionValues): {
  readonly hardware: LocalGpuOptions;
  readonly options: RenderOptions & { readonly timing: Timing };
} {
  const chiplets = integerOption('chiplets', values.chiplets, 1, MAX_CHIPLETS);
  if (values['visibility-only'] && chiplets < 2) {
    throw new RenderError(
      'REQUEST_INVALID',
      'visibility-only: requires at least 2 chiplets, because chiplet 0 renders no bins',
    );
  }
  const binCount = integerOption('bins', values.bins, 1, MAX_COARSE_BINS);
  const options: RenderOptions & { readonly timing: Timing } = {
    policy: resolvePolicyName(values.policy),
    grid:
      values.grid === undefined ? { kind: 'bins', count: binCount } : parseGridRequest(values.grid),
    splits: integerOption('split', values.split, 0, MAX_SPLITS),
    visibilityShader: wordOption('visibility', values.visibility, VISIBILITY_SHADERS),
    visibilityChiplets: integerOption(
      'visibility-chiplets',
      values['visibility-chiplets'],
      1,
      chiplets,
    ),
    visibilityDelivery: wordOption(
      'visibility-delivery',
      values['visibility-delivery'],
      VISIBILITY_DELIVERIES,
    ),
    visibilitySwitches: {
      cullsPrimitives: !values['no-culling'],
      cullsOccluded: values.occlusion,
      rendersEarlyBin: !values['no-early-bin'],
    },
    timing: wordOption('timing', values.timing, TIMINGS),
    coupling: wordOption('coupling', values.coupling, COUPLINGS),
    placement: parsePlacement(values.placement),
    isVisibilityChipletRendering: !values['visibility-only'],
    overlap: wordOption('overlap', values.overlap, OVERLAP_MODES),
    organization: wordOption('organization', values.organization, ORGANIZATIONS),
    timelineCycles: optionalInteger(
      'timeline-cycles',
      values['timeline-cycles'],
      TIMELINE_CYCLES.min,
      TIMELINE_CYCLES.max,
    ),
    energy: readEnergyOptions(values),
    interconnect: defineInterconnect({
      topology: values['link-topology'],
      bytesPerCycle: optionalNumber('link-bytes-per-cycle', values['link-bytes-per-cycle']),
      latencyCycles: optionalNumber('link-latency-cycles', values['link-latency-cycles']),
    }),
  };
  return {
    hardware: { chipletCount: chiplets, spec: readSpecOption(values.spec, values.set) },
    options,
  };
}

function optionalNumber(option: string, text: string | undefined): number | undefined {
  return text === undefined ? undefined : integerOption(option, text, 0, Number.MAX_SAFE_INTEGER);
}
