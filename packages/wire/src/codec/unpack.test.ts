import fc from 'fast-check';
import { Packr } from 'msgpackr/pack';
import { describe, expect, it } from 'vitest';
import { KeyTable, UnpackError, unpack } from './unpack.ts';

const packr = new Packr({ useRecords: false, moreTypes: true });

/** Returns the bytes of text and numbers. */
function bytesOf(...parts: readonly (number | string)[]): Uint8Array {
  return Uint8Array.from(
    parts.flatMap((part) => (typeof part === 'number' ? [part] : [...Buffer.from(part)])),
  );
}

describe('unpack', () => {
  it('reads what msgpackr writes', () => {
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 6 },
        fc.constantFrom(null, true, false, undefined),
        fc.integer(),
        fc.maxSafeInteger(),
        fc.double().map((number) => number + 0), // −0 is written as 0
        fc.string({ unit: 'binary', maxLength: 300 }),
        fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
        fc.constantFrom(Uint32Array.of(1, 0xffffffff), Float32Array.of(0.5, -0), new Int16Array(0)),
        fc.array(tie('any'), { maxLength: 20 }),
        fc.dictionary(
          fc.string().filter((key) => key !== '__proto__'),
          tie('any'),
          { maxKeys: 20, noNullPrototype: true },
        ),
      ),
    })).any;
    fc.assert(
      fc.property(value, (written) => {
        const read = unpack(packr.pack(written));
        // Bytes are read as views of plain arrays.
        const plain = (part: unknown): unknown => {
          if (Buffer.isBuffer(part)) return Uint8Array.from(part);
          if (part instanceof Uint8Array) return Uint8Array.from(part);
          if (Array.isArray(part)) return part.map(plain);
          if (part === null || typeof part !== 'object' || ArrayBuffer.isView(part)) return part;
          return Object.fromEntries(Object.entries(part).map(([key, of]) => [key, plain(of)]));
        };
        expect(plain(read)).toEqual(plain(written));
      }),
    );
  });

  it('reads expected keys and others, and is not misled by the end', () => {
    const long = 'k'.repeat(40);
    const keys = new KeyTable(['cycles', long, 'späne']);
    const value = { cycles: 1, [long]: 2, späne: 3, cyclez: 4, '': 5 };
    const encoded = packr.pack(value);
    expect(unpack(encoded, keys)).toEqual(value);
    for (let length = 0; length < encoded.length; length++) {
      expect(() => unpack(encoded.subarray(0, length), keys)).toThrow(UnpackError);
    }
    const twice = bytesOf(0x82, 0xa6, 'cycles', 1, 0xa6, 'cycles', 2);
    expect(() => unpack(twice, keys)).toThrow('duplicate key');
  });

  it.each<[string, Uint8Array]>([
    ['nothing', bytesOf()],
    ['a second value', bytesOf(1, 2)],
    ['an array that claims four billion elements', bytesOf(0xdd, 0xff, 0xff, 0xff, 0xff)],
    ['a map that claims more than there is', bytesOf(0xdf, 0, 0, 1, 0, 0xa1, 'a')],
    ['a text beyond the end', bytesOf(0xdb, 0, 0, 1, 0, 'abc')],
    ['bytes beyond the end', bytesOf(0xc6, 0xff, 0xff, 0xff, 0xff, 1)],
    ['half a number', bytesOf(0xcb, 1, 2)],
    ['arrays in arrays', new Uint8Array(100_000).fill(0x91)],
    ['a key that is a number', bytesOf(0x81, 1, 1)],
    ['a key twice', bytesOf(0x82, 0xa1, 'a', 1, 0xa1, 'a', 2)],
    ['a key that reaches the prototype', bytesOf(0x81, 0xa9, '__proto__', 0x80)],
    ['a text that is not UTF-8', bytesOf(0xa2, 0xc3, 0x28)],
    ['an integer beyond 2^53', bytesOf(0xcf, 0xff, 0, 0, 0, 0, 0, 0, 0)],
    ['the byte that begins nothing', bytesOf(0xc1)],
    // Encodings that msgpackr turns into functions, errors, regular expressions and references.
    ['a record', bytesOf(0xd4, 0x72, 0x40, 0x91, 0xa1, 'a', 1)],
    ['a regular expression', bytesOf(0xc7, 0, 0x78, 0x92, 0xa5, '(a+)+', 0xa0)],
    ['an error', bytesOf(0xc7, 0, 0x65, 0x92, 0xa5, 'Error', 0xa1, 'x')],
    ['a reference', bytesOf(0xd6, 0x70, 0, 0, 0, 1)],
    ['a date', bytesOf(0xd6, 0xff, 0, 0, 0, 1)],
    ['a typed array of no known type', bytesOf(0xd5, 0x74, 99, 0)],
    ['half an element', bytesOf(0xc7, 4, 0x74, 6, 1, 2, 3)],
  ])('refuses %s', (_name, encoded) => {
    expect(() => unpack(encoded)).toThrow(UnpackError);
  });
});
