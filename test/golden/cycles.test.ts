/** Golden scenes take the committed cycles, and the cycle counters add up. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHIPLET_PRESETS, type ChipletSpec, TIMED_CLASSES } from '@tessera/chiplet-spec';
import { type Cell, formatCsv, parseCsv } from '@tessera/experiments/csv';
import {
  addCounters,
  COUNTER_NAMES,
  COUPLINGS,
  type CounterName,
  type Counters,
  TIMED_UNITS,
} from '@tessera/frame';
import { LocalGpu } from '@tessera/local-gpu';
import { describe, expect, it } from 'vitest';
import { GOLDEN_SCENES } from './scenes.ts';

// `npm run golden:renew` writes the current cycles; explain a change in CHANGELOG under Model.
const isRenewing = process.env.TESSERA_RENEW_GOLDEN === '1';
const FILE = join(import.meta.dirname, '../../results/golden-cycles.csv');
const HEAD = [
  'scene',
  'spec',
  'coupling',
  'chiplets',
  'cycles',
  'visibilityCycles',
  'makespanCycles',
  'lowerBoundCycles',
  'warpInstructions',
];
const CHIPLETS = 3;

/** Returns the rows of the table by scene, specification and coupling. */
function readTable(): Map<string, readonly Cell[]> {
  if (!existsSync(FILE)) return new Map();
  const { rows } = parseCsv(readFileSync(FILE, 'utf8'));
  return new Map(rows.map((row) => [keyOf(row), row]));
}

function keyOf(row: readonly Cell[]): string {
  return row.slice(0, 3).join(', ');
}

function unitCount(unit: string, { smCount }: ChipletSpec): number {
  return unit === 'shaderCore' || unit === 'textureUnit' ? smCount : 1;
}

const CASES = Object.values(CHIPLET_PRESETS).flatMap((spec) =>
  COUPLINGS.map((coupling) => ({ name: spec.name, spec, coupling })),
);

