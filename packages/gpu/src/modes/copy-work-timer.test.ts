/** The copy engine against arithmetic: its bytes are those of its copies, at the rate of memory. */
import { MEMORY_CLIENT, MEMORY_CLIENTS } from '@tessera/chip/records';
import { CHIPLET_PRESETS, type ChipletSpec, defineChipletSpec } from '@tessera/chiplet-spec';
import { type PreparedPass, StopWords, type TextureResource } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { KernelLibrary } from '../command/kernel-library.ts';
import { ResidentFrame } from '../command/resident-frame.ts';
import { ChipletMemory } from '../memory/chiplet-memory.ts';
import { makeFrame } from '../testing/chiplet-harness.ts';
import { BinRecorders } from './bin-recorders.ts';

const TARGET = { widthPx: 16, heightPx: 16 };
const LINE_BYTES = 64;

function makeTexture(sidePx: number, isMipmapGenerated: boolean): TextureResource {
  return {
    sha256: `${sidePx}`,
    widthPx: sidePx,
    heightPx: sidePx,
    format: 'rgba8unorm',
    isMipmapGenerated,
    levels: [new Uint8Array(4 * sidePx * sidePx)],
  };
}

/** Times the work for a frame with these resources. */
function timeWork(
  spec: ChipletSpec,
  textures: readonly TextureResource[],
  bufferBytes: readonly number[] = [],
  copies: readonly { readBytes: number; writtenBytes: number }[] = [],
  pass: Partial<PreparedPass> = {},
) {
  const memory = new ChipletMemory(spec, new StopWords());
  const library = new KernelLibrary(memory, spec);
  const recorder = new BinRecorders(spec, memory, library.executionLog).require([]);
  const { commands, ...frame } = makeFrame([], TARGET);
  const resident = new ResidentFrame(memory, library, spec, {
    ...frame,
    commands: {
      ...{ ...commands, timing: 'cycle', copies },
      passes: [{ ...commands.passes[0]!, ...pass }],
    },
    textures,
    buffers: bufferBytes.map((bytes) => ({ sha256: `${bytes}`, bytes: new Uint8Array(bytes) })),
  });
  recorder.frame = resident;
  return recorder.copyWork.time(resident);
}

describe('copy engine', () => {
  it.each(Object.values(CHIPLET_PRESETS))(
    'stores, generates and copies whole lines: $name',
    (spec) => {
      const work = timeWork(
        spec,
        [makeTexture(32, true), makeTexture(32, false)],
        [100, 64],
        [{ readBytes: 6400, writtenBytes: 1600 }],
      );
      const bytesOf = (index: number) => {
        const { counters } = work.timings[index]!;
        const read = counters['memory.copyBytesRead'] ?? 0;
        const written = counters['memory.copyBytesWritten'] ?? 0;
        // The channels move what the engine asks for, and nothing is read twice.
        expect(counters['memory.bytesRead'] ?? 0).toBeLessThanOrEqual(read);
        expect(counters['memory.bytesWritten'] ?? 0).toBe(written);
        expect(counters['memory.bytesServed']).toBe(read + written);
        return [read, written];
      };
      // Buffers of 2 lines and of 1, and two textures of 32 × 32 × 4 bytes.
      expect(work.stores.map(bytesOf)).toEqual([
        [0, 2 * LINE_BYTES],
        [0, LINE_BYTES],
        [0, 4096],
        [0, 4096],
      ]);
      // Levels of 32 to 2 texels are read, in blocks of 4×4; levels of 16 to 1 are written.
      expect(work.mipmaps[1]).toBe(-1);
      expect(bytesOf(work.mipmaps[0]!)).toEqual([
        4096 + 1024 + 256 + 64 + 64,
        1024 + 256 + 64 + 64 + 64,
      ]);
      expect(work.copies.map(bytesOf)).toEqual([[6400, 1600]]);
    },
  );

  it('resolves the samples of a whole target', () => {
    const spec = CHIPLET_PRESETS.default;
    expect(timeWork(spec, []).resolve).toBeUndefined();
    for (const sampleCount of [2, 4]) {
      const { timings, resolve } = timeWork(spec, [], [], [], { sampleCount, isResolved: true });
      const { counters } = timings[resolve!]!;
      const pixelBytes = 4 * TARGET.widthPx * TARGET.heightPx;
      expect(counters['memory.copyBytesRead']).toBe(sampleCount * pixelBytes);
      expect(counters['memory.copyBytesWritten']).toBe(pixelBytes);
    }
  });

  it('times equal work once', () => {
    const { timings, stores } = timeWork(CHIPLET_PRESETS.default, [
      makeTexture(64, false),
      makeTexture(64, false),
    ]);
    expect(timings).toHaveLength(1);
    expect(stores).toEqual([0, 0]);
  });

  it('stores at nine tenths of the peak rate of memory or more', () => {
    const spec = CHIPLET_PRESETS.default;
    const { timings, stores } = timeWork(spec, [makeTexture(1024, false)]);
    const peakBytesPerCycle = spec.dramChannels * spec.dramBytesPerCycle;
    const bytesPerCycle = (4 * 1024 * 1024) / timings[stores[0]!]!.cycles;
    expect(bytesPerCycle).toBeLessThanOrEqual(peakBytesPerCycle);
    expect(bytesPerCycle).toBeGreaterThan(0.9 * peakBytesPerCycle);
  });

  it('makes a copy slower with a buffer of few lines, and never stops', () => {
    const cyclesWith = (copyBufferLines: number) => {
      const spec = defineChipletSpec({ ...CHIPLET_PRESETS.default, copyBufferLines });
      const sizes = [
        { readBytes: 64_000, writtenBytes: 1000 },
        { readBytes: 1000, writtenBytes: 64_000 },
      ];
      const { timings, copies } = timeWork(spec, [], [], sizes);
      return copies.reduce((sum, index) => sum + timings[index]!.cycles, 0);
    };
    const [one, sixteen, many] = [cyclesWith(1), cyclesWith(16), cyclesWith(512)];
    expect(one).toBeGreaterThan(2 * sixteen);
    expect(sixteen).toBeGreaterThan(many);
  });

  it('has the lowest priority of the clients of the arbiter', () => {
    // Requests of other chiplets do not pass the arbiter.
    expect(Object.keys(MEMORY_CLIENTS).slice(0, 2)).toEqual(['remote', 'copy']);
    expect([MEMORY_CLIENT.remote, MEMORY_CLIENT.copy]).toEqual([0, 1]);
  });
});
