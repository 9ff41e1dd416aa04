/** Specifications in the journal that an earlier version of the service wrote. */
import {
  CHIPLET_PRESETS,
  type ChipletSpec,
  chipletPreset,
  DEFAULT_CHIPLET_SPEC,
  PARAMETER_NAMES,
  summarizeSpec,
} from '@tessera/chiplet-spec';
import type { SpecSummary } from '@tessera/frame';

/**
 * Returns a stored specification with a value for each parameter of this version. Parameters that
 * were added later have the value of its preset.
 *
 * @param stored Specification. Versions before 0.2 stored the name of a preset, null or nothing.
 */
export function upgradeSpec(stored: SpecSummary | string | null | undefined): SpecSummary {
  if (typeof stored !== 'object' || stored === null) {
    return summarizeSpec(chipletPreset(stored ?? DEFAULT_CHIPLET_SPEC.name));
  }
  const missing = PARAMETER_NAMES.filter((name) => !Object.hasOwn(stored.parameters, name));
  if (missing.length === 0) return stored;
  // A specification with settings is named after its preset.
  const [root = ''] = stored.name.split('+', 1);
  const preset = Object.hasOwn(CHIPLET_PRESETS, root) ? chipletPreset(root) : DEFAULT_CHIPLET_SPEC;
  const added = Object.fromEntries(
    missing.map((name) => [name, preset[name as keyof ChipletSpec]]), // `name` is a parameter.
  );
  return { ...stored, parameters: { ...stored.parameters, ...added } };
}
