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
    return `### ${name}\n\n${wrap(`${capitalize(meaning)}.${base === null ? '' : ` It extends \`${base}\`.`}`)}\n\n${table(['values', 'source'], rows)}`;
  });
  let written = replaceBetween(text, 'parameters', parameterTable());
  written = replaceBetween(written, 'presets', presetTable());
  return replaceBetween(written, 'sources', sources.join('\n'));
}

function parameterTable(): string {
  const rows = PARAMETER_NAMES.map((name) => [
    `\`${name}\``,
    rangeOf(name),
    valueIn(DEFAULT_CHIPLET_SPEC, name),
    meaningOf(name),
  ]);
  return table(['parameter', 'range', 'default', 'meaning'], rows);
}

function presetTable(): string {
  const presets: ChipletSpec[] = Object.values(CHIPLET_PRESETS);
  const rows = PARAMETER_NAMES.map((name) => presets.map((spec) => valueIn(spec, name)))
    .map((values, index) => [`\`${PARAMETER_NAMES[index]}\``, ...values])
    .filter(([, first, ...others]) => others.some((value) => value !== first));
  return table(['parameter', ...presets.map(({ name }) => name)], rows);
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

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

function replaceBetween(text: string, name: string, content: string): string {
  const opening = `<!-- ${name} -->\n`;
  const start = text.indexOf(opening);
  const end = text.indexOf(`<!-- end of ${name} -->`, start);
  if (start < 0 || end < 0) throw new Error(`${DOCUMENT}: has no ${opening.trim()}`);
  return `${text.slice(0, start + opening.length)}\n${content}\n${text.slice(end)}`;
}

if (import.meta.main) {
  writeFileSync(DOCUMENT, writeSpecTables(readFileSync(DOCUMENT, 'utf8')));
}
