import { ORGANIZATIONS } from '@tessera/multi-chiplet/rendering';
import { describe, expect, it } from 'vitest';
import { checkSharing, type OwnSharing } from './check-sharing.ts';

const AXES = {
  chiplets: [2, 4],
  organizations: [],
  visibilityChiplets: [],
  visibilityDelivery: [],
  splits: [],
  placements: ['replicated'],
  counters: [],
} as const;

type Change = Partial<Parameters<typeof checkSharing>[0]>;

function check(change: Change, own: OwnSharing = {}): void {
  checkSharing({ ...AXES, ...change }, own, (field) => `body.${field}`);
}

describe('ways to share the frames of a study', () => {
  it.each<[Change, OwnSharing]>([
    [{}, {}],
    [{ organizations: ['binned', 'split-frame', 'alternate-frame'] }, {}],
    [{ visibilityChiplets: [1, 2], visibilityDelivery: ['phase', 'stream'] }, {}],
    [{ visibilityChiplets: [2], placements: ['textures=home', 'buffers=interleaved'] }, {}],
    [{ organizations: ['split-frame'], splits: [0, 3] }, {}],
    [{ organizations: ['alternate-frame'], counters: ['memory.bytesRead'] }, {}],
    // The study replaces the values of the frame.
    [{ organizations: ['binned'] }, { organization: 'sort-last' }],
    [{ visibilityChiplets: [1] }, { visibilityChiplets: 8 }],
    [{ visibilityDelivery: ['phase'], splits: [1] }, { visibilityDelivery: 'stream' }],
    [{ splits: [0], visibilityDelivery: ['stream'] }, { splits: 1 }],
    [{}, { isVisibilityChipletRendering: false }],
  ])('are accepted: %j of a frame with %j', (change, own) => {
    expect(() => check(change, own)).not.toThrow();
  });

  it.each<[Change, OwnSharing, string]>([
    [{ organizations: ORGANIZATIONS }, {}, 'body.organizations: sort-last is not possible in a st'],
    [{}, { organization: 'sort-last' }, 'body.organizations: sort-last is not possible'],
    [{ visibilityChiplets: [1, 3] }, {}, 'body.visibilityChiplets: 3 is more than the fewest chip'],
    [{}, { visibilityChiplets: 4 }, 'body.visibilityChiplets: 4 is more than the fewest'],
    [
      { visibilityChiplets: [1, 2], placements: ['replicated', 'home'] },
      {},
      'body.visibilityChiplets: visibilityChiplets: 2 is possible only with placement streams=rep',
    ],
    [
      { visibilityDelivery: ['phase', 'stream'], splits: [0, 1] },
      {},
      'body.visibilityDelivery: visibilityDelivery: stream is possible only without split bins',
    ],
    [{ splits: [2] }, { visibilityDelivery: 'stream' }, 'and split is 2'],
    [
      { visibilityDelivery: ['stream'], placements: ['streams=interleaved'] },
      {},
      'body.visibilityDelivery: visibilityDelivery: stream is possible only with placement',
    ],
    [
      { organizations: ['binned', 'split-frame'], visibilityChiplets: [1, 2] },
      {},
      'body.organizations: organization: split-frame is possible only with visibilityChiplets 1',
    ],
    [
      { organizations: ['alternate-frame'] },
      { visibilityDelivery: 'stream' },
      'organization: alternate-frame is possible only with visibilityDelivery phase',
    ],
    [
      { organizations: ['split-frame'], placements: ['replicated', 'targets=kept'] },
      {},
      'organization: split-frame is possible only with placement replicated',
    ],
    [
      { organizations: ['split-frame'] },
      { isVisibilityChipletRendering: false },
      'organization: split-frame is possible only if chiplet 0 renders bins',
    ],
    [
      { counters: ['memory.bytesRead'] },
      { organization: 'split-frame' },
      'body.counters: not possible with organization split-frame',
    ],
  ])('are refused with the field and the reason: %j of a frame with %j', (change, own, message) => {
    expect(() => check(change, own)).toThrow(message);
  });
});
