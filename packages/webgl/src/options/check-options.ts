/**
 * Validation of options when a context or a GPU is created. Every option has a check, and unknown
 * names are rejected. Messages name the option, its value and the accepted values.
 */

import { requireChipletSpec } from '@tessera/chiplet-spec';
import { type EnergyOptions, LINK_CLASS_NAMES, MEMORY_TECHNOLOGY_NAMES } from '@tessera/energy';
import {
  COUPLINGS,
  DEFAULT_OPTIONS,
  MAX_CHIPLETS,
  MAX_COARSE_BINS,
  PLACEMENTS,
  type Placement,
  type RenderError,
  requireTimelineCycles,
  TARGET_PLACEMENTS,
  TIMELINE_CYCLES,
  TIMINGS,
  VISIBILITY_DELIVERIES,
  VISIBILITY_SHADERS,
} from '@tessera/frame';
import {
  INTERCONNECT_FIELDS,
  type InterconnectSpec,
  LINK_TOPOLOGY_NAMES,
  MAX_SPLITS,
  ORGANIZATIONS,
  OVERLAP_MODES,
  POLICY_NAMES,
  refuseManyMachines,
  requireLink,
  requireOrganization,
  requireVisibilityChiplets,
  requireVisibilityDelivery,
} from '@tessera/multi-chiplet';
import type { ServiceOptions } from '../frames/service-renderer.ts';
import type { SimulatedGpuChoice } from '../frames/simulated-gpu-choice.ts';
import { LIMITS } from '../interface/limits.ts';
import { ATTRIBUTE_CHECKS } from './context-attributes.ts';
import type {
  CreateContextOptions,
  CreateServiceContextOptions,
} from './create-context-options.ts';
import {
  type Check,
  type ChecksOf,
  callback,
  flag,
  formatValue,
  integer,
  objectOf,
  text,
  wordOf,
} from './option-checks.ts';

const bins = integer(1, MAX_COARSE_BINS);
/** Checks of the fields of `gpu.grid`, by its kind. */
export const GRID_FIELDS: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  bins: { count: bins },
  shape: { columns: bins, rows: bins },
  'per-chiplet': { count: bins },
  auto: {},
};

const gridWish: Check = (value, at) => {
  const { kind } = (value ?? {}) as { readonly kind?: unknown };
  wordOf(Object.keys(GRID_FIELDS))(kind, `${at}.kind`);
  const fields = GRID_FIELDS[kind as string]!;
  objectOf({ kind: text, ...fields }, Object.keys(fields))(value, at);
  const { columns = 1, rows = 1 } = value as { readonly columns?: number; readonly rows?: number };
  if (columns * rows > MAX_COARSE_BINS)
    throw new RangeError(
      `${at}: ${columns} columns × ${rows} rows are more than ${MAX_COARSE_BINS} bins`,
    );
};

const spec: Check = (value, at) => {
  try {
    // `requireChipletSpec` checks the type itself.
    requireChipletSpec(value as Parameters<typeof requireChipletSpec>[0]);
  } catch (error) {
    const { message } = error as RangeError; // `requireChipletSpec` documents this error.
    throw new RangeError(message.startsWith('spec:') ? `gpu.${message}` : `${at}.${message}`);
  }
};

/** Checks of the fields of `gpu.interconnect`. */
export const LINK_FIELDS = {
  topology: wordOf(LINK_TOPOLOGY_NAMES),
  bytesPerCycle: integer(
    INTERCONNECT_FIELDS.bytesPerCycle.min,
    INTERCONNECT_FIELDS.bytesPerCycle.max,
  ),
  latencyCycles: integer(
    INTERCONNECT_FIELDS.latencyCycles.min,
    INTERCONNECT_FIELDS.latencyCycles.max,
  ),
} satisfies ChecksOf<InterconnectSpec>;

/** Checks of the fields of `gpu.placement`. */
export const PLACEMENT_FIELDS = {
  textures: wordOf(PLACEMENTS),
  buffers: wordOf(PLACEMENTS),
  streams: wordOf(PLACEMENTS),
  targets: wordOf(TARGET_PLACEMENTS),
  framebuffer: wordOf(TARGET_PLACEMENTS),
} satisfies ChecksOf<Placement>;

/** Checks of the fields of `gpu.energy`. */
export const ENERGY_FIELDS = {
  memory: wordOf(MEMORY_TECHNOLOGY_NAMES),
  linkClass: wordOf(LINK_CLASS_NAMES),
  packageLinkClass: wordOf(LINK_CLASS_NAMES),
} satisfies ChecksOf<EnergyOptions>;

