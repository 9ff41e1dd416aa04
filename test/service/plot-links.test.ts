/**
 * Links to plots, in a real browser: the copied address opens the same plot with the same choices.
 * Skipped without Chromium.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium } from '../support/find-chromium.ts';
import { postModel, startTestService, stopServicesAfterAll } from '../support/service-harness.ts';

stopServicesAfterAll();

const MODEL = readFileSync(join(import.meta.dirname, '../golden/models/BoxVertexColors.glb'));
const WITHIN = { timeout: 120_000 };
const executablePath = findChromium();

describe.skipIf(executablePath === null)('the link to a plot', WITHIN, () => {
  let url: string;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let frame: string;
  let study: string;
  const complaints: string[] = [];

  beforeAll(async () => {
    ({ url } = await startTestService({ workerCount: 1 }));
    const query = '?width=256&height=192&bins=8&chiplets=3&coupling=none';
    frame = idOf(await postModel(url, MODEL, query));
    const answer = await fetch(`${url}/v1/studies`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        ...{ frames: [frame], chiplets: [1, 2, 4], policies: ['static', 'dynamic'], bins: [8] },
        ...{ coupling: 'none', sweep: { smCount: [2, 4] } },
      }),
    });
    expect(answer.status, await answer.clone().text()).toBe(202);
    study = idOf(answer);
    browser = await chromium.launch({ executablePath: executablePath!, args: ['--no-sandbox'] });
    context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
    context.setDefaultTimeout(WITHIN.timeout);
    page = await open('#/');
  }, WITHIN.timeout);

  afterAll(async () => {
    await browser?.close();
  });

  const idOf = (answer: Response) => answer.headers.get('location')!.split('/')[3]!;

  async function open(hash: string): Promise<Page> {
    const opened = await context.newPage();
    opened.on('pageerror', (error) => complaints.push(String(error)));
    await opened.goto(`${url}/${hash}`);
    return opened;
  }

  /** Clicks the button of a plot, and opens the address that it copied. */
  async function follow(plot: string): Promise<Page> {
    await page.locator(plot).getByRole('button', { name: 'Copy link' }).click();
    await page.locator(plot).getByText('The address was copied.').waitFor();
    const address = await page.evaluate(() => navigator.clipboard.readText());
    expect(address).toMatch(`${url}/#/`);
    return open(address.slice(url.length + 1));
  }

  const isInView = (of: Page, plot: string) =>
    of.locator(plot).evaluate((found) => {
      const { top, bottom } = found.getBoundingClientRect();
      return top > -1 && top < innerHeight / 2 && bottom > top;
    });

  it('opens a study with the same figure, axis and lines', async () => {
    await page.goto(`${url}/#/studies/${study}`);
    await page.locator('.badge.done').waitFor();
    await page.getByRole('combobox', { name: 'Figure', exact: true }).selectOption('efficiency');
    await page.getByRole('combobox', { name: 'over', exact: true }).selectOption('smCount');
    const other = await follow('.plot-tools');
    expect(other.url()).toBe(`${url}/#/studies/${study}?plot=study&figure=efficiency&over=smCount`);
    await other.locator('.plot').waitFor();
    for (const of of [page, other]) {
      expect(await of.getByRole('combobox', { name: 'Figure', exact: true }).inputValue()).toBe(
        'efficiency',
      );
      expect(await of.getByRole('combobox', { name: 'over', exact: true }).inputValue()).toBe(
        'smCount',
      );
    }
    const lines = (of: Page) => of.locator('.plot title').allTextContents();
    expect(await lines(other)).toEqual(await lines(page));
    expect(await isInView(other, '.plot')).toBe(true);
    await other.close();
  });

  it('opens the schedule of a frame with the same cycles and units', async () => {
    await page.goto(`${url}/#/frames/${frame}`);
    const chart = page.locator('.gantt');
    await chart.locator('.span.bin').first().waitFor();
    await page.getByLabel('Units of').selectOption('1');
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await page.getByRole('button', { name: 'Later' }).click();
    const spans = (of: Page) =>
      of
        .locator('.gantt .span')
        .evaluateAll((all) => all.map((span) => Math.round(Number(span.getAttribute('x')))));
    const other = await follow('.gantt-chart');
    expect(other.url()).toMatch(/\?plot=schedule&from=\d+&to=\d+&units=1$/);
    await other.locator('.gantt .span').first().waitFor();
    expect(await other.getByLabel('Units of').inputValue()).toBe('1');
    await expect.poll(() => isInView(other, '.gantt-chart'), WITHIN).toBe(true);
    expect((await spans(other)).length).toBe((await spans(page)).length);
    const places = await spans(page);
    // The link has whole cycles.
    const moves = (await spans(other)).map((place, index) => Math.abs(place - places[index]!));
    expect(Math.max(...moves)).toBeLessThanOrEqual(2);
    await other.close();
  });

  it.each([
    ['studies', 'figure=speed', "figure: 'speed' is not one of cycles, speedUp"],
    ['studies', 'over=x', "over: 'x' is not one of chiplets, smCount; the plot of cycles is shown"],
    ['frames', 'units=9', "units: '9' is not one of"],
    ['frames', 'from=-1', "from: '-1' is not an integer from 0 to"],
    ['frames', 'from=9&to=9', "to: '9' is not an integer from 10 to"],
  ] as const)('names a choice that does not exist: %s, %s', async (pages, state, message) => {
    const plot = pages === 'studies' ? 'study' : 'schedule';
    const id = pages === 'studies' ? study : frame;
    await page.goto(`${url}/#/${pages}/${id}?plot=${plot}&${state}`);
    await page.locator('.problem', { hasText: message }).waitFor();
    await page
      .locator(pages === 'studies' ? '.plot' : '.gantt .span')
      .first()
      .waitFor();
  });

  it('throws nothing', () => {
    expect(complaints).toEqual([]);
  });
});
