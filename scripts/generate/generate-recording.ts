/**
 * Writes the recording of the README: the tour of the dashboard as an animated WebP. Needs Chromium
 * and img2webp of Debian's package `webp`. Images are taken when the tour says so, and the file has
 * their times, so the speed of the machine changes nothing.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withExampleService } from './example-service.ts';
import { RECORDING_FILE, readRecording } from './tour/read-recording.ts';
import { TourStage } from './tour/tour-stage.ts';
import { TOUR } from './tour/tour-steps.ts';

const QUALITY = 80;

const folder = mkdtempSync(join(tmpdir(), 'tessera-recording-'));
try {
  const images: string[] = [];
  await withExampleService(async ({ url }, browser) => {
    const page = await browser.newPage({ colorScheme: 'light' });
    const session = await page.context().newCDPSession(page);
    const stage = await TourStage.open(page, url, async (shownMs) => {
      const { data } = await session.send('Page.captureScreenshot', { format: 'png' });
      const file = join(folder, `${images.length}.png`);
      writeFileSync(file, Buffer.from(data, 'base64'));
      images.push('-d', String(shownMs), file);
    });
    for (const { caption, run } of Object.values(TOUR)) {
      await stage.caption(caption);
      await run(stage);
    }
  });
  encode(images);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const { durationMs, imageCount, byteLength } = readRecording();
process.stdout.write(
  `${RECORDING_FILE}: ${imageCount} images, ${durationMs / 1000} s, ${byteLength} bytes\n`,
);

/** @param images Arguments of img2webp: each image with its time. */
function encode(images: readonly string[]): void {
  const quality = ['-lossy', '-q', String(QUALITY), '-m', '4'];
  try {
    execFileSync('img2webp', ['-loop', '0', ...quality, ...images, '-o', RECORDING_FILE]);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new Error("img2webp is not installed; Debian's package webp has it", { cause: error });
  }
}
