import { describe, expect, it } from 'vitest';
import { refuseBeyondShare } from './queue-places.ts';

/**
 * Returns the number of places that each client gets if the clients take places in turn, each as
 * many as it can.
 */
function takeAll(limit: number, clientCount: number): number[] {
  const taken: number[] = [];
  for (let client = 0; client < clientCount; client++) {
    const before = taken.reduce((sum, count) => sum + count, 0);
    let byClient = 0;
    try {
      for (; ; byClient++) refuseBeyondShare(limit, { all: before + byClient, byClient });
    } catch (error) {
      expect(error).toMatchObject({ code: 'QUEUE_FULL' });
    }
    taken.push(byClient);
  }
  return taken;
}

describe('refuseBeyondShare', () => {
  it.each([
    [32, [24, 6, 2]],
    [16, [12, 3, 1]],
    [4, [3, 1]],
    // Too few places to reserve any.
    [2, [2, 0]],
    [1, [1, 0]],
  ])('of %i places leaves some to clients that come later: %j', (limit, expected) => {
    expect(takeAll(limit, expected.length)).toEqual(expected);
  });

  it('names the clients that the free places are reserved for', () => {
    expect(() => refuseBeyondShare(32, { all: 24, byClient: 24 })).toThrow(
      '24 frames of this client are waiting; the 8 free places of 32 are reserved for other clients',
    );
    expect(() => refuseBeyondShare(32, { all: 24, byClient: 0 })).not.toThrow();
    expect(() => refuseBeyondShare(32, { all: 32, byClient: 0 })).toThrow('at most 32');
  });
});
