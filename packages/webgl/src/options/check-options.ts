/**
 * Options of callers, checked when a context or a GPU is made: every option there is has a check here, and any other
 * name is refused. Messages say which option, its value, and what would be right.
 */
import { MAX_COARSE_BINS, TIMINGS, VISIBILITY_SHADERS } from '@tessera/frame';
import { requireChipletSpec } from '@tessera/gpu';
import {
  INTERCONNECT_FIELDS,
  type InterconnectSpec,
  MAX_SPLITS,
  OVERLAP_MODES,
  POLICY_NAMES,
  TOPOLOGY_NAMES,
} from '@tessera/multi-chiplet';
import type { ContextAttributes } from '../context/context-core.ts';
import type { ServiceOptions } from '../frames/service-renderer.ts';
import { LIMITS } from '../interface/limits.ts';
import type {
  CreateContextOptions,
  CreateServiceContextOptions,
} from './create-context-options.ts';
import type { SimulatedGpuChoice } from './simulated-gpu-choice.ts';

const POWER_PREFERENCES = ['default', 'high-performance', 'low-power'] as const;
/** Most chiplets of a simulated GPU, as for a service. */
const MAX_CHIPLETS = 1024;

/** Throws unless the value is allowed. @param at Place of the value, such as `gpu.timing`. */
type Check = (value: unknown, at: string) => void;
type ChecksOf<Options> = { readonly [Name in keyof Required<Options>]: Check };

const flag: Check = (value, at) => {
  if (typeof value !== 'boolean') throw new TypeError(`${at}: ${show(value)} is not true or false`);
};

const callback: Check = (value, at) => {
  if (typeof value !== 'function') throw new TypeError(`${at}: ${show(value)} is no function`);
};

const text: Check = (value, at) => {
  if (typeof value !== 'string') throw new TypeError(`${at}: ${show(value)} is no text`);
};

function wordOf(words: readonly string[]): Check {
  return (value, at) => {
    if (words.some((word) => word === value)) return;
    throw new RangeError(`${at}: ${show(value)} is none of ${words.join(', ')}`);
  };
}

function integer(min: number, max: number): Check {
  return (value, at) => {
    if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max)
      return;
    throw new RangeError(`${at}: ${show(value)} is not an integer from ${min} to ${max}`);
  };
}

/** An object with some of these fields, or all of `required`, and no others. */
function objectOf(
  checks: Readonly<Record<string, Check>>,
  required: readonly string[] = [],
): Check {
  return (value, at) => {
    if (typeof value !== 'object' || value === null) {
      throw new TypeError(`${at === '' ? 'options' : at}: ${show(value)} is no object of options`);
    }
    const inside = (name: string) => (at === '' ? name : `${at}.${name}`);
    for (const [name, field] of Object.entries(value)) {
      if (!Object.hasOwn(checks, name)) {
        const known = Object.keys(checks).join(', ');
        throw new TypeError(`${inside(name)}: there is no such option; there are ${known}`);
      }
      if (field !== undefined) checks[name]!(field, inside(name));
    }
    for (const name of required) {
      if ((value as Record<string, unknown>)[name] === undefined) {
        throw new TypeError(`${inside(name)}: missing`);
      }
    }
  };
}

const bins = integer(1, MAX_COARSE_BINS);
const GRID_FIELDS: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
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
};

const spec: Check = (value, at) => {
  try {
    requireChipletSpec(value as Parameters<typeof requireChipletSpec>[0]); // it looks for itself
  } catch (error) {
    const { message } = error as RangeError; // as it documents
    throw new RangeError(message.startsWith('spec:') ? `gpu.${message}` : `${at}.${message}`);
  }
};

const LINK_FIELDS = {
  topology: wordOf(TOPOLOGY_NAMES),
  bytesPerCycle: integer(
    INTERCONNECT_FIELDS.bytesPerCycle.min,
    INTERCONNECT_FIELDS.bytesPerCycle.max,
  ),
  latencyCycles: integer(
    INTERCONNECT_FIELDS.latencyCycles.min,
    INTERCONNECT_FIELDS.latencyCycles.max,
  ),
} satisfies ChecksOf<InterconnectSpec>;

