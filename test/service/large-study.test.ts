/**
 * A study of 100,000 generated units: pages of its rows, Parquet, and the dashboard in a real
 * browser, which is skipped without Chromium.
 */
import { csvHeader, csvRows, STUDY_COLUMNS } from '@tessera/study';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseCsv, readRecords } from '../../packages/experiments/src/tables/csv.ts';
import { findChromium } from '../support/find-chromium.ts';
import {
  addLargeStudy,
  generatedRow,
  LARGE_STUDY,
  LARGE_STUDY_ROWS,
} from '../support/large-study.ts';
import {
  makeDataFolder,
  startTestService,
  stopServicesAfterAll,
} from '../support/service-harness.ts';

stopServicesAfterAll();

const PATH = `/v1/studies/${LARGE_STUDY}`;
/** Distance of compared rows; coprime to the lengths of the axes. */
const COMPARED_EVERY = 97;
const MOST_PAGE_BYTES = 300_000;
const MOST_TABLE_ROWS = 101;
const MOST_ELEMENTS = 4000;
const WITHIN = { timeout: 60_000 };
const executablePath = findChromium();

describe('a study of 100,000 units', { timeout: 120_000 }, () => {
  let url: string;
  let browser: Browser | null = null;
  let page: Page;
  let fetchedBytes = 0;
  let onePageBytes = 0;
  const complaints: string[] = [];

  beforeAll(async () => {
    const folder = makeDataFolder();
    addLargeStudy(folder);
    ({ url } = await startTestService({
      workerCount: 1,
      environment: { TESSERA_DATA_DIR: folder },
    }));
    if (executablePath !== null) await openStudy(executablePath);
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
  });

  /** Opens the page of the study, and counts what it fetches. */
  async function openStudy(program: string): Promise<void> {
    browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox'] });
    page = await browser.newPage();
    page.setDefaultTimeout(WITHIN.timeout);
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('response', async (response) => {
      if (!response.url().includes('/v1/studies/')) return;
      const { length } = await response.body();
      fetchedBytes += length;
      onePageBytes = Math.max(onePageBytes, length);
    });
    await page.addInitScript(() => {
      const longTasks: number[] = [];
      Object.assign(globalThis, { longTasks });
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) longTasks.push(duration);
      }).observe({ type: 'longtask', buffered: true });
    });
    await page.goto(`${url}/#/studies/${LARGE_STUDY}`);
  }

  it('has a status without its rows', async () => {
    const answer = await fetch(`${url}${PATH}?rows=false`);
    const text = await answer.text();
    expect(text.length).toBeLessThan(20_000);
    expect(JSON.parse(text)).toMatchObject({
      progress: { done: LARGE_STUDY_ROWS, total: LARGE_STUDY_ROWS, secondsLeft: 0 },
      rows: [],
    });
  });

  it('is read in pages', async () => {
    const page = async (query: string) => (await fetch(`${url}${PATH}/rows?${query}`)).json();
    expect(await page('from=99998&limit=500')).toEqual({
      from: 99_998,
      total: LARGE_STUDY_ROWS,
      next: null,
      rows: [99_998, 99_999].map((number) => ({ number, ...generatedRow(number) })),
    });
    expect(await page('from=70000&limit=1')).toMatchObject({
      next: 70_001,
      rows: [{ number: 70_000 }],
    });
    expect(await page('limit=501')).toMatchObject({ code: 'REQUEST_INVALID' });
  });

  it('is the same as Parquet and as CSV', async () => {
    const answer = await fetch(`${url}${PATH}/results.parquet`);
    expect(answer.headers.get('content-type')).toBe('application/vnd.apache.parquet');
    const file = await answer.arrayBuffer();
    const { row_groups: groups, schema } = parquetMetadata(file);
    expect(groups.length).toBeGreaterThan(10);
    const typeOf = (name: string) => schema.find((each) => each.name === name)?.type;
    expect(['scene', 'occlusion', 'speedUp', 'smCount', 'memory.bytesRead'].map(typeOf)).toEqual([
      'BYTE_ARRAY',
      'BOOLEAN',
      'DOUBLE',
      'INT64',
      'INT64',
    ]);
    const rows = await parquetReadObjects({ file });
    expect(rows.length).toBe(LARGE_STUDY_ROWS);
    const csv = (await (await fetch(`${url}${PATH}/results.csv`)).text()).split('\n');
    const columns = { swept: ['smCount'], counters: ['memory.bytesRead'] };
    expect(`${csv[0]}\n`).toBe(csvHeader(columns));
    for (let position = 0; position < rows.length; position += COMPARED_EVERY) {
      // Each row of Parquet, written as CSV, is the line of the CSV.
      const { smCount, 'memory.bytesRead': bytesRead, ...common } = rows[position]!;
      const numbers = Object.entries(common).map(([name, value]) => [
        name,
        typeof value === 'bigint' ? Number(value) : value,
      ]);
      const again = {
        ...Object.fromEntries(numbers),
        settings: { smCount: Number(smCount) },
        counters: { 'memory.bytesRead': Number(bytesRead) },
      };
      expect(csvRows([again], columns), `row ${position}`).toBe(`${csv[position + 1]}\n`);
    }
    const [first] = readRecords(parseCsv(csv.slice(0, 2).join('\n')));
    expect(Object.keys(first!).filter((name) => name in STUDY_COLUMNS).length).toBe(
      Object.keys(STUDY_COLUMNS).length,
    );
  });

  describe.skipIf(executablePath === null)('on the dashboard', () => {
    const rowCount = () => page.locator('main tr').count();

    it('shows a page of the rows and the lines of the plot', async () => {
      await page.getByText('Rows 1 to 100 of 100,000').waitFor();
      await page.locator('.plot').waitFor();
      expect(await rowCount()).toBeLessThanOrEqual(MOST_TABLE_ROWS);
      // Five numbers of bins and ten of smCount are too many lines for 2,000 frames each.
      await page.getByText('Points are geometric means over the frames.').waitFor();
      expect(await page.locator('.plot .line').count()).toBeLessThanOrEqual(21);
    });

    it('turns and jumps to pages while the document stays small', async () => {
      await page.getByRole('button', { name: 'Next rows' }).click();
      await page.getByText('Rows 101 to 200 of 100,000').waitFor();
      const region = page.getByRole('region', { name: 'Rows of the study' });
      await region.hover();
      for (let i = 0; i < 20; i++) await page.mouse.wheel(0, 400);
      await page.getByLabel('From row').fill('99951');
      await page.getByLabel('From row').press('Enter');
      await page.getByText('Rows 99,951 to 100,000 of 100,000').waitFor();
      expect(await region.locator('tbody tr').count()).toBe(50);
      expect(await page.getByRole('button', { name: 'Next rows' }).isDisabled()).toBe(true);
      await page.getByRole('button', { name: 'Previous rows' }).click();
      await page.getByText('Rows 99,851 to 99,950 of 100,000').waitFor();
      expect(await rowCount()).toBeLessThanOrEqual(MOST_TABLE_ROWS);
    });

    it('plots another figure over a swept parameter', async () => {
      await page.getByRole('combobox', { name: 'Figure', exact: true }).selectOption('linkBytes');
      await page.getByRole('combobox', { name: 'over', exact: true }).selectOption('smCount');
      await page.locator('.plot[aria-label*="over smCount"]').waitFor();
      await expect.poll(() => page.locator('.plot .line').count(), WITHIN).toBe(5);
    });

    it('fetches a bounded number of bytes and throws nothing', async () => {
      expect(onePageBytes).toBeGreaterThan(1000);
      expect(onePageBytes).toBeLessThan(MOST_PAGE_BYTES);
      expect(fetchedBytes).toBeLessThan(10 * MOST_PAGE_BYTES);
      expect(complaints).toEqual([]);
      const elements = await page.evaluate(() => document.querySelectorAll('*').length);
      expect(elements).toBeLessThan(MOST_ELEMENTS);
      // Times depend on the machine, so they are printed.
      const longTasks = await page.evaluate(() => Reflect.get(globalThis, 'longTasks'));
      console.info({ fetchedBytes, onePageBytes, elements, longTasks });
    });
  });
});
