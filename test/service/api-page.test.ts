/** The page at /docs in a real browser; skipped without chromium. */
import { join } from 'node:path';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium } from '../support/find-chromium.ts';
import { startTestService, stopServicesAfterAll } from '../support/service-harness.ts';

stopServicesAfterAll();

const MODEL = join(import.meta.dirname, '../golden/models/BoxVertexColors.glb');
const executablePath = findChromium();

describe.skipIf(executablePath === null)('the page of the interface', { timeout: 240_000 }, () => {
  let url: string;
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    ({ url } = await startTestService({ workerCount: 1 }));
    browser = await chromium.launch({ executablePath: executablePath!, args: ['--no-sandbox'] });
    page = await openPage({});
  }, 60_000);

  afterAll(async () => {
    await browser?.close();
  });

  async function openPage(options: Parameters<Browser['newContext']>[0]): Promise<Page> {
    const context = await browser.newContext(options);
    const opened = await context.newPage();
    opened.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    opened.on('pageerror', (error) => complaints.push(String(error)));
    await opened.goto(`${url}/docs`);
    await opened.locator('.opblock').first().waitFor();
    return opened;
  }

  /** Opens an operation for requests. */
  async function tryOut(on: Page, operation: string): Promise<Locator> {
    const block = on.locator(`#operations-${operation}`);
    await block.locator('.opblock-summary-control').click();
    await block.locator('.try-out__btn').click();
    return block;
  }

  it('has our name and ways back, and no name of a framework', async () => {
    expect(await page.title()).toBe('Tessera: HTTP interface');
    const header = page.locator('header');
    expect(await header.locator('.brand').getAttribute('href')).toBe('/');
    expect(await header.textContent()).toContain('Dashboard');
    const text = await page.locator('body').innerText();
    expect(text).not.toMatch(/fastify|swagger/i);
    expect(await page.locator('img[src^="data:"]').count()).toBe(0);
  });

  it('offers a choice of files for every body that is a file', async () => {
    const block = await tryOut(page, 'frames-postFrame');
    const kind = block.locator('.opblock-section-request-body select');
    const types = await kind.locator('option').allTextContents();
    expect(types).toHaveLength(6);
    for (const type of types) {
      await kind.selectOption(type);
      const isForm = type.startsWith('multipart');
      const field = block.locator(isForm ? 'tr[data-property-name=model] input' : 'input');
      expect(await field.and(block.locator('[type=file]')).count(), type).toBe(1);
    }
    // An example in a field would be sent with every request.
    for (const name of ['name', 'grid', 'width', 'prefer']) {
      const value = block.locator(`tr[data-param-name=${name}] input`);
      expect(await value.inputValue(), name).toBe('');
    }
    const resource = await tryOut(page, 'frames-putResource');
    expect(await resource.locator('input[type=file]').count()).toBe(1);
    const sequence = await tryOut(page, 'sequences-postSequence');
    const ofSequence = sequence.locator('.opblock-section-request-body select');
    await ofSequence.selectOption('application/json');
    expect(await sequence.locator('textarea').inputValue()).toContain('"frames"');
  });

  it.each(['model/gltf-binary', 'multipart/form-data'])('renders a file as %s', async (type) => {
    const block = page.locator('#operations-frames-postFrame');
    await block.locator('.opblock-section-request-body select').selectOption(type);
    await block.locator('input[type=file]').first().setInputFiles(MODEL);
    await block.locator('tr[data-param-name=width] input').fill('320');
    await block.locator('tr[data-param-name=height] input').fill('200');
    await block.locator('tr[data-param-name=prefer] input').fill('wait=60');
    await block.locator('.execute').click();
    const answer = block.locator('.live-responses-table');
    await answer.getByText('"reportVersion"').waitFor();
    expect(await answer.innerText()).toContain('"widthPx": 320');
    await block.locator('.btn-clear').click();
  });

  it.each(['light', 'dark'] as const)('fits a phone with parts open (%s)', async (scheme) => {
    const viewport = { width: 390, height: 844 };
    const phone = await openPage({ viewport, isMobile: true, colorScheme: scheme });
    for (const operation of ['frames-postFrame', 'frames-getFrameReport', 'specs-putSpec']) {
      await phone.locator(`#operations-${operation} .opblock-summary-control`).click();
      await phone.locator(`#operations-${operation} .responses-wrapper`).waitFor();
    }
    expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    expect(await phone.evaluate(() => innerWidth)).toBe(390);
    const isDark = phone.locator('html.dark-mode');
    expect(await isDark.count()).toBe(scheme === 'dark' ? 1 : 0);
    await phone.context().close();
  });

  it('breaks no rule of its content security policy and throws nothing', () => {
    expect(complaints).toEqual([]);
  });
});
