/**
 * The sections of a frame's page that look into pixels and shaders, in a real browser; skipped
 * without chromium.
 */
import type { Report } from '@tessera/frame';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium } from '../support/find-chromium.ts';
import { writePassesCapture } from '../support/passes-capture.ts';
import { startTestService, stopServicesAfterAll } from '../support/service-harness.ts';

stopServicesAfterAll();

const WITHIN = { timeout: 60_000 };
const executablePath = findChromium();

describe.skipIf(executablePath === null)(
  'pixels on the page of a frame',
  { timeout: 120_000 },
  () => {
    let browser: Browser;
    let page: Page;
    let url: string;
    const complaints: string[] = [];

    beforeAll(async () => {
      ({ url } = await startTestService({ workerCount: 1 }));
      const body = new FormData();
      body.append('file', new Blob([new Uint8Array(writePassesCapture())]), 'passes.trace');
      const answer = await fetch(`${url}/v1/frames?timing=functional`, {
        method: 'POST',
        headers: { Prefer: 'wait=60' },
        body,
      });
      const id = answer.headers.get('location')!.split('/')[3]!;
      browser = await chromium.launch({ executablePath: executablePath!, args: ['--no-sandbox'] });
      page = await browser.newPage({ colorScheme: 'dark' });
      page.setDefaultTimeout(WITHIN.timeout);
      page.on('pageerror', (error) => complaints.push(String(error)));
      await page.goto(`${url}/#/frames/${id}`);
    }, 90_000);

    afterAll(async () => {
      await browser?.close();
    });

    const legend = () => page.locator('.pixel-explorer .legend-box');

    it('has a heat map with its counter, by metric, block and pass', async () => {
      await page.getByRole('button', { name: 'Look into pixels and draws' }).click();
      await legend().getByText('shading.fragmentsShaded').waitFor(WITHIN);
      expect(await page.locator('canvas.heat').getAttribute('width')).toBe('150');
      await page.getByLabel('Heat map').selectOption('depthTests');
      await legend().getByText('tested for depth').waitFor(WITHIN);
      await page.getByLabel('Values per').selectOption('4');
      await legend().getByText('4×4 block').waitFor(WITHIN);
      expect(await page.locator('canvas.heat').getAttribute('width')).toBe('38');
      await page.locator('.pixel-explorer').getByLabel('Pass').selectOption('0');
      await page.getByRole('heading', { name: 'Draws of pass 0' }).waitFor(WITHIN);
    });

    it('shows the history of a pixel by keyboard and by click', async () => {
      const view = page.locator('.pixel-view');
      await view.focus();
      await page.keyboard.press('Shift+ArrowLeft');
      await page.keyboard.press('ArrowUp');
      expect(await page.locator('.pixel-value').innerText()).toMatch(/^\(59, 44\)/);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Pixel (59, 44) of pass 0' }).waitFor(WITHIN);
      const outcomes = page.locator('table.pixel-history tbody tr td:nth-child(3)');
      expect(await outcomes.allInnerTexts()).toContain('written');
      await view.click({ position: { x: 3, y: 3 } });
      await page.getByRole('heading', { name: /^Pixel \([0-4], [0-4]\)/ }).waitFor(WITHIN);
    });

    it('steps through the draws', async () => {
      const slider = page.getByLabel('Step through draws');
      const image = page.locator('.pixel-view img');
      await page.getByRole('button', { name: 'Draw 0' }).click();
      expect(await slider.inputValue()).toBe('0');
      expect(await image.getAttribute('src')).toContain('?target=0&draw=0');
      await expect
        .poll(() => image.evaluate((shown) => (shown as HTMLImageElement).naturalWidth), WITHIN)
        .toBe(150);
      await expect
        .poll(
          () =>
            page
              .locator('.draw-thumbnail')
              .first()
              .evaluate((shown) => (shown as HTMLImageElement).naturalWidth),
          WITHIN,
        )
        .toBe(150);
    });

    it('shows the lines of a shader beside its instructions, with their costs', async () => {
      await page.getByRole('button', { name: 'Look into shaders' }).click();
      const [source, code] = ['Source', 'Instructions'].map((name) =>
        page.getByRole('listbox', { name, exact: true }),
      ) as [Locator, Locator];
      const status = page.locator('.shader-explorer');
      // The costliest line is chosen first. It is the only one of the fragment shader.
      await status.getByText(/^Line 6: \d+ instructions, [\d,]+ issued/).waitFor(WITHIN);
      const marked = code.locator('.marked');
      const count = await marked.count();
      expect(count).toBeGreaterThan(3);
      await status.getByText(`${count} instructions`).waitFor(WITHIN);
      expect(await source.locator('.marked').innerText()).toContain('gl_FragColor');

      // Chosen by keyboard, and in the other direction by click.
      await source.focus();
      await page.keyboard.press('ArrowDown');
      await status.getByText(/^No line: 4 instructions/).waitFor(WITHIN);
      expect(await marked.allInnerTexts()).toEqual(
        expect.arrayContaining([expect.stringContaining('outf 0')]),
      );
      await code.locator('.code-row', { hasText: 'tex ' }).first().click();
      await status.getByText(/^Line 6:/).waitFor(WITHIN);
      expect(await source.locator('[aria-selected=true]').innerText()).toContain('gl_FragColor');

      const explorer = page.locator('.shader-explorer');
      const stage = explorer.getByLabel('Stage');
      await stage.selectOption('vertex');
      await source.getByText('gl_Position').waitFor(WITHIN);
      const ofAll = await stage.innerText();
      await explorer.getByLabel('Draws').selectOption('?pass=2&draw=0');
      await expect.poll(() => stage.innerText(), WITHIN).not.toBe(ofAll);
      expect(await stage.inputValue()).toBe('vertex');

      await stage.selectOption('fragment');
      await explorer.getByLabel('Waits').check();
      await status.getByText(/^Line 6: .*, [\d,]+ texture lookups; warps wait/).waitFor(WITHIN);
      const waited = source.locator('.marked [title="cycles waited"]');
      expect(await waited.innerText()).toMatch(/^[\d.]+K?$/);
    });

    it('has the bytes from the memory of each chiplet', async () => {
      const query = 'timing=cycle&chiplets=2&bins=4&placement=targets=kept';
      const answer = await fetch(`${url}/v1/frames?${query}`, {
        method: 'POST',
        headers: { Prefer: 'wait=60', 'Content-Type': 'application/vnd.apitrace' },
        body: new Uint8Array(writePassesCapture()),
      });
      const { link } = (await answer.json()) as Report;
      const id = answer.headers.get('location')!.split('/')[3]!;
      await page.goto(`${url}/#/frames/${id}`);
      await page.getByRole('button', { name: 'Look into pixels and draws' }).click();
      await page.getByLabel('Heat map').selectOption('remoteBytes');
      const counted = legend().locator('p', { hasText: 'link.remote.textureBytes' });
      const columns = [0, 1].map((home) =>
        link.remote!.textureBytes.reduce((sum, row) => sum + row[home]!, 0),
      );
      expect(Math.min(...columns)).toBeGreaterThan(0);
      for (const [home, bytes] of columns.entries()) {
        await page.getByLabel('Memory of').selectOption(String(home));
        await counted.getByText(`of all passes: ${bytes.toLocaleString('en')}`).waitFor(WITHIN);
      }
      await page.getByLabel('Heat map').selectOption('overdraw');
      expect(await page.getByLabel('Memory of').isVisible()).toBe(false);
    });

    it('fits a narrow screen and throws nothing', async () => {
      await page.setViewportSize({ width: 360, height: 740 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
        360,
      );
      expect(complaints).toEqual([]);
    });
  },
);
