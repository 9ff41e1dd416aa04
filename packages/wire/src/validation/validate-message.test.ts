import fc from 'fast-check';
import { Packr } from 'msgpackr/pack';
import { describe, expect, it } from 'vitest';
import { decodeMessage, encodeMessage } from '../codec/codec.ts';
import { type Endpoint, MESSAGES, type Message, type MessageOf } from '../messages/messages.ts';
import { makeSampleFrame } from '../testing/sample-frame.ts';
import { SAMPLE_MESSAGES } from '../testing/sample-messages.ts';
import { makeSampleRecords } from '../testing/sample-records.ts';
import { MalformedError } from './field-checks.ts';

const frame = makeSampleFrame();
const { commands } = frame;
const rect = { x: 0, y: 64, width: 2, height: 1 };
const packr = new Packr({ useRecords: false, moreTypes: true });

function receiverOf(message: Message): Endpoint {
  return MESSAGES[message.type].receivers[0];
}

describe('messages', () => {
  it('has a sample of every message', () => {
    expect(new Set(SAMPLE_MESSAGES.map((sample) => sample.type))).toEqual(
      new Set(Object.keys(MESSAGES)),
    );
  });

  it.each(SAMPLE_MESSAGES)('come out of the codec as they went in: $type $kind', (sample) => {
    expect(decodeMessage(encodeMessage(sample), receiverOf(sample))).toEqual(sample);
  });

  it.each(SAMPLE_MESSAGES)(
    'are refused with a field too many or too few: $type $kind',
    (sample) => {
      const receiver = receiverOf(sample);
      const extra = packr.pack({ ...sample, surplus: 1 });
      expect(() => decodeMessage(extra, receiver)).toThrow('surplus');
      for (const field of Object.keys(sample)) {
        const lacking: Record<string, unknown> = { ...sample };
        delete lacking[field];
        expect(() => decodeMessage(packr.pack(lacking), receiver), field).toThrow(MalformedError);
      }
    },
  );

  it('may be bins of several samples a pixel', () => {
    const result = { frameId: 'f', passIndex: 0, binId: 0, rect, counters: {}, cycles: null };
    const color = new Uint8Array(2 * 16 * 4);
    const depthStencil = new Uint8Array(2 * 4 * 4);
    const sampled = { ...result, spans: [], colors: [color], depthStencil };
    const message: Message = { type: 'binDone', requestId: 1, result: sampled };
    expect(decodeMessage(encodeMessage(message), receiverOf(message))).toEqual(message);
  });

  it('have records in one piece of shared memory, and refuse others', () => {
    const result = { frameId: 'f', passIndex: 0, binId: 0, rect, counters: {}, cycles: null };
    const pixels = { spans: [], colors: [], depthStencil: null };
    const records = makeSampleRecords();
    const decodeWith = (changes: object) => {
      const changed = { ...result, ...pixels, records: { ...records, ...changes } };
      const encoded = packr.pack({ type: 'binDone', requestId: 1, result: changed });
      const message = decodeMessage(encoded, 'coordinator') as MessageOf<'binDone'>;
      return message.result.records!;
    };
    const read = decodeWith({});
    expect(read).toEqual(records);
    expect(read.blocks.buffer).toBeInstanceOf(SharedArrayBuffer);
    expect(read.vertexLogs[0]!.words.buffer).toBe(read.blocks.buffer);
    // What was read can be sent again, which checks arrays in shared memory.
    const again: Message = {
      type: 'binDone',
      requestId: 1,
      result: { ...result, ...pixels, records: read },
    };
    expect(decodeMessage(encodeMessage(again), 'coordinator')).toEqual(again);
    expect(() => decodeWith({ blocks: Float64Array.of(1) })).toThrow(
      'result.records.blocks: Float64Array is not Int32Array',
    );
    expect(() => decodeWith({ outputBytes: -1 })).toThrow('result.records.outputBytes');
    expect(() => decodeWith({ vertexLogs: [{ first: 0 }] })).toThrow('vertexLogs[0].count');
  });

  it('are refused at an end that does not accept them', () => {
    const encoded = encodeMessage({ type: 'releaseFrame', frameId: 'f' });
    expect(() => decodeMessage(encoded, 'coordinator')).toThrow('not accepted by the coordinator');
  });

  it('only throw MalformedError, whatever value replaces one of theirs', () => {
    const hostile = fc.oneof(
      fc.constantFrom(
        null,
        -1,
        0.5,
        Number.NaN,
        Infinity,
        2 ** 40,
        '',
        'x',
        true,
        [],
        {},
        new Date(0),
      ),
      fc.constantFrom(new Uint8Array(3), new Float32Array(2), new Uint32Array(9), new Set([1]), 5n),
      fc.anything(),
    );
    const property = fc.property(
      fc.constantFrom(...SAMPLE_MESSAGES),
      fc.nat(),
      hostile,
      (sample, which, value) => {
        const places = listPlaces(sample, []);
        const place = places[which % places.length]!;
        let encoded: Uint8Array;
        try {
          encoded = packr.pack(replaceAt(sample, place, value));
        } catch {
          return; // not every JavaScript value can be packed
        }
        try {
          decodeMessage(encoded, receiverOf(sample));
        } catch (caught) {
          expect(caught).toBeInstanceOf(MalformedError);
        }
      },
    );
    fc.assert(property, { numRuns: 1500, seed: 7 });
  });

  it('never throw anything but MalformedError for bytes that were damaged', () => {
    const property = fc.property(
      fc.constantFrom(...SAMPLE_MESSAGES),
      fc.nat(),
      fc.integer({ min: 0, max: 255 }),
      fc.boolean(),
      (sample, position, byte, isCut) => {
        const encoded = Uint8Array.from(encodeMessage(sample));
        const at = position % encoded.length;
        encoded[at] = byte;
        try {
          decodeMessage(isCut ? encoded.subarray(0, at) : encoded, receiverOf(sample));
        } catch (caught) {
          expect(caught).toBeInstanceOf(MalformedError);
        }
      },
    );
    fc.assert(property, { numRuns: 3000, seed: 11 });
  });
});

