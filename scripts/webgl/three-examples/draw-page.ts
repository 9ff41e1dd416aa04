/**
 * Draws a page with Tessera in a process of its own, because libraries keep timers and the page:
 * `node draw-page.ts PATH FRAME`, with {@link PageFrame} as JSON. Prints a {@link DrawnPage}.
 */
import { toProgramError } from '@tessera/webgl/program-runner';
import { renderExample } from '../render-example.ts';
import type { PageFrame } from './chromium-page.ts';
import { PAGE_START_MS, seededRandom } from './page-random.ts';

/**
 * Image of a page: size in pixels, and Base64 of 4 bytes per pixel from the top row; or its error.
 */
export type DrawnPage =
  | {
      readonly widthPx: number;
      readonly heightPx: number;
      readonly rgba: string;
      /** CPU time of all threads from the start of the page to the image, in seconds. */
      readonly cpuSeconds: number;
      /** Errors that the page printed. */
      readonly messages: readonly string[];
    }
  | { readonly error: string };

const [path, given] = process.argv.slice(2) as [string, string];
const { widthPx, heightPx, frameIndex, seed } = JSON.parse(given) as PageFrame;
const messages: string[] = [];
console.error = (...values: unknown[]) => messages.push(values.join(' '));
console.log = () => {};
console.warn = () => {};
process.once('uncaughtException', (error) => {
  print({ error: toProgramError(path, error).message });
});
Math.random = seededRandom(seed);
Date.now = () => PAGE_START_MS;
try {
  const before = process.cpuUsage();
  const options = { widthPx, heightPx, frameIndex, isIdleFirst: true };
  const { image } = await renderExample(path, options);
  const { user, system } = process.cpuUsage(before);
  const { rgba } = image;
  const size = { widthPx: image.widthPx, heightPx: image.heightPx };
  print({ ...size, rgba: rgba.toBase64(), cpuSeconds: (user + system) / 1e6, messages });
} catch (error) {
  print({ error: (error as Error).message });
}

function print(page: DrawnPage): void {
  process.stdout.write(`\n${JSON.stringify(page)}\n`, () => process.exit());
}
