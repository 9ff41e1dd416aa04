/**
 * Checks texels of pseudo-random blocks against those of Mesa, by their checksums.
 * scripts/conformance/compressed-blocks/mesa-texels.py makes compressed-blocks.json.
 */
import { createHash } from 'node:crypto';
import { TEXTURE_FORMATS } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { makeRandomBlocks, RANDOM_BLOCK_EDGE } from '../../testing/random-blocks.ts';
import CHECKSUMS from './compressed-blocks.json' with { type: 'json' };
import { COMPRESSED_FORMATS, compressedFormatOf, decompress } from './compressed-formats.ts';

/** Returns the texels of random blocks, which are those of another format if that is given. */
function texelsOf(internalFormat: number, blocksOf = internalFormat): Uint8Array {
  const format = compressedFormatOf(internalFormat)!;
  const { blockBytes, blockWidthPx = 4, blockHeightPx = 4 } = format.blocks;
  const { bytesPerTexel } = TEXTURE_FORMATS[format.storage.format];
  const blocks = makeRandomBlocks(blocksOf, blockBytes);
  const [widthPx, heightPx] = [blockWidthPx, blockHeightPx].map((px) => px * RANDOM_BLOCK_EDGE);
  return decompress(format, bytesPerTexel, widthPx!, heightPx!, blocks);
}

/** Returns the checksum of the texels of all blocks. */
function hashTexels(internalFormat: number): string {
  const texels = texelsOf(internalFormat);
  const format = compressedFormatOf(internalFormat)!;
  // glGetTexImage returns the byte −128, which means −1 as −127 does, as −127.
  const isSigned = format.storage.format.endsWith('8snorm');
  const read = isSigned ? texels.map((byte) => (byte === 0x80 ? 0x81 : byte)) : texels;
  return createHash('sha256').update(read).digest('hex');
}

describe('random blocks', () => {
  it.each(Object.entries(CHECKSUMS))('of format %s have the texels of Mesa', (name, checksum) => {
    expect(hashTexels(Number(name))).toBe(checksum);
  });

  // LATC of one and two channels, unsigned and signed; RGTC with the same blocks; opaque alpha.
  const latc = [
    [0x8c70, 0x8dbb, 255],
    [0x8c71, 0x8dbc, 127],
    [0x8c72, 0x8dbd, null],
    [0x8c73, 0x8dbe, null],
  ] as const;

  it.each(latc)('of format %i have the channels of format %i', (luminance, channels, opaque) => {
    const texels = texelsOf(luminance, channels);
    const expected = texelsOf(channels);
    const count = opaque === null ? 2 : 1;
    expect(texels.length * count).toBe(expected.length * 4);
    for (let i = 0; i * 4 < texels.length; i++) {
      const red = expected[i * count]!;
      const alpha = opaque ?? expected[i * count + 1]!;
      expect([...texels.subarray(i * 4, i * 4 + 4)]).toEqual([red, red, red, alpha]);
    }
  });

  it('are of all formats', () => {
    const tested = [...Object.keys(CHECKSUMS).map(Number), ...latc.map(([format]) => format)];
    expect(tested.sort()).toEqual([...COMPRESSED_FORMATS].sort());
  });
});
