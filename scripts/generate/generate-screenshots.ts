/**
 * Writes docs/images: every page of the dashboard in both themes, on a wide screen and on a phone,
 * and the sections of a frame's page that open on request.
 * Starts a service of its own, with the examples, a study and a sequence, and needs chromium.
 */
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { makeKnotModel } from '../launch/examples/knot-model.ts';
import type { LaunchedService } from '../launch/service-launcher.ts';
import { withExampleService } from './example-service.ts';
import { listPages, SCREENS, SECTIONS, screenshotName, THEMES } from './screenshot-list.ts';

const OUT = resolve(import.meta.dirname, '../../docs/images');
const WITHIN_MS = 120_000;
/** Time for charts and images to be drawn after the network is idle. */
const SETTLE_MS = 1500;
const JPEG_QUALITY = 72;

/** Ids of what the pages show. */
interface Shown {
  readonly frame: string;
  readonly other: string;
  readonly study: string;
  readonly sequence: string;
}

/** Renders what the pages show. */
async function prepare({ url }: LaunchedService): Promise<Shown> {
  const list = (await getJson(`${url}/v1/frames?tag=example`)) as {
    frames: readonly { id: string; name: string }[];
  };
  const frame = list.frames.find(({ name }) => name.includes('capture'))!.id;
  const again = `${url}/v1/frames/${frame}/again?policy=static&chiplets=5`;
  const other = await post(again, undefined);
  const study = await post(`${url}/v1/studies`, {
    title: 'Static and dynamic assignment',
    frames: list.frames.map(({ id }) => id),
    chiplets: [1, 2, 4, 8, 16],
    policies: ['static', 'dynamic'],
    coupling: 'none',
  });
  const sequence = await postModel(
    `${url}/v1/sequences?frames=4&width=480&height=270&coupling=none`,
  );
  await waitFor(`${url}/v1/frames/${other}`);
  await waitFor(`${url}/v1/studies/${study}`);
  await waitFor(`${url}/v1/sequences/${sequence}`);
  return { frame, other, study, sequence };
}

async function takeAll(browser: Browser, url: string, shown: Shown): Promise<void> {
  for (const theme of THEMES) {
    for (const [screen, viewport] of Object.entries(SCREENS)) {
      const context = await browser.newContext({ viewport, colorScheme: theme });
      const page = await context.newPage();
      for (const [name, path] of Object.entries(listPages(shown))) {
        await open(page, `${url}${path}`);
        const file = join(OUT, screenshotName(name, theme, screen));
        await page.screenshot({ path: file, type: 'jpeg', quality: JPEG_QUALITY });
      }
      await open(page, `${url}${listPages(shown).frame}`);
      for (const [name, button, content] of SECTIONS) {
        await page.getByRole('button', { name: button }).click();
        await page.locator(content).first().waitFor();
        await page.waitForTimeout(SETTLE_MS);
        const file = join(OUT, screenshotName(name, theme, screen));
        await page
          .locator('section', { has: page.locator(content) })
          .screenshot({ path: file, type: 'jpeg', quality: JPEG_QUALITY });
      }
      await context.close();
    }
  }
}

async function open(page: Page, address: string): Promise<void> {
  // A change of the hash alone does not load the page.
  await page.goto('about:blank');
  await page.goto(address, { waitUntil: 'load' });
  await page.waitForTimeout(SETTLE_MS);
}

async function getJson(address: string): Promise<unknown> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** Posts JSON and returns the id of what was made. */
async function post(address: string, body: object | undefined): Promise<string> {
  const json = { 'Content-Type': 'application/json' };
  const init = body === undefined ? {} : { headers: json, body: JSON.stringify(body) };
  return idOf(await fetch(address, { method: 'POST', ...init }));
}

async function postModel(address: string): Promise<string> {
  const headers = { 'Content-Type': 'model/gltf-binary' };
  const body = new Uint8Array(await makeKnotModel());
  return idOf(await fetch(address, { method: 'POST', headers, body }));
}

async function idOf(answer: Response): Promise<string> {
  if (!answer.ok) throw new Error(`${answer.url}: ${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { id: string }).id;
}

async function waitFor(address: string): Promise<void> {
  for (const endMs = Date.now() + WITHIN_MS; Date.now() < endMs; ) {
    const { status } = (await getJson(address)) as { status: string };
    if (status === 'done') return;
    if (status === 'failed') throw new Error(`${address}: failed`);
    await new Promise((done) => setTimeout(done, 250));
  }
  throw new Error(`${address}: not done in ${WITHIN_MS} ms`);
}

await withExampleService(async (service, browser) => {
  const shown = await prepare(service);
  mkdirSync(OUT, { recursive: true });
  await takeAll(browser, service.url, shown);
});
