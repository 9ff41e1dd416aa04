/** Keeps captures and images of tests that do not agree, to be looked at. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Image } from '@tessera/frame';
import { PNG } from 'pngjs';

/** Capture of a test with its images: ours first, if there is one, then Mesa's. */
export interface KeptTest {
  readonly keep: string | null;
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly images: readonly Image[];
}

/** Writes the capture and the images side by side, unless nothing is kept. */
export function keepTest({ keep, name, bytes, images }: KeptTest): void {
  if (keep === null) return;
  mkdirSync(keep, { recursive: true });
  const base = join(keep, name.replaceAll(/[^\w.-]+/g, '_').slice(0, 150));
  writeFileSync(`${base}.trace`, bytes);
  const height = Math.max(...images.map(({ heightPx }) => heightPx));
  const width = images.reduce((sum, { widthPx }) => sum + widthPx, 0);
  const sheet = new PNG({ width, height });
  let left = 0;
  for (const { widthPx, heightPx, rgba } of images) {
    const png = new PNG({ width: widthPx, height: heightPx });
    png.data = Buffer.from(rgba);
    for (let at = 3; at < png.data.length; at += 4) png.data[at] = 255;
    PNG.bitblt(png, sheet, 0, 0, widthPx, heightPx, left, 0);
    left += widthPx;
  }
  writeFileSync(`${base}.png`, PNG.sync.write(sheet));
}
