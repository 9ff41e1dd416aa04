/**
 * A specification as a JSON object: a preset and the settings that change it. Files of the command
 * line and stored specifications of the service have this form.
 *
 *     { "preset": "default", "set": { "l2CacheBytes": 1048576, "hasL2Cache": true } }
 */
import { type ChipletSpec, DEFAULT_CHIPLET_SPEC, defineChipletSpec } from './chiplet-spec.ts';
import { chipletPreset } from './presets.ts';
import { type SpecSettings, withSettings } from './settings.ts';

/** Content of a file or a stored specification. */
export interface SpecDescription {
  /** Name of a preset; `default` if it is missing. */
  readonly preset?: string | undefined;
  readonly set?: SpecSettings | undefined;
}

/**
 * Returns the specification that an object describes.
 *
 * @param name Name in reports; named after the changes if it is missing.
 * @throws {RangeError} If the object has another form, or as `chipletPreset` and `withSettings`.
 */
export function readSpec(description: unknown, name?: string): ChipletSpec {
  if (!isObject(description)) throw new RangeError('a specification is an object');
  for (const key of Object.keys(description)) {
    if (key !== 'preset' && key !== 'set') {
      throw new RangeError(`${key}: a specification has only preset and set`);
    }
  }
  const { preset = DEFAULT_CHIPLET_SPEC.name, set = {} } = description;
  if (typeof preset !== 'string') throw new RangeError('preset: not a name');
  if (!isObject(set)) throw new RangeError('set: not an object of settings');
  // withSettings checks the type of each value.
  const spec = withSettings(chipletPreset(preset), set as SpecSettings);
  return name === undefined || spec.name === name ? spec : defineChipletSpec({ ...spec, name });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
