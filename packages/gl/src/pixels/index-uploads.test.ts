import { expect, it } from 'vitest';
import { GL } from '../api/constants.ts';
import { FIXED } from '../api/fixed-constants.ts';
import { makeContext } from '../testing/small-context.ts';
import { convertIndices } from './index-uploads.ts';

const LAYOUT = {
  ...{ alignmentBytes: 1, rowLengthPx: 0, skipRows: 0, skipPx: 0, imageHeightPx: 0 },
  skipImages: 0,
  isLeastBitFirst: false,
};

/** Returns pixel maps with red for index 1, and black with an alpha of 0 for index 0. */
function makeMaps() {
  const { maps } = makeContext('gl').gl.pixels;
  [0x0c72, 0x0c75].forEach((map) => {
    maps.set(map, [0, 1]);
  });
  return maps;
}

const RED = [255, 0, 0, 255];
const NONE = [0, 0, 0, 0];

it('places colors where the layout expects them', () => {
  const upload = { widthPx: 2, heightPx: 2, type: GL.UNSIGNED_BYTE };
  // Rows of three indices, of which the first row and column are skipped.
  const bytes = Uint8Array.of(9, 9, 9, 9, 1, 0, 9, 0, 1);
  const layout = { ...LAYOUT, rowLengthPx: 3, skipRows: 1, skipPx: 1 };
  const { format, type, bytes: colors } = convertIndices({ ...upload, bytes }, makeMaps(), layout);
  expect([format, type]).toEqual([GL.RGBA, GL.UNSIGNED_BYTE]);
  const rowAt = (row: number) => [...colors!.subarray((row * 3 + 1) * 4, (row * 3 + 3) * 4)];
  expect(rowAt(1)).toEqual([...RED, ...NONE]);
  expect(rowAt(2)).toEqual([...NONE, ...RED]);
  expect(colors).toHaveLength(9 * 4);
});

it('reads bits, and keeps an image without contents', () => {
  const upload = { widthPx: 3, heightPx: 1, type: FIXED.BITMAP };
  const maps = makeMaps();
  const { bytes } = convertIndices({ ...upload, bytes: Uint8Array.of(0b10100000) }, maps, LAYOUT);
  expect([...bytes!]).toEqual([...RED, ...NONE, ...RED]);
  expect(convertIndices({ ...upload, bytes: null }, maps, LAYOUT).bytes).toBeNull();
  const short = convertIndices({ ...upload, bytes: new Uint8Array(0) }, maps, LAYOUT);
  expect(short.bytes).toHaveLength(0);
});