/** Checks of the fields of `gpu`, in the order of docs/webgl.md. */
export const GPU_FIELDS = {
  chipletCount: integer(1, MAX_CHIPLETS),
  policy: wordOf(POLICY_NAMES),
  timing: wordOf(TIMINGS),
  coupling: wordOf(COUPLINGS),
  grid: gridWish,
  visibilityShader: wordOf(VISIBILITY_SHADERS),
  visibilityChiplets: integer(1, MAX_CHIPLETS),
  visibilityDelivery: wordOf(VISIBILITY_DELIVERIES),
  spec,
  interconnect: objectOf(LINK_FIELDS, Object.keys(LINK_FIELDS)),
  overlap: wordOf(OVERLAP_MODES),
  // Contexts render while programs wait, one pass after the other.
  organization: wordOf(ORGANIZATIONS.filter((name) => name !== 'sort-last')),
  placement: objectOf(PLACEMENT_FIELDS, Object.keys(PLACEMENT_FIELDS)),
  splits: integer(0, MAX_SPLITS),
  timelineCycles: integer(TIMELINE_CYCLES.min, TIMELINE_CYCLES.max),
  energy: objectOf(ENERGY_FIELDS, Object.keys(ENERGY_FIELDS)),
} satisfies ChecksOf<SimulatedGpuChoice>;

const gpuFields = objectOf(GPU_FIELDS);

/** Checks each option of the GPU, then those that depend on each other. */
const gpu: Check = (value, at) => {
  gpuFields(value, at);
  const choice = value as SimulatedGpuChoice;
  const {
    chipletCount = DEFAULT_OPTIONS.chiplets,
    timing,
    coupling = DEFAULT_OPTIONS.coupling,
  } = choice;
  try {
    requireLink(choice);
    requireVisibilityChiplets(choice, chipletCount);
    requireOrganization(choice);
    requireVisibilityDelivery(choice);
    requireTimelineCycles(choice);
    if (timing === 'cycle' && coupling === 'exact') refuseManyMachines(chipletCount);
  } catch (error) {
    throw new RangeError(`${at}: ${(error as RenderError).message}`); // Both document it.
  }
};

const CONTEXT_FIELDS = {
  ...ATTRIBUTE_CHECKS,
  createWebGL2Context: flag,
  onError: callback,
  onInternalFailure: callback,
  gpu,
} satisfies ChecksOf<CreateContextOptions>;

const SERVICE_FIELDS = {
  url: text,
  token: text,
  // The service checks the parameters when a frame is posted.
  parameters: (value, at) => {
    if (typeof value !== 'object')
      throw new TypeError(`${at}: ${formatValue(value)} is not an object`);
  },
} satisfies ChecksOf<ServiceOptions>;

const { gpu: _inProcess, ...SHARED_FIELDS } = CONTEXT_FIELDS;
const SERVICE_CONTEXT_FIELDS = {
  ...SHARED_FIELDS,
  service: objectOf(SERVICE_FIELDS, ['url']),
} satisfies ChecksOf<CreateServiceContextOptions>;

/**
 * Checks the options of a context that renders in this process.
 *
 * @throws {TypeError | RangeError} If an option is invalid. The message names the option and the
 *   accepted values.
 */
export const checkContextOptions: (options: object) => void = rename(objectOf(CONTEXT_FIELDS), '');

/**
 * Checks the options of a context whose frames are rendered by a service.
 *
 * @throws {TypeError | RangeError} If an option is invalid. The message names the option and the
 *   accepted values.
 */
export const checkServiceContextOptions: (options: object) => void = rename(
  objectOf(SERVICE_CONTEXT_FIELDS, ['service']),
  '',
);

/**
 * Returns the size of a drawing buffer in pixels. Numbers and texts of numbers are converted as
 * headless-gl and the attributes of a canvas do: fractions are dropped.
 *
 * @throws {RangeError} If an edge is no such value, or is not in 1 to 8192.
 */
export function readDrawingBufferSize(width: unknown, height: unknown): readonly [number, number] {
  return [readEdge(width, 'width'), readEdge(height, 'height')];
}

function readEdge(value: unknown, at: string): number {
  const edge = typeof value === 'string' ? Number(value) : value;
  const edgePx = typeof edge === 'number' ? Math.trunc(edge) : Number.NaN;
  if (edgePx >= 1 && edgePx <= LIMITS.textureEdgePx) return edgePx;
  throw new RangeError(
    `${at}: ${formatValue(value)} is not a number of pixels from 1 to ${LIMITS.textureEdgePx}`,
  );
}

function rename(check: Check, at: string): (options: object) => void {
  return (options) => check(options, at);
}