describe.each(CASES)('cycles of the golden scenes, $name, $coupling', ({ spec, coupling }) => {
  const gpu = new LocalGpu({ chipletCount: CHIPLETS, spec });
  const table = readTable();

  it.each(Object.keys(GOLDEN_SCENES))('%s takes the committed cycles', async (scene) => {
    const frame = await GOLDEN_SCENES[scene]!();
    const options = {
      policy: 'dynamic',
      grid: { kind: 'bins', count: 8 },
      visibilityShader: 'minimal',
    } as const;
    const { report } = await gpu.render(frame, { ...options, timing: 'cycle', coupling });
    const functional = await gpu.render(frame, { ...options, timing: 'functional' });

    // 1. The image and all results without time are the same.
    expect(report.image.sha256).toBe(functional.report.image.sha256);
    expect(functional.report.totals.cycles).toBeNull();
    expect(report.visibility.primitivesListed).toBe(functional.report.visibility.primitivesListed);

    // 2. Every unit is busy, starved or stalled in each cycle of its chiplet: of all phases and
    //    bins, and of its copy engine. Chiplets that run on are active between them, too.
    const counters: Counters = {};
    for (const chiplet of report.chiplets) {
      addCounters(counters, chiplet.counters);
      expect(chiplet.busyCycles! + chiplet.idleCycles!).toBe(report.totals.cycles);
      const { bytes, achievedBytesPerCycle, peakBytesPerCycle, utilization } = chiplet.memory!;
      expect(peakBytesPerCycle).toBe(spec.dramChannels * spec.dramBytesPerCycle);
      const runCycles = chiplet.busyCycles! + chiplet.copyCycles!;
      expect(utilization).toBeLessThanOrEqual(1);
      const stateCycles = (unit: (typeof TIMED_UNITS)[number]) =>
        (['Busy', 'Starved', 'Stalled'] as const).reduce(
          (sum, state) => sum + (chiplet.counters[`${unit}.cycles${state}`] ?? 0),
          0,
        );
      const activeCycles = stateCycles('commandProcessor');
      if (coupling === 'none') expect(activeCycles).toBe(runCycles);
      expect(activeCycles).toBeGreaterThanOrEqual(runCycles);
      // The frame ends in the last cycle in which a chiplet is active.
      const lastCycle = report.totals.cycles! + chiplet.copyCycles!;
      expect(activeCycles).toBeLessThanOrEqual(lastCycle + 1);
      expect(achievedBytesPerCycle * activeCycles).toBeCloseTo(bytes);
      for (const unit of TIMED_UNITS) {
        expect(stateCycles(unit), `chiplet ${chiplet.id}, ${unit}`).toBe(
          activeCycles * unitCount(unit, spec),
        );
      }
    }
    for (const [name, count] of Object.entries(sumCounters(functional.report.chiplets))) {
      expect(counters[name as keyof Counters], name).toBe(count);
    }

    // 3. An instruction occupies the issue port of its core for the cycles of its class. Lookups
    //    and their lines are those that the kernels logged.
    const instructions = counters['shaderCore.warpInstructions']!;
    const issueCycles = TIMED_CLASSES.map((name) => spec[`${name}IssueCycles`]);
    expect(counters['shaderCore.cyclesBusy']).toBeGreaterThanOrEqual(instructions);
    expect(counters['shaderCore.cyclesBusy']).toBeLessThanOrEqual(
      instructions * Math.max(...issueCycles),
    );
    expect(counters['textureUnit.requests']).toBe(counters['textureUnit.requestsLogged']);
    expect(counters['textureUnit.lineHits']! + counters['textureUnit.lineMisses']!).toBe(
      counters['textureUnit.linesLogged'],
    );
    const { makespanCycles, lowerBoundCycles } = report.assignment;
    expect(lowerBoundCycles!).toBeLessThanOrEqual(makespanCycles!);
    const { visibility, totals, link, assignment } = report;
    expect(totals.cycles!).toBeGreaterThanOrEqual(visibility.cycles! + makespanCycles!);
    // Uploads, assigning the bins and waiting for the link are added, at most as long as the link
    // is occupied.
    const added = totals.cycles! - visibility.cycles! - makespanCycles!;
    const copied = Math.max(...report.chiplets.map(({ copyCycles }) => copyCycles!));
    // Chiplet 0 stores pixels that it collects, at half of its peak bandwidth at least.
    const imageBytes = 4 * frame.widthPx * frame.heightPx;
    const { peakBytesPerCycle } = report.chiplets[0]!.memory!;
    const stored = coupling === 'exact' ? (2 * imageBytes) / peakBytesPerCycle : 0;
    const waited = link.cycles! + 2 * link.latencyCycles + copied + stored;
    expect(added).toBeLessThanOrEqual(assignment.cycles! + waited);

    // 4. The bytes that clients of memory request are the bytes that are served, and the sum of
    //    their parts.
    const count = (name: CounterName) => counters[name] ?? 0;
    const asked = COUNTER_NAMES.filter((name) => /^memory\.\w+Bytes(Read|Written)$/.test(name));
    expect(count('memory.bytesServed')).toBe(asked.reduce((sum, name) => sum + count(name), 0));
    const { 'l2Cache.lineHits': hits = 0, 'l2Cache.linesMerged': merged = 0 } = counters;
    const lines = hits + merged + count('l2Cache.lineMisses') + count('l2Cache.linesWritten');
    expect(count('memory.bytesServed')).toBe(64 * lines);
    expect(count('memory.bytesRead')).toBe(64 * count('l2Cache.lineMisses'));
    expect(count('dram.channelCyclesBusy') / spec.dramChannels).toBeLessThan(
      count('dram.cyclesBusy') + 1,
    );

    // 5. The committed figures.
    const row = [
      scene,
      spec.name,
      coupling,
      CHIPLETS,
      report.totals.cycles,
      report.visibility.cycles,
      makespanCycles,
      lowerBoundCycles,
      counters['shaderCore.warpInstructions'],
    ].map(String);
    if (isRenewing) renewRow(row);
    else expect(row).toEqual(table.get(keyOf(row)));
  });
});

describe('a bin that is timed by itself', () => {
  it.each(Object.values(CHIPLET_PRESETS))(
    'takes the same cycles on any number, $name',
    async (spec) => {
      const frame = await GOLDEN_SCENES.terrain!();
      const binCycles = async (chiplets: number) => {
        const { report } = await new LocalGpu({ chipletCount: chiplets, spec }).render(frame, {
          policy: 'static',
          grid: { kind: 'bins', count: 8 },
          visibilityShader: 'minimal',
          timing: 'cycle',
          coupling: 'none',
        });
        return report.bins.map(({ startCycle, endCycle }) => endCycle! - startCycle!);
      };
      const one = await binCycles(1);
      expect(await binCycles(2)).toEqual(one);
      expect(await binCycles(5)).toEqual(one);
    },
  );
});

function sumCounters(chiplets: readonly { readonly counters: Counters }[]): Counters {
  const sum: Counters = {};
  for (const { counters } of chiplets) addCounters(sum, counters);
  return sum;
}

function renewRow(row: readonly Cell[]): void {
  mkdirSync(join(FILE, '..'), { recursive: true });
  const rows = [...readTable().set(keyOf(row), row).values()];
  writeFileSync(FILE, formatCsv({ head: HEAD, rows, keyColumns: 3 }));
}
