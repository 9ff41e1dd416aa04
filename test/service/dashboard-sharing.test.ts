/**
 * The ways to share a frame in the forms of the dashboard, in a real browser with real processes;
 * skipped without chromium.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from '@tessera/frame';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium } from '../support/find-chromium.ts';
import {
  startTestService,
  stopServicesAfterAll,
  type TestService,
} from '../support/service-harness.ts';

stopServicesAfterAll();

const MODEL = {
  name: 'BoxVertexColors.glb',
  mimeType: 'model/gltf-binary',
  buffer: readFileSync(join(import.meta.dirname, '../golden/models/BoxVertexColors.glb')),
};
const WITHIN = { timeout: 60_000 };

const executablePath = findChromium();

describe.skipIf(executablePath === null)('ways to share a frame', { timeout: 120_000 }, () => {
  let started: TestService;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    started = await startTestService({ workerCount: 2 });
    browser = await chromium.launch({ executablePath: executablePath!, args: ['--no-sandbox'] });
    page = await browser.newPage();
    page.setDefaultTimeout(WITHIN.timeout);
    await page.goto(`${started.url}/#/`);
  }, 60_000);

  afterAll(async () => {
    await browser?.close();
  });

  const choose = (name: string, value: string) =>
    page.locator(`select[name=${name}]`).selectOption(value);
  const fill = (name: string, value: string) => page.locator(`input[name=${name}]`).fill(value);
  const titleOf = (name: string) => page.locator(`select[name=${name}]`).getAttribute('title');

  async function postedReport(): Promise<Report> {
    await page.setInputFiles('#model-file', MODEL);
    await page.waitForURL(/#\/frames\//, WITHIN);
    const id = page.url().split('/').at(-1)!;
    await page.locator('.image img').waitFor(WITHIN);
    return (await (await fetch(`${started.url}/v1/frames/${id}/report`)).json()) as Report;
  }

  it('are in the form of a frame, with the meaning of each choice', async () => {
    await page.locator('select[name=organization]').waitFor(WITHIN);
    const choices = await page.locator('select[name=organization] option').allTextContents();
    expect(choices).toEqual(['default', 'binned', 'split-frame', 'sort-last', 'alternate-frame']);
    expect(await titleOf('organization')).toBe('');
    for (const choice of choices.slice(1)) {
      await choose('organization', choice);
      expect(await titleOf('organization'), choice).toMatch(/^(two-level binning|baseline): \S/);
    }
    for (const choice of ['phase', 'stream']) {
      await choose('visibilityDelivery', choice);
      expect(await titleOf('visibilityDelivery'), choice).toContain('visibility is sent');
    }
  });

  it('are refused in combinations that are impossible, with the reason of the service', async () => {
    const problem = page.locator('.post-panel .problem');
    await fill('width', '256');
    await fill('height', '192');
    for (const [organization, chiplets, visibilityChiplets, delivery, reason] of [
      ['split-frame', '4', '2', 'phase', 'organization: split-frame is possible only with visib'],
      ['alternate-frame', '4', '', 'stream', 'only with visibilityDelivery phase'],
      ['sort-last', '', '', 'phase', 'query.organization: sort-last needs query.chiplets'],
      ['binned', '2', '3', 'phase', 'visibilityChiplets: 3 is not 1 to 2'],
    ] as const) {
      await choose('organization', organization);
      await fill('chiplets', chiplets);
      await fill('visibilityChiplets', visibilityChiplets);
      await choose('visibilityDelivery', delivery);
      await page.setInputFiles('#model-file', MODEL);
      await expect.poll(() => problem.textContent(), WITHIN).toContain(reason);
    }
  });

  it('reach the frame', async () => {
    await fill('visibilityChiplets', '2');
    await choose('visibilityDelivery', 'stream');
    const streamed = await postedReport();
    expect(streamed.visibility.segments!.count).toBeGreaterThan(0);
    expect(streamed.organization).toBe('binned');
    await page.locator('.again summary').first().click();
    await page.locator('.again select[name=organization]').waitFor(WITHIN);
    // The form has the values of the frame.
    const delivery = page.locator('.again select[name=visibilityDelivery]');
    const shared = page.locator('.again input[name=visibilityChiplets]');
    expect([await delivery.inputValue(), await shared.inputValue()]).toEqual(['stream', '2']);
    await page.locator('.again select[name=organization]').selectOption('sort-last');
    const button = page.getByRole('button', { name: 'Render and compare' });
    await button.click();
    await page.getByText('sort-last is possible only with visibilityChiplets 1').waitFor(WITHIN);
    await delivery.selectOption('phase');
    await shared.fill('1');
    await button.click();
    await page.waitForURL(/#\/compare\//, WITHIN);
    const again = page.url().split('/').at(-1)!;
    const status = async () =>
      (await (await fetch(`${started.url}/v1/frames/${again}`)).json()) as { status: string };
    await expect.poll(async () => (await status()).status, WITHIN).toBe('done');
    const url = `${started.url}/v1/frames/${again}/report`;
    const { organization, image } = (await (await fetch(url)).json()) as Report;
    expect(organization).toBe('sort-last');
    expect(image.sha256).toBe(streamed.image.sha256);
  });

  it('are axes of the form of a study, whose table has their columns', async () => {
    await page.getByRole('link', { name: 'Studies' }).click();
    await page.getByLabel('Numbers of chiplets').fill('2, 3');
    await page.getByText('Link, placement, size and other axes').click();
    const boxes = page.getByRole('group', { name: 'organizations' });
    expect(await boxes.getByRole('checkbox').count()).toBe(3);
    await boxes.getByLabel('split-frame').check();
    await page.getByLabel('visibilityChiplets').fill('1, 2');
    await page.getByRole('button', { name: 'Run the study' }).click();
    const problem = page.locator('form .problem');
    await expect
      .poll(() => problem.textContent(), WITHIN)
      .toContain('split-frame is possible only with visibilityChiplets 1');
    await boxes.getByLabel('split-frame').uncheck();
    // Frames are listed by time; the last one was rendered with sort-last.
    await boxes.getByLabel('binned').check();
    await page.getByRole('group', { name: 'visibilityDelivery' }).getByLabel('stream').check();
    await page.getByRole('button', { name: 'Run the study' }).click();
    await page.waitForURL(/#\/studies\/./, WITHIN);
    await page.locator('.badge.done').waitFor(WITHIN);
    const table = page.getByRole('region', { name: 'Rows of the study' });
    await expect.poll(() => table.locator('tbody tr').count(), WITHIN).toBe(2 * 2 * 2);
    const heads = await table.locator('th').allTextContents();
    expect(heads.slice(-3)).toEqual(['organization', 'visibilityChiplets', 'visibilityDelivery']);
    const cells = await table.locator('td:nth-last-child(-n+3)').allTextContents();
    expect([...new Set(cells)].sort()).toEqual(['1', '2', 'binned', 'stream']);
  });
});
