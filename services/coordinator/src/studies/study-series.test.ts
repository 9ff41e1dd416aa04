import type { StudyRequest, StudyRow } from '@tessera/study';
import { describe, expect, it } from 'vitest';
import { collectSeries, MAX_LINES } from './study-series.ts';

/** Returns a request that varies what is given. */
function requestOf(more: Partial<StudyRequest>): StudyRequest {
  return {
    title: '',
    frames: ['f'],
    kinds: ['model'],
    chiplets: [1, 4],
    policies: ['static'],
    specs: [null],
    bases: [{}],
    sweep: {},
    bins: [32],
    grids: [],
    splits: [],
    visibility: ['minimal'],
    occlusion: [],
    organizations: [],
    visibilityChiplets: [],
    visibilityDelivery: [],
    sizes: [],
    frameIndices: [],
    linkTopologies: ['bus'],
    linkBytesPerCycle: [64],
    linkLatencyCycles: [8],
    placements: ['replicated'],
    overlaps: ['none'],
    counters: [],
    ...more,
  } as unknown as StudyRequest;
}

function rowOf(more: Partial<StudyRow>): StudyRow {
  const row = { frame: 'f', scene: 'm', spec: 'default', policy: 'static', chiplets: 1, cycles: 1 };
  return { ...row, ...more } as StudyRow;
}

const CYCLES = { figure: 'cycles', over: 'chiplets' } as const;

async function namesOf(request: Partial<StudyRequest>, rows: readonly Partial<StudyRow>[]) {
  const { lines } = await collectSeries(requestOf(request), CYCLES, [rows.map(rowOf)]);
  return lines.map(({ name }) => name);
}

describe('collectSeries', () => {
  it('makes a line for each policy, by number of chiplets', async () => {
    const rows = [
      rowOf({ chiplets: 4, cycles: 30 }),
      rowOf({ chiplets: 1, cycles: 90 }),
      rowOf({ policy: 'dynamic', cycles: 91 }),
    ];
    const request = requestOf({ policies: ['static', 'dynamic'] });
    // Rows come in any division into lists.
    for (const lists of [[rows], rows.map((row) => [row])]) {
      const { lines, lineCount, isMean } = await collectSeries(request, CYCLES, lists);
      expect([lineCount, isMean]).toEqual([2, false]);
      expect(lines).toEqual([
        {
          name: 'static',
          points: [
            { x: 1, y: 90 },
            { x: 4, y: 30 },
          ],
        },
        { name: 'dynamic', points: [{ x: 1, y: 91 }] },
      ]);
    }
  });

  it('names scenes, with their frames if a name repeats', async () => {
    const [a, b] = [{ frame: 'a' }, { frame: 'b' }];
    const frames = { frames: ['a', 'b'] };
    expect(
      await namesOf(frames, [
        { ...a, scene: 'box' },
        { ...b, scene: 'duck' },
      ]),
    ).toEqual(['static, box', 'static, duck']);
    expect(
      await namesOf(frames, [
        { ...a, scene: 'box' },
        { ...b, scene: 'box' },
      ]),
    ).toEqual(['static, box a', 'static, box b']);
  });

  it('names whatever else the study varies', async () => {
    expect(await namesOf({ bins: [8, 32] }, [{ bins: 8 }, { bins: 32 }])).toEqual([
      'static, 8 bins',
      'static, 32 bins',
    ]);
    const links = [{ linkBytesPerCycle: 16 }, { linkBytesPerCycle: 64 }];
    expect(await namesOf({ linkBytesPerCycle: [16, 64] }, links)).toEqual([
      'static, 16 bytes per cycle',
      'static, 64 bytes per cycle',
    ]);
    const organizations = ['binned', 'split-frame'] as const;
    expect(
      await namesOf(
        { organizations },
        organizations.map((organization) => ({ organization })),
      ),
    ).toEqual(['static, binned', 'static, split-frame']);
    const visibilityDelivery = ['phase', 'stream'] as const;
    const shares = visibilityDelivery.map((delivery, i) => ({
      visibilityChiplets: i + 1,
      visibilityDelivery: delivery,
    }));
    expect(await namesOf({ visibilityChiplets: [1, 2], visibilityDelivery }, shares)).toEqual([
      'static, visibility on 1, visibility by phase',
      'static, visibility on 2, visibility by stream',
    ]);
  });

  it('takes the geometric mean over frames that would be too many lines', async () => {
    const frames = Array.from({ length: MAX_LINES + 1 }, (_, i) => `f${i}`);
    const rows = frames.map((frame, i) => rowOf({ frame, cycles: i % 2 === 0 ? 2 : 8 }));
    const { lines, isMean } = await collectSeries(requestOf({ frames }), CYCLES, [rows]);
    expect(isMean).toBe(true);
    expect(lines).toEqual([{ name: 'static', points: [{ x: 1, y: expect.closeTo(4) }] }]);
    const few = requestOf({ frames: frames.slice(1) });
    const shown = await collectSeries(few, CYCLES, [rows.slice(1)]);
    expect([shown.isMean, shown.lines.length]).toEqual([false, MAX_LINES]);
  });

  it('counts lines that are not shown', async () => {
    const bins = Array.from({ length: MAX_LINES + 3 }, (_, i) => i + 1);
    const rows = bins.map((count) => rowOf({ bins: count }));
    const series = await collectSeries(requestOf({ bins }), CYCLES, [rows]);
    expect([series.lines.length, series.lineCount]).toEqual([MAX_LINES, MAX_LINES + 3]);
  });
});

describe('collectSeries over a swept parameter', () => {
  const sweep = { l2CacheBytes: [512, 1024], hasBoxTest: [true, false] };
  const rows = [
    { l2CacheBytes: 1024, hasBoxTest: true, cycles: 9 },
    { l2CacheBytes: 512, hasBoxTest: true, cycles: 12 },
    { l2CacheBytes: 512, hasBoxTest: false, cycles: 13 },
  ].map(({ cycles, ...settings }) =>
    rowOf({ cycles, settings, spec: `default+l2CacheBytes=${settings.l2CacheBytes}` }),
  );
  const request = requestOf({ sweep, chiplets: [1] });

  it('has a line for each value of the others', async () => {
    const over = { figure: 'cycles', over: 'l2CacheBytes' } as const;
    expect((await collectSeries(request, over, [rows])).lines).toEqual([
      {
        name: 'static, hasBoxTest=on',
        points: [
          { x: 512, y: 12 },
          { x: 1024, y: 9 },
        ],
      },
      { name: 'static, hasBoxTest=off', points: [{ x: 512, y: 13 }] },
    ]);
  });

  it.each(['hasBoxTest', 'smCount', ''])('refuses %j, which is no number', async (over) => {
    await expect(collectSeries(request, { figure: 'cycles', over }, [rows])).rejects.toThrow(
      `over: '${over}' is not one of chiplets, l2CacheBytes`,
    );
  });
});
