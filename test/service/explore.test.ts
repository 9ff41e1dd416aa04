/**
 * Exploration of a frame in a real browser: it answers without requests, and its estimates of
 * sequences and studies are those of the service. Skipped without chromium. One service and one
 * page serve all tests.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from '@tessera/frame';
import { seededRandom } from '@tessera/scenes/seeded-random';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium } from '../support/find-chromium.ts';
import { ESTIMATES_PATH, serveEstimates } from '../support/page-estimates.ts';
import { queryOf, randomSettings, type Settings } from '../support/random-settings.ts';
import { startTestService, stopServicesAfterAll } from '../support/service-harness.ts';

stopServicesAfterAll();

const MODELS = join(import.meta.dirname, '../golden/models');
const GLB = 'model/gltf-binary';
const WITHIN = { timeout: 60_000 };
const SEED = 22;

/** Scenes that are rendered and estimated: file, media type, query. */
const SCENES = [
  [join(MODELS, 'BoxVertexColors.glb'), GLB, 'width=256&height=192&bins=16'],
  [join(MODELS, 'TextureLinearInterpolationTest.glb'), GLB, 'width=320&height=192&bins=24'],
] as const;

/** Figures of the page. */
interface Estimated {
  readonly figures: Readonly<Record<string, number>>;
}

const executablePath = findChromium();

