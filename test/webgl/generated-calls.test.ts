/** Generated WebGL calls, executed in this process. */
import { createContext } from '@tessera/webgl';
import { describe, expect, it } from 'vitest';
import type { Argument, Call, CallList } from '../../scripts/fuzz/webgl/calls/call-list.ts';
import { constants } from '../../scripts/fuzz/webgl/calls/constants.ts';
import {
  SIGNATURES,
  SIGNATURES_OF_EXTENSIONS,
  SIGNATURES_OF_WEBGL2,
} from '../../scripts/fuzz/webgl/calls/signatures.ts';
import { callsOfBytes, generateCalls } from '../../scripts/fuzz/webgl/generate-calls.ts';
import { findOwnExceptions, formatList } from '../../scripts/fuzz/webgl/own-exceptions.ts';
import { shrinkCalls } from '../../scripts/fuzz/webgl/shrink-calls.ts';
import { runInTessera } from '../../scripts/fuzz/webgl/tessera-side.ts';

const SEED = 7;
const LIST_COUNT = 16;
/** Calls that Tessera's contexts have in addition to WebGL's. */
const OWN_CALLS = ['resize', 'destroy', 'frame', 'skipFrame'];

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

describe('calls from bytes', () => {
  const bytes = Uint8Array.from({ length: 1024 }, (_, index) => (index * 89) % 251);

  it('are those that the bytes choose, and end with them', () => {
    const list = callsOfBytes(bytes);
    expect(callsOfBytes(bytes)).toEqual(list);
    const half = callsOfBytes(bytes.subarray(0, 512));
    expect(half.calls.length).toBeGreaterThan(10);
    expect(half.calls.length).toBeLessThan(list.calls.length);
    // The last step of the shorter list made choices without bytes.
    expect(half.calls.slice(0, 10)).toEqual(list.calls.slice(0, 10));
  });

  it('change where a byte changes', () => {
    const damaged = Uint8Array.from(bytes);
    damaged[700]! ^= 0xff;
    const [before, after] = [callsOfBytes(bytes).calls, callsOfBytes(damaged).calls];
    expect(after).not.toEqual(before);
    expect(after.slice(0, 10)).toEqual(before.slice(0, 10));
  });
});

describe('signatures', () => {
  it.each([1, 2] as const)('exist for all calls of WebGL %i and of its extensions', (version) => {
    const options = { createWebGL2Context: version === 2, gpu: { timing: 'cycle' } } as const;
    const gl = createContext(4, 4, options);
    const ofContext = version === 2 ? { ...SIGNATURES, ...SIGNATURES_OF_WEBGL2 } : SIGNATURES;
    const names = gl.getSupportedExtensions() ?? [];
    expect(names.length).toBeGreaterThan(20);
    for (const name of names) {
      const known = Object.keys(SIGNATURES_OF_EXTENSIONS[name] ?? {});
      expect(known.sort(), name).toEqual(listCalls(gl.getExtension(name)!).sort());
    }
    const calls = listCalls(gl).filter((name) => !OWN_CALLS.includes(name));
    expect(Object.keys(ofContext).sort()).toEqual(calls.sort());
  });
});

/** Returns the names of the methods of an object and its prototypes. */
function listCalls(object: object): string[] {
  const names = new Set<string>();
  for (let at = object; at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(at))) {
      if (typeof value === 'function' && name !== 'constructor') names.add(name);
    }
  }
  return [...names];
}

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
