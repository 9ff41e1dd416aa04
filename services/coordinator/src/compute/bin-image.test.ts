/**
 * Compares the bins drawn over an image with separately computed pixels, read by another decoder.
 */
import type { BinReport } from '@tessera/frame';
import { encodePng } from '@tessera/frame/png';
import { PNG } from 'pngjs';
import { describe, expect, it } from 'vitest';
import { drawBins } from './bin-image.ts';

const [WIDTH_PX, HEIGHT_PX] = [13, 9];
const ORANGE = [230, 159, 0];
const SKY_BLUE = [86, 180, 233];

/** Two bins side by side; the third belongs to another pass. */
const BINS = [
  { passIndex: 0, x: 0, y: 0, width: 6, height: 9, chiplet: 0 },
  { passIndex: 0, x: 6, y: 0, width: 7, height: 9, chiplet: 1 },
  { passIndex: 1, x: 0, y: 0, width: 13, height: 9, chiplet: 2 },
] as BinReport[];

function makeColors(): Uint8Array {
  // Neighbors differ by more than 128, so that differences wrap.
  return Uint8Array.from({ length: WIDTH_PX * HEIGHT_PX * 4 }, (_, i) =>
    i % 4 === 3 ? 255 : (i * 97 + (i >> 3) * 31) & 255,
  );
}

async function draw(rgba: Uint8Array): Promise<PNG> {
  const png = await encodePng({ widthPx: WIDTH_PX, heightPx: HEIGHT_PX, rgba });
  const pieces = await Array.fromAsync(drawBins(png, BINS, 0, 'owner'));
  return PNG.sync.read(Buffer.concat(pieces));
}

describe('drawBins', () => {
  it('tints each pixel by the chiplet of its bin, edges more', async () => {
    const rgba = makeColors();
    const drawn = await draw(rgba);
    expect([drawn.width, drawn.height]).toEqual([WIDTH_PX, HEIGHT_PX]);
    for (let y = 0; y < HEIGHT_PX; y++) {
      for (let x = 0; x < WIDTH_PX; x++) {
        const isEdge = y === 0 || y === HEIGHT_PX - 1 || [0, 5, 6, 12].includes(x);
        const tint = x < 6 ? ORANGE : SKY_BLUE;
        const at = (y * WIDTH_PX + x) * 4;
        const expected = tint.map((color, channel) => {
          const under = rgba[at + channel]!;
          return under + Math.floor(((color - under) * (isEdge ? 232 : 112)) / 256);
        });
        expect([...drawn.data.subarray(at, at + 3)], `pixel ${x}, ${y}`).toEqual(expected);
      }
    }
  });

  it('refuses an image of another encoder', async () => {
    const strange = new PNG({ width: WIDTH_PX, height: HEIGHT_PX });
    const png = PNG.sync.write(strange, { filterType: 4 });
    const drawn = drawBins(png, BINS, 0, 'owner');
    await expect(Array.fromAsync(drawn)).rejects.toThrow('png: ');
  });
});