describe.skipIf(executablePath === null)('the exploration of a frame', { timeout: 240_000 }, () => {
  let url: string;
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];
  /** Paths that the page has requested. */
  const requested: string[] = [];

  beforeAll(async () => {
    ({ url } = await startTestService({ workerCount: 2 }));
    browser = await chromium.launch({ executablePath: executablePath!, args: ['--no-sandbox'] });
    page = await openPage('#/', {});
    await serveEstimates(page);
  }, 60_000);

  afterAll(async () => {
    await browser?.close();
  });

  async function openPage(hash: string, options: object): Promise<Page> {
    const context = await browser.newContext(options);
    context.setDefaultTimeout(WITHIN.timeout);
    const opened = await context.newPage();
    opened.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    opened.on('pageerror', (error) => complaints.push(String(error)));
    opened.on('request', (request) => {
      const { pathname } = new URL(request.url());
      // The browser asks for the icon after each change of the address.
      if (!pathname.endsWith('icon.svg')) requested.push(pathname);
    });
    await opened.goto(`${url}/${hash}`);
    return opened;
  }

  async function post(path: string, init: RequestInit = {}): Promise<string> {
    const answer = await fetch(`${url}${path}`, { method: 'POST', ...init });
    expect(answer.status, await answer.clone().text()).toBeLessThan(300);
    return answer.headers.get('Location')!.split('/').at(-1)!;
  }

  async function render(file: string, mediaType: string, query: string): Promise<string> {
    const headers = { 'Content-Type': mediaType, Prefer: 'wait=120' };
    const body = new Uint8Array(readFileSync(file));
    return post(`/v1/frames?${query}`, { headers, body });
  }

  async function reportOf(path: string): Promise<Report> {
    for (;;) {
      const answer = await fetch(`${url}${path}/report`);
      if (answer.status === 200) return (await answer.json()) as Report;
      const { code, detail } = (await answer.json()) as { code: string; detail: string };
      expect(code, detail).toBe('RESULT_NOT_READY');
      await new Promise((done) => setTimeout(done, 100));
    }
  }

  /**
   * Estimates in the browser with the module of the page. The code is a text, because the test
   * runner would replace a dynamic import.
   */
  function estimateInPage(id: string, all: readonly Settings[]): Promise<Estimated[]> {
    return page.evaluate(`(async () => {
      const { estimateFrame } = await import('${ESTIMATES_PATH}');
      const measurement = await (await fetch('/v1/frames/${id}/measurement')).json();
      return ${JSON.stringify(all)}.map((settings) => ({
        figures: estimateFrame(measurement, settings).figures,
      }));
    })()`);
  }

  it('has the cycles of a sequence and the speed-up of a study', async () => {
    const [file, type, query] = SCENES[0];
    const id = await render(file, type, `${query}&coupling=none&chiplets=2`);
    const settings = { ...randomSettings(seededRandom(SEED + 1)), chiplets: 5, frames: 4 };
    const { frames: _frames, ...gpu } = settings;
    const [estimate] = await estimateInPage(id, [settings]);
    const sequence = await post(`/v1/sequences?${queryOf(gpu)}`, {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ frames: [id, id, id, id] }),
    });
    const { totals } = await reportOf(`/v1/sequences/${sequence}`);
    expect(estimate!.figures.cycles).toBe(totals.cycles);

    const study = await post('/v1/studies', {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        ...{ frames: [id], bins: [16], coupling: 'none' },
        ...{ chiplets: [3], policies: ['static-morton'] },
      }),
    });
    const rows = async () => {
      const text = await (await fetch(`${url}/v1/studies/${study}/results.csv`)).text();
      return text
        .trim()
        .split('\n')
        .map((line) => line.split(','));
    };
    await expect.poll(async () => (await rows()).length, WITHIN).toBe(2);
    const [heads, values] = await rows();
    // Counted from the end, because the name of the scene may contain commas.
    const speedUp = Number(values!.at(heads!.indexOf('speedUp') - heads!.length));
    const own = { linkTopology: 'bus', linkBytesPerCycle: 256, linkLatencyCycles: 32 };
    const [alone] = await estimateInPage(id, [
      { ...own, chiplets: 3, policy: 'static-morton', overlap: 'visibility-first', frames: 1 },
    ]);
    expect(Number(alone!.figures.speedUp!.toFixed(4))).toBe(speedUp);
  });

  it('says that a frame with coupling=exact has no measurement', async () => {
    const [file, type, query] = SCENES[0];
    const id = await render(file, type, `${query}&coupling=exact&chiplets=2&timeline=512`);
    const answer = await fetch(`${url}/v1/frames/${id}/measurement`);
    expect(answer.status).toBe(409);
    expect(await answer.json()).toMatchObject({
      code: 'MEASUREMENT_MISSING',
      detail: expect.stringContaining(`POST /v1/frames/${id}/again?coupling=none`),
    });
    await page.goto(`${url}/#/frames/${id}`);
    await page.getByRole('button', { name: 'Measure and explore' }).click();
    await page.locator('.explore').waitFor();
    await page.locator('[data-setting=chiplets]').press('ArrowRight');
    await page.waitForURL(/\?chiplets=3&.*&measured=/);
    await page.reload();
    await page.locator('.explore').waitFor();
    expect(await page.locator('.explore output').first().textContent()).toBe('3');
  });

  it('answers sliders without a request, and keeps its state in the address', async () => {
    const [file, type, query] = SCENES[1];
    const id = await render(file, type, `${query}&coupling=none&chiplets=4`);
    await page.goto(`${url}/#/frames/${id}`);
    await page.locator('.explore').waitFor();
    await page.locator('.gantt .span.bin').first().waitFor();
    expect(requested.filter((path) => path === `/v1/frames/${id}/measurement`)).toHaveLength(1);
    requested.length = 0;
    const cycles = page.locator('[data-figure=cycles]');
    const before = await cycles.getAttribute('data-value');
    const owners = () => page.locator('.explore-owners canvas').getAttribute('data-owners');
    const ownersBefore = await owners();
    await page.locator('[data-setting=chiplets]').fill('7');
    await page.locator('[data-setting=linkLatencyCycles]').fill('20');
    await page.locator('[data-setting=policy]').selectOption('static-diagonal');
    await page.locator('[data-setting=linkTopology]').selectOption('ring');
    await page.locator('[data-setting=overlap]').selectOption('none');
    await page.waitForURL(/chiplets=8&policy=static-diagonal&linkTopology=ring.*overlap=none/);
    expect(await cycles.getAttribute('data-value')).not.toBe(before);
    expect(await owners()).not.toBe(ownersBefore);
    expect((await owners())!.split(' ')).toHaveLength(ownersBefore!.split(' ').length);
    const label = await page.locator('.explore-chart').getAttribute('aria-label');
    expect(label).toContain('Estimate for static-diagonal on 8 chiplets');
    expect(requested).toEqual([]);

    const shown = await cycles.getAttribute('data-value');
    const other = await openPage(new URL(page.url()).hash, {});
    await other.locator('.explore').waitFor();
    expect(await other.locator('[data-figure=cycles]').getAttribute('data-value')).toBe(shown);
    await other.context().close();
  });

  it('plays static against dynamic, and stops', async () => {
    const policy = page.locator('[data-setting=policy]');
    const play = page.getByRole('button', { name: 'Static ↔ dynamic' });
    await play.click();
    expect(await play.getAttribute('aria-pressed')).toBe('true');
    const seen = new Set<string>();
    await expect.poll(async () => seen.add(await policy.inputValue()).size, WITHIN).toBe(2);
    expect([...seen].sort()).toEqual(['dynamic-pull', 'static-blocks']);
    await play.click();
    expect(await play.getAttribute('aria-pressed')).toBe('false');
    await page.getByRole('button', { name: 'Settings of the frame' }).click();
    expect(await policy.inputValue()).toBe('dynamic-pull');
  });

  it('runs the GPU exactly and shows the difference', async () => {
    await page.locator('[data-setting=chiplets]').fill('2');
    await page.getByRole('button', { name: 'Run exactly' }).click();
    const table = page.getByRole('region', { name: 'Estimate and exact run' });
    await table.waitFor();
    const exact = await page.getByRole('link', { name: 'its page' }).getAttribute('href');
    const report = await reportOf(`/v1/frames/${exact!.split('/').at(-1)}`);
    expect(report).toMatchObject({ coupling: 'exact', policy: 'dynamic-pull' });
    expect(report.chiplets).toHaveLength(3);
    const row = table.locator('tbody tr').first();
    const shown = await page.locator('[data-figure=cycles]').getAttribute('data-value');
    const texts = await row.locator('td').allTextContents();
    expect(texts.slice(0, 2)).toEqual([
      Number(shown).toLocaleString('en'),
      report.totals.cycles!.toLocaleString('en'),
    ]);
  });

  it('names a setting of an address that is not permitted', async () => {
    const [path] = page.url().split('?');
    await page.goto(`${path}?chiplets=65`);
    const problem = page.locator('.problem', { hasText: 'ADDRESS_INVALID' });
    await problem.waitFor();
    expect(await problem.textContent()).toContain("chiplets: '65' is not an integer from 1 to 64");
  });

  it('throws nothing', () => {
    expect(complaints).toEqual([]);
  });
});
