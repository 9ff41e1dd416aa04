import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodePng } from '@tessera/frame/png';
import { createContext } from '@tessera/webgl';
import { afterAll, describe, expect, it } from 'vitest';
import { toMatchImage } from './image-matcher.ts';

interface ImageMatchers {
  toMatchImage(path: string, options?: { readonly maxOver8?: number }): Promise<void>;
}
declare module 'vitest' {
  interface Matchers<R, T> extends ImageMatchers {}
}
expect.extend({ toMatchImage });

const folder = mkdtempSync(join(tmpdir(), 'tessera-matcher-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Draws a 10×10 frame of one color. */
function drawFrame(red: number) {
  const gl = createContext(10, 10);
  gl.clearColor(red / 255, 0, 0, 1);
  gl.clear(gl.COLOR_BUFFER_BIT);
  return gl.frame();
}

describe('toMatchImage', () => {
  const golden = join(folder, 'golden.png');

  it('accepts differences up to 8, and up to the share of pixels', async () => {
    const frame = drawFrame(100);
    writeFileSync(golden, await frame.png());
    await expect(drawFrame(108)).toMatchImage(golden);
    expect(existsSync(join(folder, 'golden-actual.png'))).toBe(false);
    frame.image.rgba[0] = 0;
    await expect(frame).toMatchImage(golden, { maxOver8: 0.01 });
    await expect(frame).not.toMatchImage(golden, { maxOver8: 0.009 });
  });

  it('names the pixels of a mismatch, and writes the image and its difference', async () => {
    await expect(expect(drawFrame(109)).toMatchImage(golden)).rejects.toThrow(
      `100 of 100 pixels (100.0000 %) differ from ${golden} by more than 8 of 255, at most 0`,
    );
    await expect(drawFrame(108)).toMatchImage(join(folder, 'golden-actual.png'));
    expect(existsSync(join(folder, 'golden-difference.png'))).toBe(true);
  });

  it('rejects another size and a wrong share', async () => {
    const image = { widthPx: 2, heightPx: 1, rgba: new Uint8Array(8) };
    writeFileSync(join(folder, 'small.png'), await encodePng(image));
    const match = expect(drawFrame(0)).toMatchImage(join(folder, 'small.png'));
    await expect(match).rejects.toThrow('10×10, but ');
    const wrong = expect(drawFrame(0)).toMatchImage(golden, { maxOver8: 2 });
    await expect(wrong).rejects.toThrow('maxOver8: 2 is not a share from 0 to 1');
  });
});
