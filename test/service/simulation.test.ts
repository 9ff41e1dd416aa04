/**
 * Deterministic simulation of a service (docs/decisions/simulation.md): a short run, its replay,
 * and faults that are put in by hand.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '@tessera/scenes/seeded-random';
import { afterEach, describe, expect, it } from 'vitest';
import { type BatchOptions, runSeeds, type TimedResult } from '../../scripts/simulation/batches.ts';
import { faultySources } from '../../scripts/simulation/plant-fault.ts';
import { FAULTS } from '../../scripts/simulation/planted-faults.ts';
import { shrinkSeed } from '../../scripts/simulation/shrink-seed.ts';
import { Disk } from '../../scripts/simulation/world/disk.ts';
import { EventQueue } from '../../scripts/simulation/world/event-queue.ts';
import { World } from '../../scripts/simulation/world/world.ts';

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

async function run(options: BatchOptions): Promise<TimedResult[]> {
  const results: TimedResult[] = [];
  for await (const result of runSeeds(options)) results.push(result);
  return results;
}

describe('a simulated service', () => {
  it('violates no law while everything fails, and a seed repeats exactly', async () => {
    const seeds = await run({ seed: 86, seeds: 5, events: 4000 });
    expect(seeds.flatMap(({ violations }) => violations)).toEqual([]);
    for (const kind of ['frames', 'sequences', 'studies'] as const) {
      expect(seeds.reduce((sum, { jobs }) => sum + jobs[kind], 0)).toBeGreaterThan(0);
    }
    const [again] = await run({ seed: 88, seeds: 1, events: 4000 });
    const { cpuMs: _, ...repeated } = again!;
    const { cpuMs: __, ...first } = seeds[2]!;
    expect(repeated).toEqual(first);
  }, 300_000);

  it('reveals a fault that is put in by hand', async () => {
    const options = { seed: 24, seeds: 8, events: 6000, fault: 'leaked-place' };
    let found: TimedResult | null = null;
    for await (const result of runSeeds(options)) {
      if (result.violations.length === 0) continue;
      found = result;
      break;
    }
    expect(found?.violations.map(({ law }) => law)).toContain('places of ended frames are free');
  }, 300_000);

  it('is shrunk to the clients, disturbances and events that a violation needs', async () => {
    const law = 'accepted jobs end';
    const makeResult = ({ seed, events, without = [], clients = 6 }: BatchOptions) => {
      const isFailing = events >= 700 && clients >= 2 && !without.includes('crash');
      const violations = isFailing ? [{ law, detail: '' }] : [];
      return { seed, violations, disturbances: { crash: 3, halt: 1 } } as unknown as TimedResult;
    };
    const options = { seed: 4, seeds: 1, events: 6000 };
    const shrunk = await shrinkSeed(options, makeResult(options), async function* (tried) {
      yield makeResult(tried);
    });
    expect(shrunk.options).toEqual({
      seed: 4,
      seeds: 1,
      events: 750,
      clients: 2,
      without: ['halt'],
    });
  });

  it.each(FAULTS)('has the text that the fault $name replaces', (fault) => {
    expect(faultySources(fault).size).toBeGreaterThan(0);
  });
});

describe('a simulated disk', () => {
  function makeDisk(seed: number): Disk {
    const folder = mkdtempSync(join(tmpdir(), 'tessera-disk-'));
    folders.push(folder);
    return new Disk(new World(seed), folder);
  }

  it('loses what was not forced when the power fails, and nothing else', () => {
    const lost = { content: 0, name: 0, removal: 0 };
    for (let seed = 0; seed < 40; seed++) {
      const disk = makeDisk(seed);
      const path = (name: string) => join(disk.folder, name);
      for (const name of ['kept', 'renamed', 'removed']) {
        writeFileSync(path(name), 'content');
        disk.noteCreated(path(name));
        disk.noteWrite(path(name));
        disk.noteForced(path(name));
      }
      disk.noteForced(disk.folder);
      writeFileSync(path('unforced'), 'content');
      disk.noteWrite(path('unforced'));
      disk.rename(path('renamed'), path('moved'));
      disk.remove(path('removed'));
      disk.losePower();
      const read = (name: string) => {
        try {
          return readFileSync(path(name), 'utf8');
        } catch {
          return null;
        }
      };
      expect(read('kept')).toBe('content');
      expect([read('renamed'), read('moved')].filter((text) => text !== null)).toEqual(['content']);
      expect('content'.startsWith(read('unforced')!)).toBe(true);
      if (read('unforced') !== 'content') lost.content++;
      if (read('moved') === null) lost.name++;
      if (read('removed') === 'content') lost.removal++;
    }
    for (const count of Object.values(lost)) {
      expect(count).toBeGreaterThan(0);
      expect(count).toBeLessThan(40);
    }
  });

  it('refuses only writing when it is full', () => {
    const disk = makeDisk(1);
    disk.fault = { kind: 'ENOSPC', probability: 1 };
    expect(() => disk.check('write', 'open', disk.folder)).toThrow(/ENOSPC/);
    disk.check('read', 'open', disk.folder);
    disk.fault = { kind: 'EIO', probability: 1 };
    expect(() => disk.check('read', 'open', disk.folder)).toThrow(/EIO/);
    disk.check('write', 'open', '/elsewhere');
  });
});

it('orders events by time and creation, as sorting does', () => {
  const random = seededRandom(7);
  const queue = new EventQueue<{ atMs: number; order: number }>();
  const events = Array.from({ length: 500 }, (_, order) => ({
    atMs: random.integer(0, 49),
    order,
  }));
  for (const event of events) queue.push(event);
  const sorted = events.toSorted((a, b) => a.atMs - b.atMs || a.order - b.order);
  expect(Array.from(events, () => queue.pop())).toEqual(sorted);
  expect(queue.pop()).toBeUndefined();
});