describe('rules between fields', () => {
  const draw = commands.passes[0]!.draws[0]!;
  const withDraw = (changes: object) => ({
    ...commands,
    passes: [{ ...commands.passes[0]!, draws: [{ ...draw, ...changes }] }],
  });
  const visibility = { passIndex: 0, bins: [new Uint8Array(2), new Uint8Array(2)] };
  const texture = frame.textures[0]!;

  it.each([
    [
      'program index',
      {
        type: 'computeVisibility',
        requestId: 1,
        frameId: 'f',
        passIndex: 0,
        commands: withDraw({ programIndex: 1 }),
      },
      'programIndex: index 1 is out of range; the list has 1 entries',
    ],
    [
      'draws of a query',
      {
        type: 'computeVisibility',
        requestId: 1,
        frameId: 'f',
        passIndex: 0,
        commands: {
          ...commands,
          passes: [{ ...commands.passes[0]!, queries: [{ firstDraw: 0, drawCount: 2 }] }],
        },
      },
      'passes[0].queries[0]: index 1 is out of range; the list has 1 entries',
    ],
    [
      'samples of a resolved pass',
      {
        type: 'computeVisibility',
        requestId: 1,
        frameId: 'f',
        passIndex: 0,
        commands: { ...commands, passes: [{ ...commands.passes[0]!, isResolved: true }] },
      },
      'passes[0].isResolved: the target is not one RGBA8 color with several samples',
    ],
    [
      'pass index',
      { type: 'computeVisibility', requestId: 1, frameId: 'f', passIndex: 1, commands },
      'passIndex: pass 1 does not exist; the frame has 1 passes',
    ],
    [
      'grid edges',
      {
        type: 'computeVisibility',
        requestId: 1,
        frameId: 'f',
        passIndex: 0,
        commands: { ...commands, grid: { ...commands.grid, columnEdgesPx: [0, 192, 128] } },
      },
      'ascending',
    ],
    [
      'bin count',
      {
        type: 'frameBroadcast',
        frameId: 'f',
        commands,
        visibility: { ...visibility, bins: [new Uint8Array(1)] },
      },
      '1 bins instead of 2',
    ],
    [
      'pixel count',
      {
        type: 'binDone',
        requestId: 1,
        result: {
          frameId: 'f',
          passIndex: 0,
          binId: 0,
          rect,
          counters: {},
          cycles: null,
          spans: [],
          colors: [new Uint8Array(7)],
          depthStencil: null,
        },
      },
      '7 bytes',
    ],
    [
      'pixel count of depth',
      {
        type: 'binDone',
        requestId: 1,
        result: {
          frameId: 'f',
          passIndex: 0,
          binId: 0,
          rect,
          counters: {},
          cycles: null,
          spans: [],
          colors: [new Uint8Array(8)],
          depthStencil: new Uint8Array(4),
        },
      },
      'depthStencil: 4 bytes',
    ],
    [
      'texel count',
      { type: 'resource', kind: 'texture', resource: { ...texture, widthPx: 3 } },
      'levels[0]: 16 bytes instead of 24',
    ],
    [
      'height of stored blocks',
      {
        type: 'resource',
        kind: 'texture',
        resource: { ...texture, blockBytes: 16, blockHeightPx: 3 },
      },
      'blockHeightPx',
    ],
    [
      'unknown counter',
      {
        type: 'binDone',
        requestId: 1,
        result: {
          frameId: 'f',
          passIndex: 0,
          binId: 0,
          rect,
          counters: { invented: 1 },
          cycles: null,
          spans: [],
          colors: [new Uint8Array(8)],
          depthStencil: null,
        },
      },
      'invented',
    ],
  ])('are enforced: %s', (_name, message, complaint) => {
    const receiver = receiverOf(message as unknown as Message);
    expect(() => decodeMessage(packr.pack(message), receiver)).toThrow(complaint);
  });
});

type Place = readonly (string | number)[];

function listPlaces(value: unknown, at: Place): Place[] {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return [at];
  return [at, ...Object.entries(value).flatMap(([key, inner]) => listPlaces(inner, [...at, key]))];
}

function replaceAt(value: unknown, [step, ...rest]: Place, replacement: unknown): unknown {
  if (step === undefined) return replacement;
  const inner = (value as Record<string, unknown>)[step];
  const replaced = replaceAt(inner, rest, replacement);
  if (Array.isArray(value)) return value.with(Number(step), replaced);
  return { ...(value as object), [step]: replaced };
}
