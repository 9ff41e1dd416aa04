/** The dashboard of a gateway in Chromium: cells, frames and studies, without faults. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Cluster } from '../../scripts/cluster/cluster-processes.ts';
import { findViolations } from '../support/accessibility.ts';
import { findChromium } from '../support/find-chromium.ts';

const CHROMIUM = findChromium();
const MODEL = readFileSync('test/golden/models/BoxVertexColors.glb');
const WITHIN_MS = 120_000;

describe.skipIf(CHROMIUM === null)('the dashboard of a gateway', { timeout: 300_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-gateway-page-'));
  const cluster = new Cluster({
    folder,
    engineUrl: `sqlite:${join(folder, 'engine.db')}`,
    workerCount: 1,
  });
  let browser: Browser;
  let page: Page;
  const faults: string[] = [];

  beforeAll(async () => {
    await cluster.startGateway();
    browser = await chromium.launch({ executablePath: CHROMIUM!, args: ['--no-sandbox'] });
    page = await (await browser.newContext({ bypassCSP: true })).newPage();
    page.setDefaultTimeout(WITHIN_MS);
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('response', (response) => {
      if (response.status() >= 400) faults.push(`${response.status()} ${response.url()}`);
    });
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  }, 60_000);

  it('says how to start a cell, and shows it when it comes', async () => {
    await page.goto(cluster.url);
    await page.getByText('No cell was heard of').waitFor();
    expect(await page.locator('nav a:visible').allTextContents()).not.toContain('Sequences');
    cluster.startCell('the-first');
    await page.getByRole('rowheader', { name: 'the-first' }).waitFor();
    expect(await findViolations(page)).toEqual([]);
  });

  it('posts a model and shows its image, figures and timeline', async () => {
    const file = { name: 'box.glb', mimeType: 'model/gltf-binary', buffer: MODEL };
    await page.locator('#model-file').setInputFiles(file);
    await page.locator('.gantt .span.bin').first().waitFor();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('box.glb');
    const image = page.locator('.image img, .image canvas').first();
    expect(await image.evaluate((shown: HTMLImageElement) => shown.naturalWidth)).toBe(1280);
    expect(await findViolations(page)).toEqual([]);
  });

  it('runs a study and follows it', async () => {
    await page.goto(`${cluster.url}/#/studies`);
    await page.getByRole('button', { name: 'Run the study' }).click();
    await page.locator('.badge.done').waitFor();
    expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(0);
    await page.locator('main tbody tr').first().waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.goto(cluster.url);
    await page.getByRole('link', { name: 'Frame box.glb' }).waitFor();
  });

  it('asks for nothing that a gateway lacks', () => {
    expect(faults).toEqual([]);
  });
});