const GPU_FIELDS = {
  chipletCount: integer(1, MAX_CHIPLETS),
  policy: wordOf(POLICY_NAMES),
  timing: wordOf(TIMINGS),
  grid: gridWish,
  visibilityShader: wordOf(VISIBILITY_SHADERS),
  spec,
  interconnect: objectOf(LINK_FIELDS, Object.keys(LINK_FIELDS)),
  overlap: wordOf(OVERLAP_MODES),
  splits: integer(0, MAX_SPLITS),
} satisfies ChecksOf<SimulatedGpuChoice>;

const ATTRIBUTES = {
  alpha: flag,
  depth: flag,
  stencil: flag,
  antialias: flag,
  premultipliedAlpha: flag,
  preserveDrawingBuffer: flag,
  powerPreference: wordOf(POWER_PREFERENCES),
  failIfMajorPerformanceCaveat: flag,
  desynchronized: flag,
} satisfies ChecksOf<ContextAttributes>;

const CONTEXT_FIELDS = {
  ...ATTRIBUTES,
  createWebGL2Context: flag,
  onError: callback,
  onInternalFailure: callback,
  gpu: objectOf(GPU_FIELDS),
} satisfies ChecksOf<CreateContextOptions>;

const SERVICE_FIELDS = {
  url: text,
  token: text,
  // The service checks them when a frame is posted.
  parameters: (value, at) => {
    if (typeof value !== 'object') throw new TypeError(`${at}: ${show(value)} is no object`);
  },
} satisfies ChecksOf<ServiceOptions>;

const { gpu: _inProcess, ...SHARED_FIELDS } = CONTEXT_FIELDS;
const SERVICE_CONTEXT_FIELDS = {
  ...SHARED_FIELDS,
  service: objectOf(SERVICE_FIELDS, ['url']),
} satisfies ChecksOf<CreateServiceContextOptions>;

/** @throws {TypeError | RangeError} Naming the option and what would be right. */
export const checkContextOptions: (options: object) => void = rename(objectOf(CONTEXT_FIELDS), '');

/** As {@link checkContextOptions}, for a context whose frames a service renders. */
export const checkServiceContextOptions: (options: object) => void = rename(
  objectOf(SERVICE_CONTEXT_FIELDS, ['service']),
  '',
);

/** As {@link checkContextOptions}, for a simulated GPU. */
export const checkGpuChoice: (choice: object) => void = rename(objectOf(GPU_FIELDS), 'gpu');

/** @throws {RangeError} For a size that no drawing buffer has. */
export function checkDrawingBufferSize(width: unknown, height: unknown): void {
  integer(1, LIMITS.textureEdgePx)(width, 'width');
  integer(1, LIMITS.textureEdgePx)(height, 'height');
}

/**
 * Returns the attributes of WebGL among what a program gives `getContext`, as WebIDL converts a dictionary: other names
 * are left out, and all but one attribute become `true` or `false`.
 *
 * @throws {TypeError} For a power preference that there is not.
 */
export function readContextAttributes(given: object): Partial<ContextAttributes> {
  const attributes: Record<string, unknown> = {};
  for (const name of Object.keys(ATTRIBUTES)) {
    const value = (given as Record<string, unknown>)[name];
    if (value === undefined) continue;
    if (name !== 'powerPreference') attributes[name] = Boolean(value);
    else if (POWER_PREFERENCES.some((one) => one === String(value)))
      attributes[name] = String(value);
    else
      throw new TypeError(
        `powerPreference: ${show(value)} is none of ${POWER_PREFERENCES.join(', ')}`,
      );
  }
  return attributes;
}

function rename(check: Check, at: string): (options: object) => void {
  return (options) => check(options, at);
}

/** A value as messages show it. */
function show(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`;
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}
