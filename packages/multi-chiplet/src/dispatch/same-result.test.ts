import type { BinResult } from '@tessera/frame';
import { expect, it } from 'vitest';
import { makeRun } from '../testing/made-run.ts';
import { isSameResult } from './same-result.ts';

function makeResult(): BinResult {
  return {
    frameId: 'f',
    passIndex: 0,
    binId: 1,
    rect: { x: 64, y: 0, width: 64, height: 64 },
    colors: [Uint8Array.of(1, 2, 3), new Uint8Array(0)],
    depthStencil: Uint8Array.of(4, 5),
    counters: { 'raster.fragmentsCovered': 9, 'geometry.primitivesIn': 2 },
    cycles: 100,
    spans: [
      {
        unit: 'raster',
        startCycle: 0,
        endCycle: 100,
        busyCycles: 50,
        starvedCycles: 40,
        stalledCycles: 10,
      },
    ],
  };
}

it('treats results as equal whatever the order of their counters', () => {
  const counters = { 'geometry.primitivesIn': 2, 'raster.fragmentsCovered': 9 };
  expect(isSameResult(makeResult(), { ...makeResult(), counters })).toBe(true);
});

it('compares what records contain, not where it is', () => {
  const wordsOf = (words: readonly number[]) =>
    new Int32Array(new Int32Array([0, ...words]).buffer, 4);
  const commands = [3, 0, -1];
  const own = { ...makeResult(), records: makeRun({ commands: Int32Array.from(commands) }) };
  const view = { ...makeResult(), records: makeRun({ commands: wordsOf(commands) }) };
  expect(isSameResult(own, view)).toBe(true);
});

it.each([
  ['a word', { commands: Int32Array.of(3, 0, -2) }],
  ['the number of words', { commands: Int32Array.of(3, 0) }],
  ['the bytes of the output', { outputBytes: 1 }],
  ['a program', { programs: null }],
  ['a log', { vertexLogs: [] }],
  ['a bit of a number', { arrays: Float64Array.of(0) }],
])('sees a difference in records: %s', (_what, change) => {
  const a = { ...makeResult(), records: makeRun({}) };
  const b = { ...makeResult(), records: makeRun(change) };
  expect(isSameResult(a, b)).toBe(false);
  expect(isSameResult(b, a)).toBe(false);
  expect(isSameResult(a, makeResult())).toBe(false);
});

it.each<[string, Partial<BinResult>]>([
  ['a pixel', { colors: [Uint8Array.of(1, 2, 4), new Uint8Array(0)] }],
  ['the number of attachments', { colors: [Uint8Array.of(1, 2, 3)] }],
  ['depth', { depthStencil: Uint8Array.of(4, 6) }],
  ['no depth', { depthStencil: null }],
  ['a counter', { counters: { 'raster.fragmentsCovered': 8, 'geometry.primitivesIn': 2 } }],
  ['a counter less', { counters: { 'raster.fragmentsCovered': 9 } }],
  ['another counter', { counters: { 'raster.fragmentsCovered': 9, 'raster.quadsCovered': 2 } }],
  ['the count of a query', { queryCounts: [1] }],
  ['cycles', { cycles: 101 }],
  ['no cycles', { cycles: null }],
  ['an interval', { spans: [{ ...makeResult().spans[0]!, stalledCycles: 11 }] }],
  ['no intervals', { spans: [] }],
  ['the rectangle', { rect: { x: 64, y: 0, width: 64, height: 32 } }],
])('sees a difference in %s', (_what, change) => {
  expect(isSameResult(makeResult(), { ...makeResult(), ...change })).toBe(false);
  expect(isSameResult({ ...makeResult(), ...change }, makeResult())).toBe(false);
});
