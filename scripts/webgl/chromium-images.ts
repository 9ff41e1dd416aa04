/** Pictures of the WebGL examples by Debian's Chromium on SwiftShader, a software renderer: the reference. */
import { execFileSync } from 'node:child_process';
import type { Image } from '@tessera/frame';
import { type Browser, chromium } from 'playwright-core';
import { startExampleServer } from './example-server.ts';

/** Where Debian's browser is, or null. */
export function findChromium(): string | null {
  try {
    return execFileSync('sh', ['-c', 'command -v chromium'], { encoding: 'utf8' }).trim();
  } catch {
    return null;
  }
}

export interface ChromiumImages {
  /**
   * The picture of an example's frame, rows from the top.
   *
   * @param file Name in `packages/webgl/examples`.
   * @param frameIndex The last one drawn, counted from 0; those before it are drawn too.
   */
  readonly render: (
    file: string,
    widthPx: number,
    heightPx: number,
    frameIndex: number,
  ) => Promise<Image>;
  readonly close: () => Promise<void>;
}

/** Starts a browser; a page of its own for each picture. */
export async function startChromiumImages(executablePath: string): Promise<ChromiumImages> {
  const server = await startExampleServer();
  const browser = await chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--use-gl=angle',
      '--use-angle=swiftshader',
      '--enable-unsafe-swiftshader',
      '--ignore-gpu-blocklist',
    ],
  });
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
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  try {
    await page.goto(url);
    const call = [`/packages/webgl/examples/${file}`, widthPx, heightPx, frameIndex];
    // As text: the function lives in the page.
    const base64 = (await page.evaluate(`renderExample(...${JSON.stringify(call)})`)) as string;
    return turnRows(Uint8Array.fromBase64(base64), widthPx, heightPx);
  } catch (error) {
    const message = `${file} in Chromium: ${(error as Error).message}\n${complaints.join('\n')}`;
    throw new Error(message, { cause: error });
  } finally {
    await page.close();
  }
}

/** readPixels gives the lowest row first; pictures have the highest first. */
function turnRows(texels: Uint8Array, widthPx: number, heightPx: number): Image {
  const rgba = new Uint8Array(texels.length);
  const rowBytes = widthPx * 4;
  for (let row = 0; row < heightPx; row++) {
    const from = (heightPx - 1 - row) * rowBytes;
    rgba.set(texels.subarray(from, from + rowBytes), row * rowBytes);
  }
  return { widthPx, heightPx, rgba };
}
