import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineChipletSpec } from '@tessera/chiplet-spec';
import type { Coupling } from '@tessera/frame';
import type { TraceEvent } from '@tessera/multi-chiplet';
import { terrainFrame } from '@tessera/scenes';
import { describe, expect, it } from 'vitest';
import { LocalGpu } from './local-gpu.ts';

const ROOT = join(import.meta.dirname, '../../..');
const PAGE = 'docs/how-to/open-the-timeline.md';
const INTERVAL_CYCLES = 8192;
const MAX_INTERVALS = 16;
const SLOW = defineChipletSpec({ smCount: 2 });

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

const startOf = ({ ts }: TraceEvent) => Math.round(ts! * 1000);
const endOf = ({ ts, dur }: TraceEvent) => Math.round((ts! + dur!) * 1000);

/**
 * Returns the events of one chiplet: those of its phases and bins, and those of its units by
 * thread.
 */
async function renderTimeline(bins: number, coupling: Coupling) {
  const { timeline } = await new LocalGpu({ chipletCount: 1, spec: SLOW }).render(
    terrainFrame({ widthPx: 480, heightPx: 360, triangles: 20_000 }),
    {
      policy: 'static',
      grid: { kind: 'bins', count: bins },
      visibilityShader: 'minimal',
      timing: 'cycle',
      coupling,
    },
  );
  const events = timeline!.traceEvents.filter(({ ph, pid }) => ph === 'X' && pid === 0);
  const units = events.filter(({ tid }) => tid > 2);
  return {
    runs: events.filter(({ tid }) => tid === 0),
    units: [...Map.groupBy(units, ({ tid }) => tid).values()],
  };
}

describe('timeline of a frame', () => {
  it('is nowhere described as one of single cycles', () => {
    const pages = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => join('docs', name));
    for (const page of ['README.md', ...pages]) {
      expect(read(page), page).not.toMatch(/timeline.*\b(?:in|of) every cycle/i);
    }
  });

  it('is described by its page', () => {
    const page = read(PAGE).replaceAll(/\s+/g, ' ');
    expect(page).toContain(
      'An interval is 8,192 cycles of a chiplet, or with `--coupling none` of a bin or visibility phase.',
    );
    expect(page).toContain('more than 16 whole intervals, they are 2, 4, 8 … times as long.');
  });

  it.each([1, 8])('has one event per unit and interval of a run, %i bins', async (bins) => {
    const { runs, units } = await renderTimeline(bins, 'none');
    expect(units.length).toBeGreaterThan(10);
    const longest = Math.max(...runs.map((run) => endOf(run) - startOf(run)));
    expect(longest).toBeGreaterThan(INTERVAL_CYCLES);
    if (bins === 1) expect(longest).toBeGreaterThan(MAX_INTERVALS * INTERVAL_CYCLES);
    for (const run of runs) {
      const cycles = endOf(run) - startOf(run);
      for (const events of units) {
        const own = events.filter(
          (event) => startOf(event) >= startOf(run) && endOf(event) <= endOf(run),
        );
        expect(own.length).toBeLessThanOrEqual(MAX_INTERVALS + 1);
        const interval = own.length === 1 ? cycles : endOf(own[0]!) - startOf(own[0]!);
        if (own.length > 1) expect(Math.log2(interval / INTERVAL_CYCLES) % 1).toBe(0);
        for (const [i, event] of own.entries()) {
          expect(startOf(event) - startOf(run)).toBe(i * interval);
          expect(endOf(event)).toBe(i === own.length - 1 ? endOf(run) : startOf(event) + interval);
          const { busyCycles, starvedCycles, stalledCycles } = event.args as Record<string, number>;
          const states = { busy: busyCycles!, starved: starvedCycles!, stalled: stalledCycles! };
          const most = Math.max(...Object.values(states));
          expect(states[event.name as keyof typeof states]).toBe(most);
        }
      }
    }
  });

  it('has one event per unit and interval of a chiplet that runs on', async () => {
    const { runs, units } = await renderTimeline(8, 'exact');
    const end = Math.max(...runs.map(endOf));
    expect(end).toBeGreaterThan(MAX_INTERVALS * INTERVAL_CYCLES);
    // The last pixels are stored after the last bin.
    const lastEnd = endOf(units[0]!.at(-1)!);
    expect(lastEnd).toBeGreaterThanOrEqual(end);
    expect(lastEnd).toBeLessThan(1.1 * end);
    for (const events of units) {
      expect(events.length).toBeLessThanOrEqual(MAX_INTERVALS + 1);
      const interval = endOf(events[0]!);
      expect(Math.log2(interval / INTERVAL_CYCLES) % 1).toBe(0);
      for (const [i, event] of events.entries()) {
        expect(startOf(event)).toBe(i * interval);
        if (i < events.length - 1) expect(endOf(event)).toBe((i + 1) * interval);
        else expect(endOf(event)).toBe(lastEnd);
      }
    }
  });
});
