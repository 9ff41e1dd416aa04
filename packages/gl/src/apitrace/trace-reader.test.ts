import { RenderError } from '@tessera/frame';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TraceWriter } from './testing/trace-writer.ts';
import { readTrace, type TraceCall, type TraceLimits } from './trace-reader.ts';
import { TracePointer, TraceStruct, type TraceValue } from './trace-value.ts';

const SMALL_LIMITS: TraceLimits = {
  maxDecompressedBytes: 100_000,
  maxCalls: 10_000,
  maxValuesPerCall: 1000,
};

function readAll(file: Uint8Array): TraceCall[] {
  return [...readTrace(file, SMALL_LIMITS)];
}

function plain(args: TraceCall['args'] | undefined): Record<string, TraceValue> {
  return { ...args };
}

const ARGS = {
  nothing: null,
  yes: true,
  count: 1200,
  negative: -5,
  wide: (1n << 64n) - 1n,
  half: 0.5,
  text: 'grün',
  blob: Uint8Array.of(1, 2, 3),
  pointer: new TracePointer(0x7f00_1234_5678),
  list: [1, [2, 3], null],
} satisfies Record<string, TraceValue>;

describe('trace reader', () => {
  it.each(['snappy', 'gzip', 'brotli'] as const)('reads every kind of value (%s)', (container) => {
    const file = new TraceWriter()
      .call('glOne', ARGS, 7)
      .call('glTwo', {}, null, 1)
      .finish(container);
    const [one, two] = readAll(file);
    expect(one).toMatchObject({ number: 0, name: 'glOne', result: 7, isFake: false });
    expect(plain(one?.args)).toEqual(ARGS);
    expect(two).toMatchObject({ number: 1, name: 'glTwo', isFake: true, isComplete: true });
  });

  it.each([3, 4, 5, 6])('reads version %i', (version) => {
    const calls = readAll(new TraceWriter(version).call('glFlush', { a: 1 }).finish());
    expect(calls.map((call) => call.name)).toEqual(['glFlush']);
  });

  it('joins values that run across chunks', () => {
    const calls = readAll(new TraceWriter().call('glOne', ARGS).finish('snappy', 3));
    expect(plain(calls[0]?.args)).toEqual(ARGS);
  });

  it('gives calls in the order of leaving, and those that never left last', () => {
    const writer = new TraceWriter();
    const outer = writer.enter('outer');
    writer.enter('lost');
    writer.call('inner').leave(outer);
    const calls = readAll(writer.finish());
    expect(calls.map(({ name, number, isComplete }) => [name, number, isComplete])).toEqual([
      ['inner', 2, true],
      ['outer', 0, true],
      ['lost', 1, false],
    ]);
  });

  it('reads enumerations, bit masks, structures, representations and wide strings', () => {
    const name = (text: string) => [text.length, ...new TextEncoder().encode(text)];
    // enter, thread, function 0 with five arguments
    const head = [0, 0, 0, ...name('f'), 5, ...['a', 'b', 'c', 'd', 'e'].flatMap(name)];
    const file = new TraceWriter()
      .raw(...head)
      .raw(1, 0, 9, 0, 2, ...name('A'), 4, 5, ...name('B'), 3, 1, 3, 1) // enumeration: −1
      .raw(1, 1, 10, 0, 1, ...name('BIT'), 4, 4) // bit mask: 4
      .raw(1, 2, 12, 0, ...name('S'), 1, ...name('m'), 4, 9) // structure {m: 9}
      .raw(1, 3, 14, 7, ...name('nine'), 4, 9) // representation: 'nine', 9
      .raw(1, 4, 15, 2, 0x48, 0x69) // wide string
      .raw(4, 1, 0, 1, ...name('lib'), 5, 3, 0, 0) // backtrace, end of details
      .raw(1, 0, 0) // leave
      .finish();
    const [call] = readAll(file);
    expect(plain(call?.args)).toEqual({
      a: -1,
      b: 4,
      c: new TraceStruct('S', Object.assign(Object.create(null), { m: 9 })),
      d: 9,
      e: 'Hi',
    });
  });

  it.each([
    ['an empty file', new Uint8Array(0), 'FRAME_INVALID', /byte 0/],
    [
      'a file of another kind',
      new TextEncoder().encode('<html></html>'),
      'FRAME_INVALID',
      /brotli/,
    ],
    ['zstandard', Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0), 'FRAME_UNSUPPORTED', /zstandard/],
    ['version 2', new TraceWriter(2).finish(), 'FRAME_UNSUPPORTED', /version 2/],
    ['version 7', new TraceWriter(7).finish(), 'FRAME_UNSUPPORTED', /version 7/],
    ['an unknown event', new TraceWriter().raw(9).finish(), 'FRAME_INVALID', /event 9/],
    [
      'a call that leaves twice',
      new TraceWriter().call('f').leave(0).finish(),
      'FRAME_INVALID',
      /call 0 leaves/,
    ],
    [
      'an argument outside the signature',
      new TraceWriter().raw(0, 0, 0, 1, 0x66, 0, 1, 3, 0).finish(),
      'FRAME_INVALID',
      /call 0 \(f\), decompressed byte \d+: argument 3/,
    ],
    [
      'a blob of a terabyte',
      new TraceWriter()
        .raw(0, 0, 0, 1, 0x66, 1, 1, 0x61, 1, 0, 8, 128, 128, 128, 128, 128, 32)
        .finish(),
      'FRAME_INVALID',
      /length of 1099511627776/,
    ],
    [
      'an array that its call cannot hold',
      new TraceWriter().raw(0, 0, 0, 1, 0x66, 1, 1, 0x61, 1, 0, 11, 255, 255, 127).finish(),
      'FRAME_INVALID',
      /2097151 entries/,
    ],
    [
      'values nested without end',
      new TraceWriter()
        .raw(
          0,
          0,
          0,
          1,
          0x66,
          1,
          1,
          0x61,
          1,
          0,
          ...Array.from({ length: 50 }, () => [11, 1]).flat(),
        )
        .finish(),
      'FRAME_INVALID',
      /nested deeper/,
    ],
  ])('refuses %s', (_what, file, code, message) => {
    expect(() => readAll(file)).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) }),
    );
  });

  it('bounds the number of calls', () => {
    const writer = new TraceWriter();
    for (let i = 0; i < 4; i++) writer.call('f');
    const read = (maxCalls: number) => [
      ...readTrace(writer.finish(), { ...SMALL_LIMITS, maxCalls }),
    ];
    expect(read(4)).toHaveLength(4);
    expect(() => read(3)).toThrow(
      expect.objectContaining({
        code: 'LIMIT_EXCEEDED',
        message: expect.stringMatching(/3 calls/),
      }),
    );
  });

  it.each(['snappy', 'gzip', 'brotli'] as const)(
    'bounds what a bomb inflates to (%s)',
    (container) => {
      const file = new TraceWriter().call('f', { a: new Uint8Array(200_000) }).finish(container);
      expect(() => readAll(file)).toThrow(expect.objectContaining({ code: 'LIMIT_EXCEEDED' }));
    },
  );

  it('gives the whole calls of a file that is cut off, then names the place', () => {
    const file = new TraceWriter()
      .call('first')
      .call('second', { a: new Uint8Array(50) })
      .finish('gzip');
    const seen: string[] = [];
    expect(() => {
      for (const call of readTrace(file.subarray(0, file.length - 14))) seen.push(call.name);
    }).toThrow(expect.objectContaining({ code: 'FRAME_INVALID' }));
    expect(seen).toEqual(['first']);
  });

  it.each(['snappy', 'gzip'] as const)(
    'answers a damaged file with calls or a RenderError (%s)',
    (container) => {
      const writer = new TraceWriter();
      for (let i = 0; i < 5; i++) writer.call(`f${i % 2}`, ARGS, i);
      const file = writer.finish(container, 100);
      const mutation = fc.tuple(fc.nat(file.length - 1), fc.nat(255));
      fc.assert(
        fc.property(
          fc.array(mutation, { minLength: 1, maxLength: 6 }),
          fc.integer({ min: 0, max: file.length }),
          fc.boolean(),
          (mutations, cut, isCut) => {
            const damaged = Uint8Array.from(file.subarray(0, isCut ? cut : file.length));
            for (const [at, byte] of mutations) if (at < damaged.length) damaged[at] = byte;
            try {
              readAll(damaged);
            } catch (error) {
              expect(error).toBeInstanceOf(RenderError);
            }
          },
        ),
        { numRuns: 1500 },
      );
    },
  );

  it('answers damage to the decompressed stream with calls or a RenderError', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (tail) => {
        try {
          readAll(
            new TraceWriter()
              .call('f', ARGS)
              .raw(...tail)
              .finish(),
          );
        } catch (error) {
          expect(error).toBeInstanceOf(RenderError);
        }
      }),
      { numRuns: 1500 },
    );
  });
});
