/** Named specifications of chiplets. */

import { ATTILA_R5XX } from './attila-r5xx.ts';
import { type ChipletSpec, DEFAULT_CHIPLET_SPEC, defineChipletSpec } from './chiplet-spec.ts';
import { DEFAULT } from './default.ts';
import { HMGPU } from './hmgpu.ts';
import { LOONGSON } from './loongson.ts';
import { MOBILE_LIKE } from './mobile-like.ts';
import { RDNA2_LIKE } from './rdna2-like.ts';
import { type PresetSources, valuesOf } from './sourced-values.ts';

/** Tables of all presets. */
export const SOURCED_PRESETS: readonly PresetSources[] = [
  DEFAULT,
  LOONGSON,
  HMGPU,
  RDNA2_LIKE,
  MOBILE_LIKE,
  ATTILA_R5XX,
];

const LOONGSON_SPEC = defineChipletSpec(valuesOf(LOONGSON));

/** Presets by name; each has a file with its table. */
export const CHIPLET_PRESETS = {
  default: DEFAULT_CHIPLET_SPEC,
  loongson: LOONGSON_SPEC,
  hmgpu: defineChipletSpec({ ...LOONGSON_SPEC, ...valuesOf(HMGPU) }),
  'rdna2-like': defineChipletSpec(valuesOf(RDNA2_LIKE)),
  'mobile-like': defineChipletSpec(valuesOf(MOBILE_LIKE)),
  'attila-r5xx': defineChipletSpec(valuesOf(ATTILA_R5XX)),
} as const satisfies Record<string, ChipletSpec>;

/**
 * Returns a preset by name.
 *
 * @throws {RangeError} If there is no such preset. The message lists the existing ones.
 */
export function chipletPreset(name: string): ChipletSpec {
  const spec = Object.entries(CHIPLET_PRESETS).find(([preset]) => preset === name)?.[1];
  if (spec === undefined) {
    throw new RangeError(
      `spec: '${name}' is not one of ${Object.keys(CHIPLET_PRESETS).join(', ')}`,
    );
  }
  return spec;
}
