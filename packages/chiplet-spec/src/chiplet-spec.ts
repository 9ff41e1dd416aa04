/** Specification of a chiplet: a value for each parameter of parameters.ts, checked. */

import type { SpecSummary } from '@tessera/frame';
import { DEFAULT } from './default.ts';
import { SPEC_CHOICES, SPEC_FIELDS, SPEC_SWITCHES, type SpecFieldInfo } from './parameters.ts';
import { valuesOf } from './sourced-values.ts';

type ChoiceFields = {
  readonly [Field in keyof typeof SPEC_CHOICES]: (typeof SPEC_CHOICES)[Field]['values'][number];
};
type NumberFields = { readonly [Field in keyof typeof SPEC_FIELDS]: number };
type SwitchFields = { readonly [Field in keyof typeof SPEC_SWITCHES]: boolean };

/** Hardware parameters of one simulated chiplet, fixed at its creation. */
export interface ChipletSpec extends NumberFields, SwitchFields, ChoiceFields {
  /** Name of the specification in reports, at least one character. */
  readonly name: string;
}

/** Chiplet that every study starts from; see default.ts. */
export const DEFAULT_CHIPLET_SPEC: ChipletSpec = Object.freeze(
  valuesOf(DEFAULT) as ChipletSpec, // A test compares its fields with the table of parameters.
);

/** Checked specifications, which are frozen. */
const checkedSpecs = new WeakSet<ChipletSpec>();

/**
 * Returns `spec` after a check. Units built from a specification call this, so no unchecked one
 * reaches the simulated chip.
 *
 * @throws {RangeError} As {@link defineChipletSpec}, and for a missing field.
 */
export function requireChipletSpec(spec: ChipletSpec): ChipletSpec {
  if (checkedSpecs.has(spec)) return spec;
  if (typeof spec !== 'object' || spec === null) {
    throw new RangeError(
      `spec: ${String(spec)} is not a specification; use defineChipletSpec or chipletPreset`,
    );
  }
  for (const field of Object.keys(DEFAULT_CHIPLET_SPEC)) {
    if (!Object.hasOwn(spec, field)) {
      throw new RangeError(`${field}: missing; defineChipletSpec adds the default`);
    }
  }
  return defineChipletSpec(spec);
}

/**
 * Returns {@link DEFAULT_CHIPLET_SPEC} with `overrides` applied.
 *
 * @throws {RangeError} If a value is outside the range of its field. The message names the field,
 *   the value and the range.
 *
 * @example const small = defineChipletSpec({ name: 'small', batchPrimitives: 16 });
 */
