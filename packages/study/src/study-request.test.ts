import { DEFAULT_CHIPLET_SPEC, summarizeSpec } from '@tessera/chiplet-spec';
import { describe, expect, it } from 'vitest';
import { checkKinds, checkRequest, parseSize } from './check-request.ts';
import {
  countPoints,
  countSimulations,
  groupPoints,
  listPoints,
  listSimulations,
  type StudyRequest,
} from './study-request.ts';

const REQUEST: StudyRequest = {
  title: '',
  frames: ['model', 'capture', 'native'],
  kinds: ['model', 'capture', 'frame'],
  chiplets: [1, 2],
  policies: ['static', 'dynamic'],
  specs: [null],
  bases: [summarizeSpec(DEFAULT_CHIPLET_SPEC)],
  sweep: {},
  bins: [8, 16],
  grids: [],
  splits: [],
  visibility: ['minimal'],
  occlusion: [],
  organizations: [],
  visibilityChiplets: [],
  visibilityDelivery: [],
  sizes: [],
  frameIndices: [],
  linkTopologies: ['bus', 'ring'],
  linkBytesPerCycle: [64],
  linkLatencyCycles: [32],
  placements: ['replicated'],
  overlaps: ['visibility-first'],
  coupling: 'exact',
  counters: [],
};

describe('points of a study', () => {
  it('are as many as are counted, in the order of the scenes', () => {
    const request = {
      ...REQUEST,
      splits: [0, 1],
      occlusion: [false, true],
      sweep: { smCount: [1, 2] },
    };
    const points = listPoints(request);
    expect(points).toHaveLength(countPoints(request));
    expect(points).toHaveLength(3 * 2 * 2 * 2 * 2);
    expect(points.map(({ position }) => position)).toEqual(points.map((_, i) => i));
    expect([...new Set(points.map(({ frameIndex }) => frameIndex))]).toEqual([0, 1, 2]);
  });

  it('have every combination of the ways to share a frame, or null for those of the scene', () => {
    const kinds = ['frame'] as const;
    const request = {
      ...REQUEST,
      kinds,
      bins: [8],
      organizations: ['binned', 'alternate-frame'] as const,
      visibilityChiplets: [1, 2],
      visibilityDelivery: ['phase', 'stream'] as const,
    };
    const points = listPoints(request);
    expect(countPoints(request)).toBe(8);
    expect(
      points.map((point) => [
        point.organization,
        point.visibilityChiplets,
        point.visibilityDelivery,
      ]),
    ).toEqual(
      request.organizations.flatMap((organization) =>
        [1, 2].flatMap((count) => [
          [organization, count, 'phase'],
          [organization, count, 'stream'],
        ]),
      ),
    );
    const [own] = listPoints({ ...REQUEST, kinds });
    expect(own).toMatchObject({
      organization: null,
      visibilityChiplets: null,
      visibilityDelivery: null,
    });
  });

  it('have sizes only for models and frames only for captures', () => {
    const sizes = [parseSize('64x48', 100), parseSize('32x24', 100)];
    const request = { ...REQUEST, bins: [8], sizes, frameIndices: [3, 4, 5] };
    const points = listPoints(request);
    expect(countPoints(request)).toBe(6);
    expect(
      points.map(({ frameIndex, size, captureFrame }) => [frameIndex, size, captureFrame]),
    ).toEqual([
      [0, sizes[0], null],
      [0, sizes[1], null],
      [1, null, 3],
      [1, null, 4],
      [1, null, 5],
      [2, null, null],
    ]);
  });

  it('have grids in place of bins', () => {
    const points = listPoints({ ...REQUEST, kinds: ['frame'], grids: ['4x2', '6'] });
    expect(points.map(({ bins, grid }) => [bins, grid?.kind])).toEqual([
      [8, 'shape'],
      [6, 'bins'],
    ]);
  });

  it('share a rendering if only parameters of the timing differ, and counters are not asked for', () => {
    const request = {
      ...REQUEST,
      kinds: ['frame' as const],
      bins: [8],
      sweep: { smCount: [1, 2, 3] },
    };
    expect(groupPoints(listPoints(request), request)).toHaveLength(1);
    const counted = { ...request, counters: ['memory.bytesRead'] };
    expect(groupPoints(listPoints(counted), counted)).toHaveLength(3);
    const recorded = { ...request, sweep: { warpThreads: [16, 32] } };
    expect(groupPoints(listPoints(recorded), recorded)).toHaveLength(2);
    const split = { ...REQUEST, splits: [0, 1] };
    expect(groupPoints(listPoints(split), split)).toHaveLength(countPoints(split));
    const shared = { ...request, organizations: ['binned', 'split-frame'] as const };
    expect(groupPoints(listPoints(shared), shared).map(({ length }) => length)).toEqual([3, 3]);
  });
});

describe('simulations of a study', () => {
  it('are all combinations of policy, link, placement and overlap', () => {
    const request = { ...REQUEST, placements: ['replicated', 'home'] };
    const simulations = listSimulations(request);
    expect(simulations.length * request.chiplets.length).toBe(countSimulations(request));
    expect(simulations[1]).toEqual({
      policy: 'static',
      interconnect: { topology: 'bus', bytesPerCycle: 64, latencyCycles: 32 },
      placement: 'home',
      overlap: 'visibility-first',
    });
  });
});

describe('a request', () => {
  it.each<[Partial<StudyRequest>, string]>([
    [{ policies: ['best'] }, "body.policies: policy: 'best' is not one of"],
    [{ grids: ['auto'] }, "body.grids: 'auto' depends on the number of chiplets"],
    [{ grids: ['4x'] }, "body.grids: '4x' is not a number of bins"],
    [{ placements: ['near'] }, "body.placements: placement: 'near'"],
    [{ linkBytesPerCycle: [0] }, 'body.link: link bytesPerCycle: 0 is not an integer from 1'],
    [{ linkLatencyCycles: [0], placements: ['home'] }, 'body.link: link latencyCycles: 0'],
    [{ chiplets: [2, 257] }, '257 chiplets; at most 256'],
    [{ coupling: 'none', linkTopologies: ['mesh'] }, "body.link: link topology: 'mesh' needs"],
    [{ coupling: 'none', counters: ['memory.bytesRead'] }, 'body.counters: needs coupling exact'],
    [{ counters: ['memory.bits'] }, "body.counters: 'memory.bits' is no counter"],
  ])('is refused with the field: %j', (change, message) => {
    expect(() => checkRequest({ ...REQUEST, ...change }, (field) => `body.${field}`)).toThrow(
      message,
    );
  });

  it('is accepted with a placement and a topology that need coupling exact', () => {
    const request = { ...REQUEST, linkTopologies: ['mesh'] as const, placements: ['home'] };
    expect(() => checkRequest(request)).not.toThrow();
    expect(() => checkKinds(request)).not.toThrow();
  });

  it('is refused if no scene has the size or frame that it sweeps', () => {
    const size = { widthPx: 4, heightPx: 4 };
    expect(() => checkKinds({ kinds: ['capture'], sizes: [size], frameIndices: [] })).toThrow(
      /^sizes: none of the scenes is a model/,
    );
    expect(() =>
      checkKinds({ kinds: ['model'], sizes: [], frameIndices: [1] }, () => 'frame'),
    ).toThrow(/^frame: none of the scenes is a capture/);
  });

  it.each(['640', '0x10', '10x101', '10x', 'axb', '-1x5'])('refuses the size %s', (text) => {
    expect(() => parseSize(text, 100)).toThrow(
      `sizes: '${text}' is not WIDTHxHEIGHT with edges from 1 to 100 pixels`,
    );
  });
});
