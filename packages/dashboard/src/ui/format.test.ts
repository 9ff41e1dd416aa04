import { describe, expect, it } from 'vitest';
import {
  formatBytes,
  formatChange,
  formatCompact,
  formatDuration,
  formatNumber,
  formatShare,
} from './format.ts';

describe('figures', () => {
  it.each([
    [formatNumber(1234567), '1,234,567'],
    [formatNumber(1.23456), '1.235'],
    [formatNumber(null), '–'],
    [formatCompact(1234567), '1.23M'],
    [formatShare(0.1234), '12.3%'],
    [formatBytes(1023), '1023 B'],
    [formatBytes(1536), '1.5 KiB'],
    [formatBytes(3 * 2 ** 30), '3.0 GiB'],
    [formatDuration(12.4), '12 ms'],
    [formatDuration(1234), '1.2 s'],
    [formatDuration(95_000), '1 min 35 s'],
    [formatDuration(3_725_000), '1 h 2 min'],
    [formatChange(200, 225), '+12.5%'],
    [formatChange(200, 100), '-50%'],
    [formatChange(0, 5), '–'],
  ])('%s is %s', (shown, expected) => {
    expect(shown).toBe(expected);
  });
});
