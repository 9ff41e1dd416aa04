/**
 * Every page of the dashboard in every state that matters is accessible by the rules of axe, fits
 * its window, and works by keyboard. Skipped without Chromium. One service has frames, a study and
 * a sequence; another one is empty.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { renderExamples } from '../../scripts/launch/render-examples.ts';
import { findKeyboardFaults, findViolations } from '../support/accessibility.ts';
import { findChromium } from '../support/find-chromium.ts';
import {
  makeDataFolder,
  postModel,
  startTestService,
  stopServicesAfterAll,
} from '../support/service-harness.ts';

stopServicesAfterAll();

const ROOT = resolve(import.meta.dirname, '../..');
const MODEL = readFileSync(join(ROOT, 'test/golden/models/BoxVertexColors.glb'));
const WITHIN = { timeout: 120_000 };

/** Ids of what the pages show. */
const shown = { frame: '', other: '', shared: '', study: '', sequence: '' };

interface CheckedPage {
  readonly name: string;
  readonly path: () => string;
  /** Element that the page has once it is complete. */
  readonly ready: string;
  /** Opens what is closed at first. */
  readonly open?: (page: Page) => Promise<void>;
  readonly isEmpty?: boolean;
}

const openDetails = (page: Page) =>
  page.locator('details').evaluateAll((all: HTMLDetailsElement[]) => {
    for (const one of all) one.open = true;
  });

const PAGES: readonly CheckedPage[] = [
  {
    name: 'overview with examples and exploration',
    path: () => '/#/',
    ready: '.explore',
    open: async (page) => {
      await openDetails(page);
      await page.getByRole('button', { name: 'Static ↔ dynamic' }).click();
    },
  },
  {
    name: 'frame with heat map, history, draws, shaders and exploration',
    path: () => `/#/frames/${shown.frame}?chiplets=16&frames=6`,
    ready: '.gantt .span.bin',
    open: async (page) => {
      await page.getByRole('button', { name: 'Look into pixels and draws' }).click();
      await page.locator('canvas.heat:not([hidden])').waitFor(WITHIN);
      await page.locator('.pixel-view').press('Enter');
      await page.locator('table.pixel-history').waitFor(WITHIN);
      await page.getByRole('heading', { name: /^Draws of pass/ }).waitFor(WITHIN);
      await page.getByRole('button', { name: 'Look into shaders' }).click();
      await page.getByRole('listbox', { name: 'Instructions' }).waitFor(WITHIN);
      await page.locator('.explore').waitFor(WITHIN);
      await openDetails(page);
    },
  },
  {
    name: 'frame with shared memories',
    path: () => `/#/frames/${shown.shared}`,
    ready: '.matrix td',
  },
  {
    name: 'address that is not permitted',
    path: () => `/#/frames/${shown.frame}?plot=schedule&units=99`,
    ready: '.gantt-chart .problem',
  },
  {
    name: 'comparison',
    path: () => `/#/compare/${shown.frame}/${shown.other}`,
    ready: '.gantt .span',
  },
  { name: 'studies with hardware', path: () => '/#/studies', ready: 'form', open: openDetails },
  { name: 'study with plot', path: () => `/#/studies/${shown.study}`, ready: '.plot' },
  { name: 'sequences', path: () => '/#/sequences', ready: '.boxes', open: openDetails },
  { name: 'sequence', path: () => `/#/sequences/${shown.sequence}`, ready: '.gantt .span' },
  { name: 'counters', path: () => '/#/counters', ready: 'dl' },
  { name: 'documents', path: () => '/#/docs', ready: '.document table' },
  {
    name: 'document with images',
    path: () => '/#/docs/how-to/use-the-dashboard.md',
    ready: '.document img',
  },
  { name: 'no page', path: () => '/#/nowhere', ready: '.problem' },
  { name: 'no frame', path: () => '/#/frames/none', ready: '.problem' },
  { name: 'interface', path: () => '/docs', ready: '.opblock' },
  { name: 'empty overview', path: () => '/#/', ready: '.frames .none', isEmpty: true },
  { name: 'no studies', path: () => '/#/studies', ready: 'main li', isEmpty: true },
  { name: 'no sequences', path: () => '/#/sequences', ready: 'main li', isEmpty: true },
];

const executablePath = findChromium();

