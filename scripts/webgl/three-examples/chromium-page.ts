/** Frame of a page in Chromium, or the reason why the page cannot be compared. */
import type { Image } from '@tessera/frame';
import type { Browser, Page } from 'playwright-core';
import { type DrawnCanvas, PAGE_CLOCK, toImage } from '../chromium-images.ts';
import { PAGE_START_MS, SEEDED_RANDOM } from './page-random.ts';

/** Size of the window, index of the frame from 0, and seed of the page's random numbers. */
export interface PageFrame {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly frameIndex: number;
  readonly seed: number;
}

/** Image of a page with the errors that it printed, or the reason of its exclusion. */
export type ChromiumResult =
  | { readonly image: Image; readonly messages: readonly string[] }
  | { readonly excluded: string };

/** Files without which a page draws the same. */
const WITHOUT_EFFECT = /\.(css|ico|woff2?)$/;
const LOAD_TIMEOUT_MS = 120_000;
/** Wall time without requests after which a page has loaded. */
const SETTLE_MS = 1000;
const MAX_LOAD_FRAMES = 20;

/** Renders a frame of a page. @param url Address of a server that has all files of the page. */
export async function renderInChromium(
  browser: Browser,
  url: string,
  frame: PageFrame,
): Promise<ChromiumResult> {
  const { origin } = new URL(url);
  const page = await browser.newPage({
    viewport: { width: frame.widthPx, height: frame.heightPx },
  });
  const requests = new PageRequests(page);
  const missing: string[] = [];
  const failures: string[] = [];
  const messages: string[] = [];
  await page.route(
    (address) => address.origin !== origin && address.protocol.startsWith('http'),
    (route) => {
      missing.push(`network address ${route.request().url()}`);
      return route.abort();
    },
  );
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (response.status() === 404 && !WITHOUT_EFFECT.test(pathname))
      missing.push(`file ${pathname}`);
  });
  page.on('pageerror', (error) => failures.push(`fails in Chromium: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') messages.push(message.text());
  });
  try {
    const random = `Math.random = (${SEEDED_RANDOM})(${frame.seed});`;
    await page.addInitScript(`globalThis.pageStartMs = ${PAGE_START_MS}; ${random}`);
    await page.addInitScript({ path: PAGE_CLOCK });
    await page.goto(url, { timeout: LOAD_TIMEOUT_MS });
    const drawn = await drawFrames(page, requests, frame.frameIndex);
    const [reason] = [...missing, ...failures];
    return reason === undefined ? { image: toImage(drawn), messages } : { excluded: reason };
  } catch (error) {
    const [reason] = [...missing, ...failures];
    return { excluded: reason ?? `fails in Chromium: ${(error as Error).message.split('\n')[0]}` };
  } finally {
    await page.close();
  }
}

/** Draws frame 0 when the page has loaded, as `--wait-idle` of `tessera record`, and later ones. */
async function drawFrames(
  page: Page,
  requests: PageRequests,
  frameIndex: number,
): Promise<DrawnCanvas> {
  await requests.waitUntilIdle();
  for (let step = 0; step < MAX_LOAD_FRAMES; step++) {
    const { started } = requests;
    await page.evaluate(`pageClock.animate(${step * 2 ** -10})`);
    await page.waitForTimeout(SETTLE_MS / 4);
    if (requests.started === started) break;
    await requests.waitUntilIdle();
  }
  for (let index = 1; index <= frameIndex; index++) {
    await page.evaluate(`pageClock.animate(${(index * 1000) / 60})`);
  }
  return (await page.evaluate('pageClock.readCanvas()')) as DrawnCanvas;
}

/** Requests of a page. */
class PageRequests {
  started = 0;
  #active = 0;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    page.on('request', () => {
      this.started++;
      this.#active++;
    });
    page.on('requestfinished', () => this.#active--);
    page.on('requestfailed', () => this.#active--);
  }

  /** Waits until no request is active for a time. */
  async waitUntilIdle(): Promise<void> {
    const endMs = performance.now() + LOAD_TIMEOUT_MS;
    for (let started = -1; this.#active > 0 || this.started !== started; ) {
      if (performance.now() > endMs) throw new Error(`still loading after ${LOAD_TIMEOUT_MS} ms`);
      started = this.started;
      await this.#page.waitForTimeout(SETTLE_MS);
    }
  }
}
