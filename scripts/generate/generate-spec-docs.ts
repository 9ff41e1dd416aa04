/**
 * Writes the tables of docs/chiplet-spec.md: every parameter of a chiplet, the values of the
 * presets that differ from `default`, and the sources of those values. `npm run docs:spec` runs
 * this file; a test compares.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  CHIPLET_PRESETS,
  type ChipletSpec,
  DEFAULT_CHIPLET_SPEC,
  formatValue,
  PARAMETER_NAMES,
  rangeOf,
  SOURCED_PRESETS,
  SPEC_CHOICES,
  SPEC_FIELDS,
  SPEC_SWITCHES,
} from '@tessera/chiplet-spec';
import { markdownTable, replaceBetween } from './generated-tables.ts';

const DOCUMENT = resolve(import.meta.dirname, '../../docs/chiplet-spec.md');

/** Returns the document with its tables as the code has them. */
export function writeSpecTables(text: string): string {
  const sources = SOURCED_PRESETS.map(({ name, meaning, base, groups }) => {
    const rows = groups.map(({ source, values }) => [
      Object.entries(values)
        .map(([field, value]) => `\`${field}\` ${formatValue(value)}`)
        .join(', '),
      source,
    ]);
    return `### ${name}\n\n${wrap(`${capitalize(meaning)}.${base === null ? '' : ` It extends \`${base}\`.`}`)}\n\n${markdownTable(['values', 'source'], rows)}`;
  });
  let written = replaceBetween(DOCUMENT, text, 'parameters', parameterTable());
  written = replaceBetween(DOCUMENT, written, 'presets', presetTable());
  return replaceBetween(DOCUMENT, written, 'sources', sources.join('\n'));
}

function parameterTable(): string {
  const rows = PARAMETER_NAMES.map((name) => [
    `\`${name}\``,
    rangeOf(name),
    valueIn(DEFAULT_CHIPLET_SPEC, name),
    meaningOf(name),
  ]);
  return markdownTable(['parameter', 'range', 'default', 'meaning'], rows);
}

function presetTable(): string {
  const presets: ChipletSpec[] = Object.values(CHIPLET_PRESETS);
  const rows = PARAMETER_NAMES.map((name) => presets.map((spec) => valueIn(spec, name)))
    .map((values, index) => [`\`${PARAMETER_NAMES[index]}\``, ...values])
    .filter(([, first, ...others]) => others.some((value) => value !== first));
  return markdownTable(['parameter', ...presets.map(({ name }) => name)], rows);
}

function valueIn(spec: ChipletSpec, name: string): string {
  return formatValue(spec[name as keyof ChipletSpec]); // `name` is a parameter.
}

function meaningOf(name: string): string {
  const tables = { ...SPEC_FIELDS, ...SPEC_CHOICES, ...SPEC_SWITCHES };
  const entry = tables[name as keyof typeof tables]; // `name` is a parameter.
  return typeof entry === 'string' ? entry : entry.meaning;
}

function capitalize(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** Breaks a text into lines of at most 100 characters. */
function wrap(text: string): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1)!;
    const longer = line === '' ? word : `${line} ${word}`;
    if (longer.length <= 100) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.join('\n');
}

if (import.meta.main) {
  writeFileSync(DOCUMENT, writeSpecTables(readFileSync(DOCUMENT, 'utf8')));
}
