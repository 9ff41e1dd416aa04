import { gunzipSync, zstdCompressSync } from 'node:zlib';
import { RenderError } from '@tessera/frame';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CaptureContainer, CaptureWriter, inChunks } from '../capture-writer.ts';
import {
  type CapturedCall,
  type CaptureLimits,
  readCallStream,
  readCalls,
} from './capture-reader.ts';
import { CapturedPointer, CapturedStruct, type CapturedValue } from './captured-value.ts';

const SMALL_LIMITS: CaptureLimits = {
  maxDecompressedBytes: 100_000,
  maxCalls: 10_000,
  maxValuesPerCall: 1000,
  maxCallBytes: 100_000,
};

function readAll(file: Uint8Array): CapturedCall[] {
  return [...readCalls(file, SMALL_LIMITS)];
}

/** Reads all calls of a file that arrives a few bytes at a time. */
async function readAllStreamed(file: Uint8Array, chunkBytes: number): Promise<CapturedCall[]> {
  const seen: CapturedCall[] = [];
  for await (const calls of readCallStream(inChunks(file, chunkBytes), SMALL_LIMITS)) {
    seen.push(...calls);
  }
  return seen;
}

const CONTAINERS: readonly CaptureContainer[] = ['snappy', 'gzip', 'brotli', 'zstandard'];

function plain(args: CapturedCall['args'] | undefined): Record<string, CapturedValue> {
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
  pointer: new CapturedPointer(0x7f00_1234_5678),
  list: [1, [2, 3], null],
} satisfies Record<string, CapturedValue>;

function decompressedStreamOf(writer: CaptureWriter): Uint8Array {
  return gunzipSync(writer.finish('gzip'));
}