export function defineChipletSpec(overrides: Partial<ChipletSpec> = {}): ChipletSpec {
  for (const field of Object.keys(overrides)) {
    if (!Object.hasOwn(DEFAULT_CHIPLET_SPEC, field)) {
      throw new RangeError(`${field}: unknown field`);
    }
  }
  const spec = { ...DEFAULT_CHIPLET_SPEC, ...overrides };
  if (typeof spec.name !== 'string' || spec.name.length === 0) {
    throw new RangeError('name: must be a non-empty string');
  }
  for (const [name, info] of Object.entries(SPEC_FIELDS)) {
    // The table and the interface have the same names.
    checkNumber(name, spec[name as keyof NumberFields], info);
  }
  for (const name of Object.keys(SPEC_SWITCHES)) {
    // The table and the interface have the same names.
    const value = spec[name as keyof SwitchFields];
    if (typeof value !== 'boolean') throw new RangeError(`${name}: ${value} is not true or false`);
  }
  for (const [name, { values }] of Object.entries(SPEC_CHOICES)) {
    // The table and the interface have the same names.
    const value = spec[name as keyof ChoiceFields];
    if (!(values as readonly string[]).includes(value)) {
      throw new RangeError(`${name}: '${value}' is not one of ${values.join(', ')}`);
    }
  }
  const warpIds = spec.smCount * spec.warpSlotsPerSm;
  if (warpIds < 2)
    throw new RangeError(`warpSlotsPerSm: ${warpIds} slots in total; each type of work needs one`);
  if (2 * spec.warpIdFloor > warpIds) {
    throw new RangeError(`warpIdFloor: ${spec.warpIdFloor} is more than half of ${warpIds}`);
  }
  const cacheSetBytes = 64 * spec.textureCacheWays;
  if (spec.textureCacheBytes < cacheSetBytes) {
    throw new RangeError(`textureCacheBytes: ${spec.textureCacheBytes} is less than one set`);
  }
  for (const cache of ['vertexCache', 'colorCache', 'depthCache', 'remoteCache'] as const) {
    if (spec[`${cache}Bytes`] < 64 * spec[`${cache}Ways`]) {
      throw new RangeError(`${cache}Bytes: ${spec[`${cache}Bytes`]} is less than one set`);
    }
  }
  if (spec.l2CacheBytes < 64 * spec.l2CacheWays * spec.l2Slices) {
    throw new RangeError(`l2CacheBytes: ${spec.l2CacheBytes} is less than one set for each slice`);
  }
  if (spec.tlbEntries > 0 && spec.tlbEntries < spec.tlbWays) {
    throw new RangeError(`tlbEntries: ${spec.tlbEntries} is less than tlbWays (${spec.tlbWays})`);
  }
  if (spec.tlbEntries > 0 && spec.pageStructure === 'list') {
    throw new RangeError(`tlbEntries: ${spec.tlbEntries} is not 0, but pageStructure is list`);
  }
  if (spec.memoryBurstLines > spec.memoryClientLines) {
    throw new RangeError(
      `memoryBurstLines: ${spec.memoryBurstLines} is more than a client holds (${spec.memoryClientLines})`,
    );
  }
  if (spec.dramWriteDrainEndPercent >= spec.dramWriteDrainStartPercent) {
    throw new RangeError(
      `dramWriteDrainEndPercent: ${spec.dramWriteDrainEndPercent} is not below dramWriteDrainStartPercent (${spec.dramWriteDrainStartPercent})`,
    );
  }
  if (spec.dramBankGroups > spec.dramBanks) {
    throw new RangeError(
      `dramBankGroups: ${spec.dramBankGroups} is more than dramBanks (${spec.dramBanks})`,
    );
  }
  if (spec.channelInterleaveBytes > spec.dramRowBytes) {
    throw new RangeError(
      `channelInterleaveBytes: ${spec.channelInterleaveBytes} is more than dramRowBytes (${spec.dramRowBytes})`,
    );
  }
  // Otherwise a refresh would be due before the previous one ends, and memory would do nothing
  // else.
  if (spec.dramRefreshCycles >= spec.dramRefreshIntervalCycles) {
    throw new RangeError(
      `dramRefreshCycles: ${spec.dramRefreshCycles} is not below dramRefreshIntervalCycles (${spec.dramRefreshIntervalCycles})`,
    );
  }
  checkedSpecs.add(spec);
  return Object.freeze(spec);
}

/**
 * Returns the specification in a summary.
 *
 * @throws {RangeError} As {@link requireChipletSpec}.
 */
export function specOfSummary({ name, parameters }: SpecSummary): ChipletSpec {
  // requireChipletSpec checks every field and its type.
  return requireChipletSpec({ name, ...parameters } as unknown as ChipletSpec);
}

/** Returns the specification in the form of reports. */
export function summarizeSpec(spec: ChipletSpec): SpecSummary {
  const { name, ...parameters } = spec;
  return { name, fineBinPx: spec.fineBinPx, clockHz: spec.clockHz, parameters };
}

function checkNumber(
  name: string,
  value: number,
  { min, max, unit, isPowerOfTwo = false }: SpecFieldInfo,
): void {
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new RangeError(
      `${name}: ${String(value)} is not an integer from ${min} to ${max} ${unit}`,
    );
  }
  if (isPowerOfTwo && (value & (value - 1)) !== 0) {
    throw new RangeError(`${name}: ${value} is not a power of two from ${min} to ${max} ${unit}`);
  }
}
