/**
 * Reference images of WebGL programs, rendered by Debian's Chromium with SwiftShader, a
 * software renderer.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Image } from '@tessera/frame';
import { type Browser, chromium } from 'playwright-core';
import { startExampleServer } from './example-server.ts';

/** Flags with which Chromium renders WebGL with SwiftShader, also as root. */
export const SWIFTSHADER_FLAGS: readonly string[] = [
  '--no-sandbox',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--ignore-gpu-blocklist',
];

/** Script that gives a page its time; it runs before those of the page. */
export const PAGE_CLOCK = join(import.meta.dirname, 'page-clock.js');

/** Returns the path of Debian's Chromium, or null. */
export function findChromium(): string | null {
  try {
    return execFileSync('sh', ['-c', 'command -v chromium'], { encoding: 'utf8' }).trim();
  } catch {
    return null;
  }
}

/** Browser that renders the examples. */
export interface ChromiumImages {
  /**
   * Renders one frame of a program, top row first.
   *
   * @param file Path relative to the repository.
   * @param frameIndex Index of the frame, from 0. All frames before it are drawn too.
   */
  readonly render: (
    file: string,
    widthPx: number,
    heightPx: number,
    frameIndex: number,
  ) => Promise<Image>;
  readonly close: () => Promise<void>;
}

/** Starts a browser that renders WebGL with SwiftShader. */
export function startChromium(executablePath: string): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: [...SWIFTSHADER_FLAGS],
  });
}

/** Starts a browser, which opens a new page for each image. */
export async function startChromiumImages(executablePath: string): Promise<ChromiumImages> {
  const server = await startExampleServer();
  const browser = await startChromium(executablePath);
  return {
    render: (file, widthPx, heightPx, frameIndex) =>
      renderPage(browser, server.url, file, widthPx, heightPx, frameIndex),
    close: async () => {
      await browser.close();
      await server.close();
    },
  };
}

async function renderPage(
  browser: Browser,
  url: string,
  file: string,
  widthPx: number,
  heightPx: number,
  frameIndex: number,
): Promise<Image> {
  const page = await browser.newPage();
  const pageErrors: string[] = [];
  page.on('pageerror', (error) => pageErrors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') pageErrors.push(message.text());
  });
  try {
    await page.setViewportSize({ width: widthPx, height: heightPx });
    await page.addInitScript({ path: PAGE_CLOCK });
    await page.goto(url);
    const call = JSON.stringify([`/${file}`, widthPx, heightPx, frameIndex]);
    // Passed as text, because the function is defined in the page.
    const drawn = await page.evaluate(`renderExample(...${call})`);
    return toImage(drawn as DrawnCanvas);
  } catch (error) {
    const message = `${file} in Chromium: ${(error as Error).message}\n${pageErrors.join('\n')}`;
    throw new Error(message, { cause: error });
  } finally {
    await page.close();
  }
}

/** Result of `pageClock.readCanvas`: texels as Base64, lowest row first. */
export type DrawnCanvas = readonly [widthPx: number, heightPx: number, base64: string];

/** Reverses the rows, because readPixels returns the lowest row first. */
export function toImage([widthPx, heightPx, base64]: DrawnCanvas): Image {
  const texels = Uint8Array.fromBase64(base64);
  const rgba = new Uint8Array(texels.length);
  const rowBytes = widthPx * 4;
  for (let row = 0; row < heightPx; row++) {
    const from = (heightPx - 1 - row) * rowBytes;
    rgba.set(texels.subarray(from, from + rowBytes), row * rowBytes);
  }
  return { widthPx, heightPx, rgba };
}
