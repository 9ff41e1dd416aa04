import { describe, expect, it } from 'vitest';
import { parseNumberList } from './number-list.ts';
import { axesOf, makeSeries } from './study-series.ts';
import type { StudyRow } from './study-types.ts';

const row = (policy: string, chiplets: number, cycles: number, bins = 32): StudyRow => ({
  frame: 'f',
  scene: 'm',
  spec: 'default',
  bins,
  visibility: 'minimal',
  policy,
  chiplets,
  cycles,
  simulatedMs: 0,
  visibilityCycles: 0,
  speedUp: 1,
  efficiency: 1,
  imbalance: 1,
  linkBytes: 0,
});

describe('makeSeries', () => {
  it('makes a line for each policy, by number of chiplets', () => {
    expect(
      makeSeries([row('static', 4, 30), row('static', 1, 90), row('dynamic', 1, 91)], 'cycles'),
    ).toEqual([
      {
        name: 'static',
        points: [
          { x: 1, y: 90 },
          { x: 4, y: 30 },
        ],
      },
      { name: 'dynamic', points: [{ x: 1, y: 91 }] },
    ]);
  });

  it('names scenes, with their frames if a name repeats', () => {
    const names = (...scenes: readonly (readonly [string, string])[]) =>
      makeSeries(
        scenes.map(([scene, frame]) => ({ ...row('static', 1, 1), scene, frame })),
        'cycles',
      ).map(({ name }) => name);
    expect(names(['box', 'a'], ['duck', 'b'])).toEqual(['static, box', 'static, duck']);
    expect(names(['box', 'a'], ['box', 'b'])).toEqual(['static, box a', 'static, box b']);
  });

  it('names whatever else differs', () => {
    const names = makeSeries([row('static', 1, 1, 8), row('static', 1, 1, 32)], 'cycles');
    expect(names.map(({ name }) => name)).toEqual(['static, 8 bins', 'static, 32 bins']);
  });
});

describe('makeSeries of a swept parameter', () => {
  const rows = [
    { l2CacheBytes: 1024, hasBoxTest: true, cycles: 9 },
    { l2CacheBytes: 512, hasBoxTest: true, cycles: 12 },
    { l2CacheBytes: 512, hasBoxTest: false, cycles: 13 },
  ].map(({ cycles, ...settings }) => ({
    ...row('static', 2, cycles),
    spec: `default+l2CacheBytes=${settings.l2CacheBytes}`,
    settings,
  }));

  it('can be over the parameter if it is a number', () => {
    expect(axesOf(rows)).toEqual(['chiplets', 'l2CacheBytes']);
    expect(makeSeries(rows, 'cycles', 'l2CacheBytes')).toEqual([
      {
        name: 'static, hasBoxTest=true',
        points: [
          { x: 512, y: 12 },
          { x: 1024, y: 9 },
        ],
      },
      { name: 'static, hasBoxTest=false', points: [{ x: 512, y: 13 }] },
    ]);
  });

  it('distinguishes its values over chiplets', () => {
    expect(makeSeries(rows.slice(0, 2), 'cycles').map(({ name }) => name)).toEqual([
      'static, l2CacheBytes=1024',
      'static, l2CacheBytes=512',
    ]);
  });
});

describe('parseNumberList', () => {
  it.each([
    ['1, 2,4 8', [1, 2, 4, 8]],
    ['3-5, 4', [3, 4, 5]],
    ['', []],
  ])('reads %j', (text, numbers) => {
    expect(parseNumberList(text)).toEqual(numbers);
  });

  it.each(['x', '1-', '5-3', '1-1000', '-1'])('refuses %j by name', (text) => {
    expect(() => parseNumberList(text)).toThrow(`'${text}'`);
  });
});
