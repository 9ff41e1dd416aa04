import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cubeFrame, terrainFrame, texturedQuadFrame } from '@tessera/scenes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MeasurementStore, type MeasureSetting } from './measurement-store.ts';

const SIZE = { widthPx: 64, heightPx: 48 } as const;
const CUBE = { read: async () => cubeFrame(SIZE) };
/** Frame with a phase that is long enough for an early bin. */
const TERRAIN = { read: async () => terrainFrame({ ...SIZE, triangles: 800 }) };
const QUAD = { read: async () => texturedQuadFrame(SIZE) };
const SETTING: MeasureSetting = { bins: 4, visibility: 'full' };

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tessera-measurements-'));
});

afterAll(() => rm(folder, { recursive: true }));

describe('measurement store', () => {
  it('measures frames of the same content once, and others separately', async () => {
    const store = await MeasurementStore.open();
    const [cube] = await store.measure(CUBE, [SETTING]);
    const [again] = await store.measure({ read: async () => cubeFrame(SIZE) }, [SETTING]);
    const [quad] = await store.measure(QUAD, [SETTING]);
    expect(again).toBe(cube);
    expect(quad).not.toEqual(cube);
  });

  it('measures each setting separately', async () => {
    const settings: MeasureSetting[] = [
      SETTING,
      { ...SETTING, bins: 8 },
      { ...SETTING, visibility: 'minimal' },
      { ...SETTING, rendersEarlyBin: false },
    ];
    const store = await MeasurementStore.open();
    const measurements = await store.measure(TERRAIN, settings);
    expect(new Set(measurements).size).toBe(settings.length);
    const hasEarlyBin = measurements.map(({ passes }) =>
      passes.some(({ bins }) => bins.some(({ isEarly }) => isEarly)),
    );
    expect(hasEarlyBin).toEqual([true, true, false, false]);
    expect(await store.measure(TERRAIN, [{ ...SETTING, rendersEarlyBin: true }])).toEqual([
      measurements[0],
    ]);
  });

  it('keeps measurements in a file, under hashes', async () => {
    const path = join(folder, 'kept.jsonl');
    const first = await (await MeasurementStore.open(path)).measure(CUBE, [SETTING]);
    const text = await readFile(path, 'utf8');
    expect(JSON.parse(text).key).toMatch(/^[0-9a-f]{64}$/);
    const second = await (await MeasurementStore.open(path)).measure(CUBE, [SETTING]);
    expect(second).toEqual(first);
    expect(await readFile(path, 'utf8')).toBe(text);
  });

  it('does not find a measurement under a name, or under the hash of another simulator', async () => {
    const path = join(folder, 'stale.jsonl');
    const stale = ['cube 64×48 4 full', '0'.repeat(64)].map(
      (key) => `${JSON.stringify({ key, measurement: { passes: [] } })}\n`,
    );
    await writeFile(path, stale.join(''));
    const [measurement] = await (await MeasurementStore.open(path)).measure(CUBE, [SETTING]);
    expect(measurement!.passes).toHaveLength(1);
  });
});
