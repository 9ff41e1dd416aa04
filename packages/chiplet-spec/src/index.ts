/** Hardware parameters of a chiplet: their table, presets, and how users set them. */
export {
  type ChipletSpec,
  DEFAULT_CHIPLET_SPEC,
  defineChipletSpec,
  requireChipletSpec,
  specOfSummary,
  summarizeSpec,
} from './chiplet-spec.ts';
export { SPEC_CHOICES, SPEC_FIELDS, SPEC_SWITCHES } from './parameters.ts';
export { CHIPLET_PRESETS, chipletPreset, SOURCED_PRESETS } from './presets.ts';
export { readSpec, type SpecDescription } from './read-spec.ts';
export { RECORD_PARAMETERS, recordsKeyOf } from './record-parameters.ts';
export {
  formatValue,
  PARAMETER_NAMES,
  parseSettings,
  rangeOf,
  type SettingValue,
  type SpecSettings,
  withSettings,
} from './settings.ts';
export { TIMED_CLASSES } from './shader-parameters.ts';
export type { PresetSources } from './sourced-values.ts';
export { type FasterUnits, makeTwiceAsFast, unitsFasterWith } from './unit-rates.ts';
