/**
 * Settings: values that replace those of a preset. Users write them as text,
 * `l2CacheBytes=1Mi,hasL2Cache=off,slotPolicy=gcn`, and requests as JSON objects.
 */

import { type ChipletSpec, defineChipletSpec } from './chiplet-spec.ts';
import { SPEC_CHOICES, SPEC_FIELDS, SPEC_SWITCHES } from './parameters.ts';
import { suggestNames } from './suggest-names.ts';

/** Value of a parameter. */
export type SettingValue = number | boolean | string;

/** Values by parameter; the name of the specification is no setting. */
export type SpecSettings = Readonly<Record<string, SettingValue>>;

/** Names of all parameters, in the order of the table. */
export const PARAMETER_NAMES: readonly string[] = [
  ...Object.keys(SPEC_FIELDS),
  ...Object.keys(SPEC_SWITCHES),
  ...Object.keys(SPEC_CHOICES),
];

/** Longest name that {@link nameSpec} makes, without the name of the preset. */
const MAX_CHANGES_LENGTH = 120;
const UNITS: Readonly<Record<string, number>> = { '': 1, Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30 };
const SWITCH_WORDS: Readonly<Record<string, boolean>> = {
  on: true,
  true: true,
  off: false,
  false: false,
};

/**
 * Returns the settings in a text: `name=value` separated by commas. Integers may end in `Ki`, `Mi`
 * or `Gi`; switches are `on` or `off`. Ranges are checked by {@link withSettings}.
 *
 * @throws {RangeError} If a part is no setting, a parameter does not exist or is set twice, or a
 *   value is of another type. The message names the parameter and the value.
 */
export function parseSettings(text: string): SpecSettings {
  const settings: Record<string, SettingValue> = {};
  for (const part of text.split(',')) {
    const [name = '', value, ...rest] = part.trim().split('=');
    if (value === undefined || value === '' || rest.length > 0) {
      throw new RangeError(`'${part.trim()}' is not name=value`);
    }
    if (Object.hasOwn(settings, name)) throw new RangeError(`${name}: set twice`);
    settings[name] = parseValue(name, value);
  }
  return settings;
}

/** Returns a value from its text, of the type of the parameter. */
function parseValue(name: string, text: string): SettingValue {
  requireParameter(name);
  if (Object.hasOwn(SPEC_CHOICES, name)) return text;
  if (Object.hasOwn(SPEC_SWITCHES, name)) {
    const value = SWITCH_WORDS[text];
    if (value === undefined) throw new RangeError(`${name}: '${text}' is not on or off`);
    return value;
  }
  const match = /^(\d+)(Ki|Mi|Gi)?$/.exec(text);
  if (match === null) {
    throw new RangeError(`${name}: '${text}' is not an integer (${rangeOf(name)})`);
  }
  return Number(match[1]) * UNITS[match[2] ?? '']!;
}

/**
 * Returns a specification with settings applied, named after its changes.
 *
 * @throws {RangeError} If a parameter does not exist, a value has another type or is out of range,
 *   or values contradict each other. The message names the parameter, the value and the range.
 */
export function withSettings(base: ChipletSpec, settings: SpecSettings): ChipletSpec {
  for (const [name, value] of Object.entries(settings)) {
    requireParameter(name);
    checkType(name, value);
  }
  const changes = Object.entries(settings).filter(
    // Every setting is a parameter.
    ([name, value]) => base[name as keyof ChipletSpec] !== value,
  );
  if (changes.length === 0) return base;
  const changed = Object.fromEntries(changes) as Partial<ChipletSpec>;
  return defineChipletSpec({ ...base, ...changed, name: nameSpec(base.name, changes) });
}

/** Returns the unit and range of a parameter, for messages and tables. */
export function rangeOf(name: string): string {
  if (Object.hasOwn(SPEC_SWITCHES, name)) return 'on or off';
  if (Object.hasOwn(SPEC_CHOICES, name)) {
    return SPEC_CHOICES[name as keyof typeof SPEC_CHOICES].values.join(', ');
  }
  const info = SPEC_FIELDS[name as keyof typeof SPEC_FIELDS];
  const power = 'isPowerOfTwo' in info ? ', a power of two' : '';
  return `${info.min} to ${info.max} ${info.unit}${power}`;
}

function requireParameter(name: string): void {
  if (PARAMETER_NAMES.includes(name)) return;
  throw new RangeError(`${name}: no such parameter${suggestNames(name, PARAMETER_NAMES)}`);
}

function checkType(name: string, value: unknown): void {
  const type = Object.hasOwn(SPEC_FIELDS, name)
    ? 'number'
    : Object.hasOwn(SPEC_SWITCHES, name)
      ? 'boolean'
      : 'string';
  if (typeof value === type) return;
  const kind = type === 'number' ? 'an integer' : type === 'boolean' ? 'true or false' : 'a name';
  throw new RangeError(`${name}: ${JSON.stringify(value)} is not ${kind} (${rangeOf(name)})`);
}

/**
 * Returns a name that tells the changes, or a digest of them if that would be long. A base that is
 * named after changes itself contributes those that still hold, so names stay short however often
 * settings are applied.
 */
function nameSpec(base: string, changes: readonly (readonly [string, SettingValue])[]): string {
  const plus = base.indexOf('+');
  const root = plus < 0 ? base : base.slice(0, plus);
  const earlier = plus < 0 ? [] : base.slice(plus + 1).split(',');
  const kept = earlier.filter((text) => !changes.some(([name]) => text.startsWith(`${name}=`)));
  const texts = changes.map(([name, value]) => `${name}=${formatValue(value)}`);
  const text = [...kept, ...texts].join(',');
  return text.length <= MAX_CHANGES_LENGTH ? `${root}+${text}` : `${root}+settings ${digest(text)}`;
}

/** Returns a value as {@link parseSettings} reads it. */
export function formatValue(value: SettingValue): string {
  return typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value);
}

/** FNV-1a hash as 8 hexadecimal digits; tells specifications of one service apart. */
function digest(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  }
  return hash.toString(16).padStart(8, '0');
}