describe('trace reader', () => {
  it.each(CONTAINERS)('reads every kind of value (%s)', (container) => {
    const file = new CaptureWriter()
      .call('glOne', ARGS, 7)
      .call('glTwo', {}, null, 1)
      .finish(container);
    const [one, two] = readAll(file);
    expect(one).toMatchObject({ number: 0, name: 'glOne', result: 7, isFake: false });
    expect(plain(one?.args)).toEqual(ARGS);
    expect(two).toMatchObject({ number: 1, name: 'glTwo', isFake: true, isComplete: true });
  });

  it.each([0, 1, 2, 3, 4, 5, 6])('reads version %i', (version) => {
    const calls = readAll(new CaptureWriter(version).call('glFlush', { a: 1 }).finish());
    expect(calls.map((call) => call.name)).toEqual(['glFlush']);
  });

  it('reads enumerations as they were before version 3: a name and a value each', () => {
    const name = (text: string) => [text.length, ...new TextEncoder().encode(text)];
    const file = new CaptureWriter(2)
      .raw(0, 0, ...name('glEnable'), 1, ...name('cap')) // Version 2 has no threads.
      .raw(1, 0, 9, 0, ...name('GL_BLEND'), 4, 0xe2, 0x17, 0, 1, 0, 0)
      .raw(0, 0, 1, 0, 9, 0, 3, 5, 0, 1, 1, 0) // The second use has the id alone, then the thread.
      .finish();
    const calls = readAll(file);
    expect(calls.map(({ args }) => args.cap)).toEqual([0x0be2, 0x0be2]);
    expect(calls.map(({ thread }) => thread)).toEqual([0, 5]);
  });

  it('reads Zstandard in several frames with a table behind them', () => {
    const stream = decompressedStreamOf(new CaptureWriter().call('glOne', ARGS).call('glTwo'));
    const table = [0x5e, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 1, 2, 3, 4];
    const halves = [stream.subarray(0, 40), stream.subarray(40)].map((half) =>
      zstdCompressSync(half),
    );
    const file = Uint8Array.from([...halves[0]!, ...halves[1]!, ...table]);
    expect(readAll(file).map(({ name }) => name)).toEqual(['glOne', 'glTwo']);
  });

  it.each(CONTAINERS)('reads the same when the file comes in pieces (%s)', async (container) => {
    const writer = new CaptureWriter();
    for (let i = 0; i < 40; i++) writer.call(`f${i % 3}`, { ...ARGS, i }, i);
    writer.enter('lost');
    const file = writer.finish(container, 37);
    const whole = readAll(file);
    expect(whole).toHaveLength(41);
    for (const chunkBytes of [1, 7, 1000]) {
      expect(await readAllStreamed(file, chunkBytes)).toEqual(whole);
    }
  });

  it.each(CONTAINERS)(
    'ends a cut file that comes in pieces as a whole one (%s)',
    async (container) => {
      const file = new CaptureWriter().call('first', ARGS).call('second', ARGS).finish(container);
      const outcome = async (read: () => CapturedCall[] | Promise<CapturedCall[]>) => {
        try {
          return (await read()).length;
        } catch (error) {
          return (error as RenderError).code;
        }
      };
      let damaged = 0;
      for (let length = 0; length < file.length; length++) {
        const cut = file.subarray(0, length);
        const expected = await outcome(() => readAll(cut));
        if (expected === 'FRAME_INVALID') damaged++;
        expect(await outcome(() => readAllStreamed(cut, 9)), `${length} bytes`).toBe(expected);
      }
      // Cuts between events and within the checksum leave whole calls.
      expect(damaged).toBeGreaterThan(file.length / 2);
    },
  );

  it('bounds the bytes of one call', async () => {
    const limits = { ...SMALL_LIMITS, maxCallBytes: 1000 };
    const [fits, tooLong] = [900, 1100].map((bytes) =>
      new CaptureWriter().call('f', { a: new Uint8Array(bytes) }).finish('snappy', 64),
    );
    expect([...readCalls(fits!, limits)]).toHaveLength(1);
    expect(() => [...readCalls(tooLong!, limits)]).toThrow(/length of 1100 passes/);
    const many = new CaptureWriter()
      .call('f', { a: Array.from({ length: 9 }, () => new Uint8Array(500)) })
      .finish('snappy', 64);
    expect(() => [...readCalls(many, limits)]).toThrow(/more than 1000 bytes belong together/);
  });

  it('holds no more memory for a blob than twice its bytes', () => {
    const small = new Uint8Array(10).fill(7);
    const file = new CaptureWriter().call('f', { a: small, b: new Uint8Array(50_000) }).finish();
    const { a } = readAll(file)[0]!.args;
    expect(a).toEqual(small);
    expect((a as Uint8Array).buffer.byteLength).toBeLessThanOrEqual(20);
  });

  it('joins values that run across chunks', () => {
    const calls = readAll(new CaptureWriter().call('glOne', ARGS).finish('snappy', 3));
    expect(plain(calls[0]?.args)).toEqual(ARGS);
  });

  it('gives calls in the order of leaving, and those that never left last', () => {
    const writer = new CaptureWriter();
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
    const file = new CaptureWriter()
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
      c: new CapturedStruct('S', Object.assign(Object.create(null), { m: 9 })),
      d: 9,
      e: 'Hi',
    });
  });

  it.each([
    ['an empty file', new Uint8Array(0), 'FRAME_INVALID', /only 0 bytes/],
    [
      'a file of another kind',
      new TextEncoder().encode('<html></html>'),
      'FRAME_INVALID',
      /brotli/,
    ],
    ['nothing in zstandard', Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0), 'FRAME_INVALID', /ends/],
    ['version 7', new CaptureWriter(7).finish(), 'FRAME_UNSUPPORTED', /version 7/],
    ['an unknown event', new CaptureWriter().raw(9).finish(), 'FRAME_INVALID', /event 9/],
    [
      'a call that leaves twice',
      new CaptureWriter().call('f').leave(0).finish(),
      'FRAME_INVALID',
      /call 0 leaves/,
    ],
    [
      'an argument outside the signature',
      new CaptureWriter().raw(0, 0, 0, 1, 0x66, 0, 1, 3, 0).finish(),
      'FRAME_INVALID',
      /call 0 \(f\), decompressed byte \d+: argument 3/,
    ],
    [
      'a blob of a terabyte',
      new CaptureWriter()
        .raw(0, 0, 0, 1, 0x66, 1, 1, 0x61, 1, 0, 8, 128, 128, 128, 128, 128, 32)
        .finish(),
      'FRAME_INVALID',
      /length of 1099511627776/,
    ],
    [
      'an array that its call cannot hold',
      new CaptureWriter().raw(0, 0, 0, 1, 0x66, 1, 1, 0x61, 1, 0, 11, 255, 255, 127).finish(),
      'FRAME_INVALID',
      /2097151 entries/,
    ],
    [
      'values nested without end',
      new CaptureWriter()
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
    const writer = new CaptureWriter();
    for (let i = 0; i < 4; i++) writer.call('f');
    const read = (maxCalls: number) => [
      ...readCalls(writer.finish(), { ...SMALL_LIMITS, maxCalls }),
    ];
    expect(read(4)).toHaveLength(4);
    expect(() => read(3)).toThrow(
      expect.objectContaining({
        code: 'LIMIT_EXCEEDED',
        message: expect.stringMatching(/3 calls/),
      }),
    );
  });

  it.each(CONTAINERS)('bounds what a bomb inflates to (%s)', (container) => {
    const file = new CaptureWriter().call('f', { a: new Uint8Array(200_000) }).finish(container);
    expect(() => readAll(file)).toThrow(expect.objectContaining({ code: 'LIMIT_EXCEEDED' }));
  });

  it('gives the whole calls of a file that is cut off, then names the place', () => {
    const file = new CaptureWriter()
      .call('first')
      .call('second', { a: new Uint8Array(50) })
      .finish('gzip');
    const seen: string[] = [];
    expect(() => {
      for (const call of readCalls(file.subarray(0, file.length - 14))) seen.push(call.name);
    }).toThrow(expect.objectContaining({ code: 'FRAME_INVALID' }));
    expect(seen).toEqual(['first']);
  });

  it.each(CONTAINERS)('answers a damaged file with calls or a RenderError (%s)', (container) => {
    const writer = new CaptureWriter();
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
  });

  it('answers damage to the decompressed stream with calls or a RenderError', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (tail) => {
        try {
          readAll(
            new CaptureWriter()
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
