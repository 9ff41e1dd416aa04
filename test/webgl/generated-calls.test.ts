/** A short run of `npm run fuzz -- webgl`: generated calls, executed in this process. */
import { describe, expect, it } from 'vitest';
import type { Argument, Call, CallList } from '../../scripts/fuzz/webgl/calls/call-list.ts';
import { constants } from '../../scripts/fuzz/webgl/calls/constants.ts';
import { generateCalls } from '../../scripts/fuzz/webgl/generate-calls.ts';
import { findOwnExceptions, formatList } from '../../scripts/fuzz/webgl/own-exceptions.ts';
import { shrinkCalls } from '../../scripts/fuzz/webgl/shrink-calls.ts';
import { runInTessera } from '../../scripts/fuzz/webgl/tessera-side.ts';

const SEED = 7;
const LIST_COUNT = 16;

/** Calls that no state of a context may make fail: a clear and a read of the drawing buffer. */
function survivalCalls({ version }: CallList): readonly Call[] {
  const call = (name: string, ...given: readonly Argument[]): Call => ({ name, arguments: given });
  const [framebuffer, color, rgba, bytes] = constants(
    'FRAMEBUFFER COLOR_BUFFER_BIT RGBA UNSIGNED_BYTE',
  );
  const [pack, rowLength, skip] = constants('PIXEL_PACK_BUFFER PACK_ROW_LENGTH PACK_SKIP_PIXELS');
  const ofWebGl2 = [
    call('bindBuffer', pack!, null),
    call('readBuffer', constants('BACK')[0]!),
    call('pixelStorei', rowLength!, 0),
    call('pixelStorei', skip!, 0),
  ];
  const pixels: Argument = { view: 'Uint8Array', length: 4, values: [] };
  return [
    call('bindFramebuffer', framebuffer!, null),
    ...(version === 2 ? ofWebGl2 : []),
    call('clear', color!),
    call('readPixels', 0, 0, 1, 1, rgba!, bytes!, pixels),
  ];
}

describe('generated WebGL calls', () => {
  it('throw only what WebGL prescribes, and leave contexts that work', () => {
    const found: string[] = [];
    let [callCount, successCount] = [0, 0];
    for (let index = 0; index < LIST_COUNT; index++) {
      const list = generateCalls(SEED, index);
      const survival = survivalCalls(list);
      const run = runInTessera({ ...list, calls: [...list.calls, ...survival] });
      for (const { callIndex, message } of findOwnExceptions(list, run)) {
        found.push(`list ${index}, call ${callIndex}: ${message}`);
      }
      const last = run.outcomes.slice(-survival.length).map(({ status }) => status);
      expect(last, `list ${index} of seed ${SEED}`).toEqual(survival.map(() => 0));
      callCount += run.outcomes.length;
      successCount += run.outcomes.filter(({ status }) => status === 0).length;
    }
    expect(found).toEqual([]);
    expect(callCount).toBeGreaterThan(LIST_COUNT * 300);
    // Both kinds must be there: calls that reach deep state, and calls that fail.
    expect(successCount / callCount).toBeGreaterThan(0.5);
    expect(successCount / callCount).toBeLessThan(0.9);
  });

  it('have the same outcomes in every run', () => {
    for (const index of [0, 1]) {
      const [first, second] = [0, 0].map(() => {
        const list = generateCalls(SEED, index);
        return { list, outcomes: runInTessera(list).outcomes };
      });
      expect(first).toEqual(second);
    }
    expect(generateCalls(SEED + 1, 0)).not.toEqual(generateCalls(SEED, 0));
  });
});

describe('a reduced list', () => {
  it('has the calls that the finding needs, in order, and no others', async () => {
    const list = generateCalls(SEED, 2);
    const last: Call = { name: 'finding', arguments: [] };
    const middle = list.calls.length >> 1;
    const [first, second] = [list.calls[10]!, list.calls[middle]!];
    const shows = ({ calls }: CallList) => calls.includes(first) && calls.includes(second);
    const start = { ...list, calls: [...list.calls, last] };
    const { calls } = await shrinkCalls(start, shows);
    expect(calls).toEqual([first, second, last]);
    expect(formatList({ ...list, calls })).toContain('gl.finding()');
  });
});