describe.skipIf(executablePath === null)('accessibility', WITHIN, () => {
  let url: string;
  let emptyUrl: string;
  let browser: Browser;

  beforeAll(async () => {
    const [{ service }, empty] = await Promise.all([
      startTestService({ workerCount: 1 }),
      startTestService({ workerCount: 0 }),
    ]);
    ({ url } = service);
    emptyUrl = empty.url;
    browser = await chromium.launch({ executablePath: executablePath!, args: ['--no-sandbox'] });
    for await (const image of renderExamples(service)) shown.frame ||= image.split('/')[3]!;
    const small = '?width=256&height=192&bins=8&chiplets=3&';
    const shared = await postModel(url, MODEL, `${small}placement=interleaved`);
    shown.shared = idOf(shared);
    shown.other = await post(`/v1/frames/${shown.frame}/again?policy=static`);
    const body = { frames: [shown.shared], chiplets: [1, 2, 3], bins: [8], coupling: 'none' };
    shown.study = await post('/v1/studies', {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    const frames = `/v1/sequences${small}frames=2&coupling=none`;
    shown.sequence = await post(frames, {
      headers: { 'Content-Type': 'model/gltf-binary' },
      body: new Uint8Array(MODEL),
    });
    for (const path of [`frames/${shown.other}`, `sequences/${shown.sequence}`]) {
      const status = async () => (await (await fetch(`${url}/v1/${path}`)).json()).status;
      await vi.waitFor(async () => expect(await status()).toBe('done'), WITHIN);
    }
  }, WITHIN.timeout);

  afterAll(async () => {
    await browser?.close();
  });

  const idOf = (answer: Response) => answer.headers.get('location')!.split('/')[3]!;

  async function post(path: string, init: RequestInit = {}): Promise<string> {
    const answer = await fetch(`${url}${path}`, { method: 'POST', ...init });
    expect(answer.status, await answer.clone().text()).toBeLessThan(300);
    return idOf(answer);
  }

  it.each(PAGES)('of $name', async ({ path, ready, open, isEmpty }) => {
    // Axe is injected, which the page's policy forbids.
    const context = await browser.newContext({ bypassCSP: true, reducedMotion: 'reduce' });
    const page = await context.newPage();
    page.setDefaultTimeout(WITHIN.timeout);
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.goto(`${isEmpty ? emptyUrl : url}${path()}`);
    await page.locator(ready).first().waitFor(WITHIN);
    await open?.(page);
    expect(await findViolations(page)).toEqual([]);
    expect(await findKeyboardFaults(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it.each([
    ['#/', '.frames .empty code', 'frames'],
    ['#/studies', '.empty code', 'studies'],
    ['#/sequences', '.empty code', 'sequences'],
  ])('is helped by a command that works: %s', async (hash, place, list) => {
    const page = await browser.newPage();
    await page.goto(`${emptyUrl}/${hash}`);
    const text = await page.locator(place).innerText();
    await page.close();
    const command = text.replace('image.png', join(makeDataFolder(), 'image.png'));
    const PATH = `${join(ROOT, 'node_modules/.bin')}:${process.env.PATH}`;
    const environment = { ...process.env, PATH };
    await promisify(execFile)('sh', ['-c', command], { cwd: ROOT, env: environment });
    const answer = await (await fetch(`${emptyUrl}/v1/${list}`)).json();
    expect(answer[list].length).toBeGreaterThan(0);
  });

  it('closes with escape what was opened', async () => {
    const page = await browser.newPage();
    page.setDefaultTimeout(WITHIN.timeout);
    // As over plain HTTP from another host.
    await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', {}));
    await page.goto(`${url}/#/frames/${shown.shared}`);
    const summary = page.locator('summary', { hasText: 'Bins as a table' });
    await summary.press('Enter');
    await page.getByRole('region', { name: 'Bins', exact: true }).press('Escape');
    expect(await summary.locator('..').getAttribute('open')).toBe(null);
    expect(await summary.evaluate((found) => found === document.activeElement)).toBe(true);
    // Without a clipboard, the page shows the address.
    const copy = page.locator('.gantt-chart').getByRole('button', { name: 'Copy link' });
    await copy.press('Enter');
    const address = page.locator('.gantt-chart').getByLabel('Address');
    await address.press('Escape');
    await address.waitFor({ state: 'detached' });
    expect(await copy.evaluate((found) => found === document.activeElement)).toBe(true);
    await page.close();
  });
});
