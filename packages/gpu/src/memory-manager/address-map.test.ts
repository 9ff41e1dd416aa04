import { chipletPreset, DEFAULT_CHIPLET_SPEC } from '@tessera/chiplet-spec';
import { RenderError } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { SimulatedChiplet } from '../chiplet/simulated-chiplet.ts';
import { type HarnessDraw, makeFrame, vertexAt } from '../testing/chiplet-harness.ts';
import { AddressMap, partitionMemory, REGION_NAMES } from './address-map.ts';

const HMGPU = chipletPreset('hmgpu');
const TARGET = { widthPx: 64, heightPx: 64 };
const TRIANGLE: HarnessDraw = {
  vertices: [
    ...vertexAt(TARGET, 0, 0, 0),
    ...vertexAt(TARGET, 0, 60, 0),
    ...vertexAt(TARGET, 60, 0, 0),
  ],
};
const TEXTURE = { sizeBytes: 4096, levelOffsets: [0, 3072] };

/** Returns a frame with the given numbers of draws and buffers. */
function frameOf(draws: number, buffers: number) {
  const frame = makeFrame(
    Array.from({ length: draws }, () => TRIANGLE),
    TARGET,
  );
  const more = Array.from({ length: buffers }, () => ({ sha256: '', bytes: new Uint8Array(100) }));
  return { commands: frame.commands, buffers: more };
}

function errorOf(run: () => unknown): RenderError {
  try {
    run();
  } catch (error) {
    if (error instanceof RenderError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('address map', () => {
  it('cuts memory into regions that touch and do not overlap', () => {
    for (const spec of [DEFAULT_CHIPLET_SPEC, HMGPU]) {
      const regions = partitionMemory(spec);
      let end = 0;
      for (const name of REGION_NAMES) {
        expect(regions[name].baseBytes).toBe(end);
        end += Math.ceil(regions[name].sizeBytes / 1024) * 1024;
      }
      // Lines have 31-bit numbers, and one bit marks writes.
      expect(end / 64).toBeLessThan(2 ** 30);
    }
  });

  it('puts textures one after another, whole lines, and buffers and display lists into pages', () => {
    const map = new AddressMap(DEFAULT_CHIPLET_SPEC, frameOf(3, 2), [
      { ...TEXTURE, sizeBytes: 4100 },
      TEXTURE,
    ]);
    const { textures, user } = map.regions;
    expect(map.textureBase(0)).toBe(textures.baseBytes);
    expect(map.textureBase(1)).toBe(textures.baseBytes + 4160);
    expect(map.user.bufferBase(0)).toBe(user.baseBytes);
    expect(map.user.bufferBase(1)).toBe(user.baseBytes + 1024);
    // Two buffers and three display lists have one page each.
    expect(map.user.streamBase(0, 100)).toBe(user.baseBytes + 5 * 1024);
  });

  it.each([
    ['buffers (bufferIndexBlocks): 9 are needed, but a chiplet has index blocks for 8', 1, 8, 0, 2],
    [
      'draws (displayListIndexBlocks): 257 are needed, but a chiplet has index blocks for 256',
      256,
      1,
      0,
      2,
    ],
    [
      'textures (textureIndexBlocks): 7 are needed, but a chiplet has index blocks for 6',
      1,
      1,
      6,
      12,
    ],
    ['textures[0] (textureIndexLevels): 13 levels; an index block has room for 12', 1, 1, 1, 12],
  ])('names the limit of hmgpu: %s', (message, draws, buffers, textures, levels) => {
    const make = (
      moreDraws: number,
      moreBuffers: number,
      moreTextures: number,
      moreLevels: number,
    ) =>
      new AddressMap(
        HMGPU,
        frameOf(draws + moreDraws, buffers + moreBuffers),
        Array.from({ length: textures + moreTextures }, () => ({
          sizeBytes: 4096,
          levelOffsets: Array.from({ length: levels + moreLevels }, (_, level) => 64 * level),
        })),
      );
    expect(() => make(0, 0, 0, 0)).not.toThrow();
    const which = ['buffers', 'draws', 'textures (', 'textures['].findIndex((w) =>
      message.startsWith(w),
    );
    const more = [
      [0, 1, 0, 0],
      [1, 0, 0, 0],
      [0, 0, 1, 0],
      [0, 0, 0, 1],
    ][which]!;
    const error = errorOf(() => make(more[0]!, more[1]!, more[2]!, more[3]!));
    expect(error.code).toBe('FRAME_UNSUPPORTED');
    expect(error.message).toBe(message);
  });

  it('refuses a frame of too many draws when the chiplet is given it', () => {
    const chiplet = new SimulatedChiplet(HMGPU);
    const frame = makeFrame(
      Array.from({ length: 257 }, () => TRIANGLE),
      TARGET,
    );
    expect(errorOf(() => chiplet.admitFrame(frame)).message).toMatch(
      /bufferIndexBlocks|displayListIndexBlocks/,
    );
  });
});
