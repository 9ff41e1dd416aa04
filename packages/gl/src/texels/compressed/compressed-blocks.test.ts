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

/** Returns the checksum of the texels of all blocks. */
function hashTexels(internalFormat: number): string {
  const format = compressedFormatOf(internalFormat)!;
  const { blockBytes, blockWidthPx = 4, blockHeightPx = 4 } = format.blocks;
  const { bytesPerTexel } = TEXTURE_FORMATS[format.storage.format];
  const blocks = makeRandomBlocks(internalFormat, blockBytes);
  const [widthPx, heightPx] = [blockWidthPx, blockHeightPx].map((px) => px * RANDOM_BLOCK_EDGE);
  const texels = decompress(format, bytesPerTexel, widthPx!, heightPx!, blocks);
  // glGetTexImage returns the byte −128, which means −1 as −127 does, as −127.
  const isSigned = format.storage.format.endsWith('8snorm');
  const read = isSigned ? texels.map((byte) => (byte === 0x80 ? 0x81 : byte)) : texels;
  return createHash('sha256').update(read).digest('hex');
}

describe('random blocks', () => {
  it.each(Object.entries(CHECKSUMS))('of format %s have the texels of Mesa', (name, checksum) => {
    expect(hashTexels(Number(name))).toBe(checksum);
  });

  it('are of all formats', () => {
    expect(Object.keys(CHECKSUMS).map(Number).sort()).toEqual([...COMPRESSED_FORMATS].sort());
  });
});
