/** Compares the list with an array from which requests are spliced. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DramRequests } from './dram-requests.ts';

const CAPACITY = 5;

it('keeps requests in order through any additions and removals', () => {
  // A number removes the request at that place, if there is one; null adds one.
  const anyStep = fc.option(fc.nat(CAPACITY - 1), { nil: null, freq: 2 });
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 80 }), (steps) => {
      const list = new DramRequests(CAPACITY);
      const expected: number[] = [];
      let next = 0;
      for (const step of steps) {
        if (step === null && expected.length < CAPACITY) {
          expected.push(next);
          list.add(next, next + 1000, next + 2000);
          next++;
        } else if (step !== null && step < expected.length) {
          expected.splice(step, 1);
          list.remove(list.first + step);
        }
        const held = (words: Int32Array) => Array.from(words.subarray(list.first, list.end));
        expect(list.count).toBe(expected.length);
        expect(held(list.requests)).toEqual(expected);
        expect(held(list.banks)).toEqual(expected.map((request) => request + 1000));
        expect(held(list.rows)).toEqual(expected.map((request) => request + 2000));
      }
    }),
    { numRuns: 300 },
  );
});
