import { LINE_BYTES } from '@tessera/chip/records';
import { defineChipletSpec } from '@tessera/chiplet-spec';
import type { Coupling, PreparedDraw, PreparedFrame, Timing } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { SimulatedChiplet } from '../chiplet/simulated-chiplet.ts';
import { makeFrame } from '../testing/chiplet-harness.ts';

const VERTEX_COUNT = 700;
/** Varyings of a vertex: four components. */
const VERTEX_BYTES = 16;
const NO_SIZE = { widthPx: 1, heightPx: 1 };

const chiplet = new SimulatedChiplet(
  defineChipletSpec({ maxBinPixels: 2 ** 16, texturePoolBytes: 2 ** 20, batchPrimitives: 64 }),
);

/** Returns words that are neither equal nor valid colors, with positions outside the view. */
const varyingsOf = (vertex: number) => [vertex, -vertex, 1 / (vertex + 1), 1e30];
const vertices = Array.from({ length: VERTEX_COUNT }, (_, vertex) => [
  ...[9, 9, 9, 1],
  ...varyingsOf(vertex),
]).flat();

interface FeedbackOptions {
  readonly change?: Partial<PreparedDraw>;
  readonly timing?: Timing;
  readonly coupling?: Coupling;
  /** Number of equal draws. Default: 1. */
  readonly drawCount?: number;
}

function makeFeedback({ change, timing, coupling, drawCount = 1 }: FeedbackOptions): PreparedFrame {
  const frame = makeFrame([{ topology: 'points', vertices }], { ...NO_SIZE, timing });
  const [pass] = frame.commands.passes;
  const draws = Array.from({ length: drawCount }, () => ({ ...pass!.draws[0]!, ...change }));
  const feedback = { ...pass!, draws, colorFormats: [], isFeedback: true };
  return { ...frame, commands: { ...frame.commands, coupling, passes: [feedback] } };
}

function write(options: FeedbackOptions) {
  return chiplet.computeVisibility(chiplet.admitFrame(makeFeedback(options)), 0);
}

function floatsOf(words: Uint32Array): number[] {
  return [...new Float32Array(words.buffer)];
}

const wordsOf = (order: readonly number[]) => [
  ...Float32Array.from(order.flatMap((vertex) => varyingsOf(vertex))),
];

describe('transform feedback', () => {
  it('writes the varyings of all vertices in order, over many segments, whatever their positions', () => {
    const { feedback, stream, summary, earlyBin } = write({});
    const all = Array.from({ length: VERTEX_COUNT }, (_, vertex) => vertex);
    expect(feedback.map(floatsOf)).toEqual([wordsOf(all)]);
    expect(stream.bins).toEqual([]);
    expect(summary.bins).toEqual([]);
    expect(earlyBin).toBeNull();
    expect(summary.counters).toEqual({
      'visibility.verticesShaded': VERTEX_COUNT,
      'visibility.instructionsExecuted': expect.any(Number),
      'visibility.primitivesIn': VERTEX_COUNT,
      'visibility.primitivesWritten': VERTEX_COUNT,
    });
  });

  it('writes whole primitives, instance by instance, from the first vertex on', () => {
    const change = { topology: 'triangles', first: 5, count: 8, instanceCount: 2 } as const;
    const { feedback } = write({ change });
    const order = [5, 6, 7, 8, 9, 10];
    expect(feedback.map(floatsOf)).toEqual([wordsOf([...order, ...order])]);
  });

  it('writes a vertex as often as indices name it, and shades it once', () => {
    const frame = makeFeedback({});
    const indices = Uint16Array.of(3, 1, 3, 1, 3, 2);
    const buffer = { sha256: 'indices', bytes: new Uint8Array(indices.buffer) };
    const draw: PreparedDraw = {
      ...frame.commands.passes[0]!.draws[0]!,
      ...{ topology: 'lines', count: 6 },
      indices: { bufferIndex: 1, offsetBytes: 0, componentType: 'uint16' },
    };
    const passes = [{ ...frame.commands.passes[0]!, draws: [draw] }];
    const resident = chiplet.admitFrame({
      ...frame,
      commands: { ...frame.commands, buffers: ['0', 'indices'], passes },
      buffers: [...frame.buffers, buffer],
    });
    const { feedback, summary } = chiplet.computeVisibility(resident, 0);
    expect(feedback.map(floatsOf)).toEqual([wordsOf([...indices])]);
    expect(summary.counters['visibility.verticesShaded']).toBe(3);
  });

  it('writes nothing for draws without primitives', () => {
    const { feedback, summary } = write({
      change: { topology: 'triangles', count: 2 },
      timing: 'cycle',
    });
    expect(feedback).toEqual([new Uint32Array(0)]);
    expect(summary.counters['memory.vertexBytesWritten']).toBe(0);
  });
});

describe('cycles of transform feedback', () => {
  it.each([1, 3, 4, 5, 63, 64, 65, 700])(
    'write the words of %i vertices as whole lines, and rasterize nothing',
    (count) => {
      const { summary, feedback } = write({ change: { count }, timing: 'cycle', drawCount: 2 });
      const { counters } = summary;
      const bytes = 2 * count * VERTEX_BYTES;
      expect(feedback.reduce((sum, { byteLength }) => sum + byteLength, 0)).toBe(bytes);
      expect(counters['memory.vertexBytesWritten']).toBe(
        Math.ceil(bytes / LINE_BYTES) * LINE_BYTES,
      );
      expect(counters['vertexFetch.verticesMissed']).toBe(2 * count);
      for (const name of [
        'warpPacking.warps',
        'memory.colorBytesWritten',
        'memory.depthBytesWritten',
        'memory.batchBytesWritten',
        'memory.displayStoreBytesWritten',
      ] as const) {
        expect([name, counters[name]]).toEqual([name, 0]);
      }
      // One primitive per cycle is the bound of the geometry stages.
      expect(summary.cycles).toBeGreaterThan(2 * count);
    },
  );

  it('serve every byte that clients requested', () => {
    const { counters } = write({ timing: 'cycle' }).summary;
    const requested = Object.entries(counters)
      .filter(([name]) => /^memory\.[a-z]+[A-Za-z]*Bytes(Read|Written)$/.test(name))
      .reduce((sum, [, bytes]) => sum + bytes, 0);
    expect(counters['memory.bytesServed']).toBe(requested);
  });

  it('are those of a chiplet whose memory takes more time for more words', () => {
    const cyclesOf = (dramBytesPerCycle: number) => {
      const spec = defineChipletSpec({
        ...{ maxBinPixels: 2 ** 16, texturePoolBytes: 2 ** 20 },
        ...{ dramChannels: 1, dramBytesPerCycle, hasL2Cache: false },
      });
      const frame = makeFeedback({ timing: 'cycle' });
      const slow = new SimulatedChiplet(spec);
      return slow.computeVisibility(slow.admitFrame(frame), 0).summary.cycles!;
    };
    expect(cyclesOf(1)).toBeGreaterThan(VERTEX_COUNT * VERTEX_BYTES);
    expect(cyclesOf(1)).toBeGreaterThan(2 * cyclesOf(16));
  });

  it('do not change the words, whether they are timed or recorded', () => {
    const { feedback } = write({});
    for (const coupling of ['none', 'exact'] as const) {
      const timed = write({ timing: 'cycle', coupling });
      expect(timed.feedback).toEqual(feedback);
      expect(timed.summary.records === undefined).toBe(coupling === 'none');
    }
  });
});
