/** Comparison of two results of the same bin. */
import type { BinResult, UnitSpan } from '@tessera/frame';
import { isSameValue } from './same-value.ts';

/**
 * Whether two results are equal in everything that reaches an image or a report: pixels, depth and
 * stencil, counters, counts of queries, cycles, records and intervals of units. Identical hardware
 * and software give bit-identical results.
 */
export function isSameResult(a: BinResult, b: BinResult): boolean {
  return (
    isSameRect(a.rect, b.rect) &&
    a.cycles === b.cycles &&
    isSameList(a.alternativeCycles, b.alternativeCycles) &&
    a.colors.length === b.colors.length &&
    a.colors.every((color, i) => isSameBytes(color, b.colors[i]!)) &&
    isSameBytes(a.depthStencil, b.depthStencil) &&
    isSameNumbers(a.counters, b.counters) &&
    isSameList(a.queryCounts, b.queryCounts) &&
    a.spans.length === b.spans.length &&
    a.spans.every((span, i) => isSameSpan(span, b.spans[i]!)) &&
    isSameValue(a.records, b.records)
  );
}

function isSameRect(a: BinResult['rect'], b: BinResult['rect']): boolean {
  return a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;
}

function isSameBytes(a: Uint8Array | null, b: Uint8Array | null): boolean {
  if (a === null || b === null) return a === b;
  return Buffer.compare(a, b) === 0;
}

function isSameList(a: readonly number[] = [], b: readonly number[] = []): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}

function isSameNumbers(a: BinResult['counters'], b: BinResult['counters']): boolean {
  const names = Object.keys(a) as (keyof typeof a)[];
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && a[name] === b[name])
  );
}

function isSameSpan(a: UnitSpan, b: UnitSpan): boolean {
  return (
    a.unit === b.unit &&
    a.startCycle === b.startCycle &&
    a.endCycle === b.endCycle &&
    a.busyCycles === b.busyCycles &&
    a.starvedCycles === b.starvedCycles &&
    a.stalledCycles === b.stalledCycles
  );
}
