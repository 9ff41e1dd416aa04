/**
 * The recording of the README, and the tour that it shows: every step works in a real browser and
 * shows what its caption says. The tour is skipped without Chromium.
 */
import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RECORDING_FILE, readRecording } from '../../scripts/generate/tour/read-recording.ts';
import { TOUR_WINDOW, TourStage } from '../../scripts/generate/tour/tour-stage.ts';
import { TOUR } from '../../scripts/generate/tour/tour-steps.ts';
import { renderExamples } from '../../scripts/launch/render-examples.ts';
import { findChromium } from '../support/find-chromium.ts';
import { startTestService, stopServicesAfterAll } from '../support/service-harness.ts';

stopServicesAfterAll();

const ROOT = resolve(import.meta.dirname, '../..');
const MAX_BYTES = 4_000_000;
const MIN_MS = 18_000;
const MAX_MS = 22_000;
const WITHIN_MS = 240_000;

type StepName = keyof typeof TOUR;

const executablePath = findChromium();

describe('the recording of the README', () => {
  it('takes about 20 seconds, repeats, and is small and wide enough', () => {
    const { durationMs, byteLength, isEndless, widthPx } = readRecording();
    expect(durationMs).toBeGreaterThanOrEqual(MIN_MS);
    expect(durationMs).toBeLessThanOrEqual(MAX_MS);
    expect(byteLength).toBeLessThanOrEqual(MAX_BYTES);
    expect(isEndless).toBe(true);
    expect(widthPx).toBe(TOUR_WINDOW.width);
  });

  it('is the first image of the README', () => {
    const [image] = /!\[[^\]]*\]\(([^)]*)\)/
      .exec(readFileSync(`${ROOT}/README.md`, 'utf8'))!
      .slice(1);
    expect(image).toBe(relative(ROOT, RECORDING_FILE));
  });
});

describe.skipIf(executablePath === null)('the tour of the dashboard', { timeout: 240_000 }, () => {
  let browser: Browser;
  let page: Page;
  let stage: TourStage;
  const complaints: string[] = [];
  /** Duration of the images of the tour. */
  let durationMs = 0;

  beforeAll(async () => {
    const { service, url } = await startTestService({ workerCount: 4 });
    for await (const _image of renderExamples(service));
    browser = await chromium.launch({ executablePath: executablePath!, args: ['--no-sandbox'] });
    page = await browser.newPage();
    page.setDefaultTimeout(WITHIN_MS);
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    stage = await TourStage.open(page, url, async (shownMs) => {
      durationMs += shownMs;
    });
  }, WITHIN_MS);

  afterAll(async () => {
    await browser?.close();
  });

  const chiplets = () => page.locator('.explore output').first().textContent();
  const figure = async (name: string) =>
    Number(await page.locator(`[data-figure=${name}]`).getAttribute('data-value'));
  const owners = async () =>
    new Set((await page.locator('.explore-owners canvas').getAttribute('data-owners'))!.split(' '));
  let before = 0;

  /** Checks of what is visible after each step. */
  const checks: Readonly<Record<StepName, () => Promise<void>>> = {
    overview: async () => {
      expect(await chiplets()).toBe('5');
      expect((await owners()).size).toBe(5);
      before = await figure('cycles');
    },
    chiplets: async () => {
      expect(await chiplets()).toBe('10');
      expect((await owners()).size).toBeGreaterThan(5);
      expect(await figure('cycles')).toBeLessThan(before);
      before = await figure('cycles');
    },
    policy: async () => {
      expect(await page.locator('.explore-chart').getAttribute('aria-label')).toContain('static');
      expect(await figure('cycles')).toBeGreaterThan(before);
    },
    animation: async () => {
      // It has moved to dynamic and back.
      expect(await page.locator('[data-setting=policy]').inputValue()).toBe('static-blocks');
      expect(await page.getByRole('button', { name: '▶ Static ↔ dynamic' }).count()).toBe(1);
    },
    heat: async () => {
      const colors = await page.locator('canvas.heat').evaluate((found) => {
        const { width, height } = found as HTMLCanvasElement;
        const context = (found as HTMLCanvasElement).getContext('2d')!;
        const { data } = context.getImageData(0, 0, width, height);
        return new Set(new Uint32Array(data.buffer)).size;
      });
      expect(colors).toBeGreaterThan(3);
      expect(await page.locator('.pixel-explorer .legend-box').innerText()).toContain(
        'fragments per pixel',
      );
    },
    history: async () => {
      const outcomes = page.locator('table.pixel-history tbody tr td:nth-child(3)');
      expect(await outcomes.allInnerTexts()).toEqual([
        'written',
        'written',
        'early-depth-failed',
        'written',
      ]);
    },
    draws: async () => {
      const image = page.locator('.pixel-view img');
      expect(await image.getAttribute('src')).toContain('draw=5');
      expect(await page.locator('canvas.heat').isHidden()).toBe(true);
      expect(await page.locator('.draw-slider output').innerText()).toBe('after draw 5 of 5');
    },
  };

  it.each(Object.keys(TOUR) as StepName[])('shows what it says: %s', async (name) => {
    const { caption, run } = TOUR[name];
    await stage.caption(caption);
    await run(stage);
    expect(await page.locator('#tour-caption').innerText()).toBe(caption);
    await checks[name]();
  });

  it('takes as long as the recording, which shows this tour', () => {
    expect(durationMs).toBe(readRecording().durationMs);
  });

  it('throws nothing', () => {
    expect(complaints).toEqual([]);
  });
});
