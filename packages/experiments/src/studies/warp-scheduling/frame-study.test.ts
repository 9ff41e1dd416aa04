import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SLOT_POLICIES } from '@tessera/gpu';
import { terrainFrame } from '@tessera/scenes';
import { describe, expect, it } from 'vitest';
import { readFrame } from '../../inputs/read-frame.ts';
import { formatCsv, parseCsv, readRecords } from '../../tables/csv.ts';
import { compareFrame, studyFrame, studyRatioFrames } from './frame-study.ts';
import { ratioFrame } from './ratio-frames.ts';
import { plotStrategies } from './strategy-plot.ts';
import { RATIO_NAMES, SET_UPS, studyStrategies, TASK_RATIOS } from './strategy-study.ts';
import {
  documentTables,
  effortTable,
  figuresTable,
  framesTable,
  metricTable,
  readFigures,
} from './study-tables.ts';

describe('slot policies on frames', () => {
  it('draw the same image with the same warps in different numbers of cycles', async () => {
    const size = { widthPx: 160, heightPx: 120 };
    const rows = await studyFrame('terrain', () => terrainFrame({ ...size, triangles: 20_000 }));
    expect(rows.map(({ policy }) => policy)).toEqual(SLOT_POLICIES);
    expect(new Set(rows.map(({ imageSha256 }) => imageSha256)).size).toBe(1);
    expect(new Set(rows.map(({ fragmentWarps }) => fragmentWarps)).size).toBe(1);
    expect(new Set(rows.map(({ cycles }) => cycles)).size).toBeGreaterThan(1);
    const { winners, spreadPercent } = compareFrame(rows);
    expect(winners.length).toBeGreaterThan(0);
    expect(spreadPercent).toBeGreaterThan(0);
    expect(spreadPercent).toBeLessThan(30);
    expect(framesTable(rows).rows).toHaveLength(1);
  });
});

describe('slot policies on frames of the five ratios', async () => {
  const rows = await studyRatioFrames();
  const cyclesOf = (policy: string, ratio: string) =>
    rows.find((row) => row.policy === policy && row.scene === ratio)!.cycles;

  it('have the ratio of warps in their bins under every policy, within 4 %', () => {
    for (const ratio of RATIO_NAMES) {
      const [vertex, fragment] = TASK_RATIOS[ratio];
      for (const { scene, vertexWarps, fragmentWarps } of rows) {
        if (scene !== ratio) continue;
        const deviation = (vertexWarps * fragment) / (fragmentWarps * vertex) - 1;
        expect(Math.abs(deviation), ratio).toBeLessThan(0.04);
      }
      const images = rows.filter(({ scene }) => scene === ratio).map((row) => row.imageSha256);
      expect(new Set(images).size).toBe(1);
    }
  });

  it('are drawn fastest of the paper’s three by vertex-first at a and b, by pixel-biased at d and e', () => {
    for (const ratio of ['a 3:1', 'b 2:1']) {
      expect(cyclesOf('vertex-first', ratio)).toBeLessThan(cyclesOf('pixel-biased', ratio));
      expect(cyclesOf('vertex-first', ratio)).toBeLessThan(cyclesOf('fair-random', ratio));
    }
    for (const ratio of ['d 1:2', 'e 1:3']) {
      expect(1.15 * cyclesOf('pixel-biased', ratio)).toBeLessThan(cyclesOf('fair-random', ratio));
      expect(1.5 * cyclesOf('pixel-biased', ratio)).toBeLessThan(cyclesOf('vertex-first', ratio));
    }
  });
});

describe('slot policies with a FIFO that never fills', () => {
  it('draw the frame of 1:3 in the same cycles within 3 %', async () => {
    const rows = await studyFrame('e 1:3', () => ratioFrame('e 1:3'), { vertexResultWarps: 1024 });
    expect(compareFrame(rows).spreadPercent).toBeLessThan(3);
  });
});

describe('tables of the study', () => {
  it('have a row per policy and a column per ratio', () => {
    const rows = studyStrategies(SET_UPS[1], { cycles: 2000, seeds: [1] });
    expect(metricTable(rows, 'groups finished').rows).toHaveLength(5);
    expect(effortTable(rows).rows[0]!.slice(0, 2)).toEqual(['vertex-first', '1 deadlocks']);
    const csv = formatCsv(figuresTable({ strategies: rows, frames: [], ratioFrames: [] }));
    expect(csv.split('\n')[1]).toMatch(/^"dependent, no floor",a 3:1,vertex-first,2000,/);
    const figures = readFigures(readRecords(parseCsv(csv)));
    expect(formatCsv(figuresTable(figures))).toBe(csv);
    expect(plotStrategies(rows).match(/<polyline/g)).toHaveLength(5);
  });

  it('have the names of the set-ups in the document, and one for frames', () => {
    const options = { cycles: 100, seeds: [1] };
    const strategies = SET_UPS.flatMap((setUp) => studyStrategies(setUp, options));
    const tables = documentTables({ strategies, frames: [], ratioFrames: [] });
    expect([...tables.keys()]).toEqual([...SET_UPS.map(({ name }) => name), 'ratios', 'frames']);
  });
});

const CAPTURE = join(
  import.meta.dirname,
  '../../../../../../shared/captures/jellyfish/200x150/trace.trace',
);

describe.skipIf(!existsSync(CAPTURE))('slot policies on a capture', () => {
  it('draw the same image', async () => {
    const rows = await studyFrame(
      'jellyfish',
      async (programs) => (await readFrame(CAPTURE, {}, programs)).frame,
    );
    expect(new Set(rows.map(({ imageSha256 }) => imageSha256)).size).toBe(1);
    expect(rows.every(({ cycles }) => cycles > 0)).toBe(true);
  });
});
