import { DEFAULT_CHIPLET_SPEC, summarizeSpec } from '@tessera/chiplet-spec';
import { countPoints, countSimulations, listPoints } from '@tessera/study';
import { describe, expect, it } from 'vitest';
import { type StoredRequest, upgradeRequest } from './upgrade-request.ts';

/** Axes of the first version. */
const STORED: StoredRequest = {
  title: 'old',
  frames: ['a', 'b'],
  chiplets: [1, 2, 4],
  policies: ['static', 'dynamic'],
  specs: [null],
  bases: [summarizeSpec(DEFAULT_CHIPLET_SPEC)],
  bins: [8, 16],
  visibility: ['minimal'],
};

describe('the request of an earlier version', () => {
  it('has every axis, with as many points and simulations as before', () => {
    const request = upgradeRequest(STORED);
    expect(request).toMatchObject(STORED);
    expect(countPoints(request)).toBe(2 * 2);
    expect(listPoints(request)).toHaveLength(2 * 2);
    expect(countSimulations(request)).toBe(3 * 2);
    expect(listPoints(request)[0]).toMatchObject({
      organization: null,
      visibilityChiplets: null,
      visibilityDelivery: null,
    });
  });

  it('keeps the axes that it has', () => {
    const axes = {
      organizations: ['split-frame'],
      splits: [1],
      kinds: ['model', 'frame'],
    } as const;
    expect(upgradeRequest({ ...STORED, ...axes })).toMatchObject(axes);
  });
});
