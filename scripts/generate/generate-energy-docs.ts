/**
 * Writes the tables of docs/energy.md, which a test compares with the code. `npm run docs:energy`
 * runs this file.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { DEFAULT_CHIPLET_SPEC, summarizeSpec } from '@tessera/chiplet-spec';
import {
  DEFAULT_ENERGY_OPTIONS,
  ENERGY_EVENTS,
  type EnergyEvent,
  EnergySpec,
  energyOfEvent,
  LINK_CLASSES,
  MEMORY_TECHNOLOGIES,
  PUBLISHED_FIGURES,
  type PublishedFigure,
} from '@tessera/energy';
import type { EnergyPj } from '@tessera/frame';
import { markdownTable, replaceBetween } from './generated-tables.ts';

const DOCUMENT = resolve(import.meta.dirname, '../../docs/energy.md');

/** Returns the document with its tables as the code has them. */
export function writeEnergyTables(text: string): string {
  const tables = {
    figures: tableOfFigures(),
    events: tableOfEvents(),
    memory: tableOfMemory(),
    links: tableOfLinks(),
  };
  let written = text;
  for (const [name, content] of Object.entries(tables)) {
    written = replaceBetween(DOCUMENT, written, name, content);
  }
  return written;
}

function tableOfFigures(): string {
  const rows = Object.entries<PublishedFigure>(PUBLISHED_FIGURES).map(([name, figure]) => [
    ...[`\`${name}\``, `${figure.value} ${figure.unit}`],
    figure.nodeNm === null ? '–' : `${figure.nodeNm} nm`,
    ...[figure.source, figure.readIn, figure.confidence],
  ]);
  return markdownTable(['figure', 'value', 'node', 'source', 'read in', 'confidence'], rows);
}

function tableOfEvents(): string {
  const spec = new EnergySpec(summarizeSpec(DEFAULT_CHIPLET_SPEC));
  const rows = Object.entries<EnergyEvent>(ENERGY_EVENTS).map(([name, event]) => [
    ...[`\`${name}\``, `\`${event.unit}\``, event.meaning],
    ...cellsOf(energyOfEvent(event, spec, DEFAULT_ENERGY_OPTIONS.memory)),
  ]);
  return markdownTable(['event', 'unit', 'meaning', 'low pJ', 'typical pJ', 'high pJ'], rows);
}

function tableOfMemory(): string {
  const rows = Object.entries(MEMORY_TECHNOLOGIES).map(([name, technology]) => {
    const { meaning, activateKiB, transferBit, refreshMw, standbyMw } = technology;
    const watts = [refreshMw, standbyMw].map(
      ({ low, high }) => `${format(low)} to ${format(high)}`,
    );
    const energies = [activateKiB, transferBit].map((each) => cellsOf(each).join(', '));
    return [`\`${name}\``, meaning, ...energies, ...watts];
  });
  const head = ['memory', 'meaning', 'row of 1 KiB, pJ', 'bit, pJ', 'refresh, mW', 'standby, mW'];
  return markdownTable(head, rows);
}

function tableOfLinks(): string {
  const rows = Object.entries(LINK_CLASSES).map(([name, { meaning, perBit }]) => [
    ...[`\`${name}\``, meaning],
    ...cellsOf(perBit),
  ]);
  return markdownTable(['class', 'meaning', 'low pJ/bit', 'typical', 'high'], rows);
}

function cellsOf({ lowPj, typicalPj, highPj }: EnergyPj): string[] {
  return [lowPj, typicalPj, highPj].map(format);
}

/** Returns a value with three digits, and all digits before the point. */
function format(value: number): string {
  return value >= 1000 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}

if (import.meta.main) {
  writeFileSync(DOCUMENT, writeEnergyTables(readFileSync(DOCUMENT, 'utf8')));
}
