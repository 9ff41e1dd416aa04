/**
 * Writes the table of docs/chiplet-spec.md: every parameter of a chiplet with its unit, range and
 * meaning, and its value in every preset. `npm run docs:spec` runs this file; a test compares.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import {
  CHIPLET_PRESETS,
  type ChipletSpec,
  SPEC_CHOICES,
  SPEC_FIELDS,
  SPEC_SWITCHES,
} from '@tessera/chiplet-spec';

const DOCUMENT = 'docs/chiplet-spec.md';

/** Returns the cells of a row. */
function rowOf(name: string, unit: string, range: string, meaning: string): string[] {
  const values = Object.values(CHIPLET_PRESETS).map((spec: ChipletSpec) => {
    const value = spec[name as keyof ChipletSpec]; // `name` is a field of the tables.
    return typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value);
  });
  return [`\`${name}\``, unit, range, ...values, meaning];
}

const rows = [
  ['field', 'unit', 'range', ...Object.keys(CHIPLET_PRESETS), 'meaning'],
  ...Object.entries(SPEC_FIELDS).map(([name, info]) => {
    const power = 'isPowerOfTwo' in info ? ', a power of two' : '';
    return rowOf(name, info.unit, `${info.min} to ${info.max}${power}`, info.meaning);
  }),
  ...Object.entries(SPEC_SWITCHES).map(([name, meaning]) =>
    rowOf(name, 'switch', 'on, off', meaning),
  ),
  ...Object.entries(SPEC_CHOICES).map(([name, { values, meaning }]) =>
    rowOf(name, 'choice', values.join(', '), meaning),
  ),
].map((cells) => `| ${cells.join(' | ')} |`);
rows.splice(1, 0, `|${' --- |'.repeat(4 + Object.keys(CHIPLET_PRESETS).length)}`);

const text = readFileSync(DOCUMENT, 'utf8');
const first = text.indexOf('| field | unit |');
const end = text.indexOf('\n\n', first);
writeFileSync(DOCUMENT, text.slice(0, first) + rows.join('\n') + text.slice(end));
