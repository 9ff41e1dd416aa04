/**
 * The dashboard in a real browser with real processes; skipped without chromium. Long because its
 * tests share one service and build on each other.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Report } from '@tessera/frame';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findViolations } from '../support/accessibility.ts';
import { findChromium } from '../support/find-chromium.ts';
import {
  startTestService,
  stopServicesAfterAll,
  type TestService,
} from '../support/service-harness.ts';

stopServicesAfterAll();

const MODEL_NAME = 'TextureLinearInterpolationTest.glb';
const MODEL = readFileSync(join(import.meta.dirname, '../golden/models', MODEL_NAME));
const MAX_SCRIPT_BYTES = 74_000;
const WITHIN = { timeout: 60_000 };

const executablePath = findChromium();

describe.skipIf(executablePath === null)('the dashboard', { timeout: 120_000 }, () => {
  let started: TestService;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  /**
   * Errors that pages wrote to the console, including violations of the content security policy.
   */
  const complaints: string[] = [];
  let frameId: string;
  let againId: string;
  let sequenceId: string;
  let sharedId: string;

  beforeAll(async () => {
    started = await startTestService({ workerCount: 2 });
    browser = await chromium.launch({ executablePath: executablePath!, args: ['--no-sandbox'] });
    context = await browser.newContext({ acceptDownloads: true });
    context.setDefaultTimeout(WITHIN.timeout);
    page = await openPage(context, '#/');
  }, 60_000);

  afterAll(async () => {
    await browser?.close();
  });

  async function openPage(within: BrowserContext, hash: string): Promise<Page> {
    const opened = await within.newPage();
    opened.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    opened.on('pageerror', (error) => complaints.push(String(error)));
    await opened.goto(`${started.url}/${hash}`);
    return opened;
  }

  /** Drops a file like a user. */
  async function drop(bytes: Uint8Array, name: string): Promise<void> {
    const transfer = await page.evaluateHandle(
      ([base64, fileName]) => {
        const held = new DataTransfer();
        const content = Uint8Array.from(atob(base64!), (character) => character.charCodeAt(0));
        held.items.add(new File([content], fileName!));
        return held;
      },
      [Buffer.from(bytes).toString('base64'), name],
    );
    await page.locator('.drop-zone').dispatchEvent('drop', { dataTransfer: transfer });
  }

  /**
   * Resolves when an element has matched, however briefly: a frame with few bins may be finished
   * before a locator looks again.
   */
  function whenShown(on: Page, selector: string): Promise<void> {
    return on.evaluate(
      ([wanted, timeoutMs]) =>
        new Promise<void>((resolve, reject) => {
          const look = () => {
            if (document.querySelector(wanted) === null) return;
            observer.disconnect();
            resolve();
          };
          const observer = new MutationObserver(look);
          observer.observe(document, { subtree: true, childList: true, attributes: true });
          setTimeout(() => reject(new Error(`${wanted} was never shown`)), timeoutMs);
          look();
        }),
      [selector, WITHIN.timeout] as const,
    );
  }

  const idOf = (of: Page) => of.url().split('/').at(-1)!;

  it('shows the chiplets that are connected', async () => {
    await page.locator('#connection.open').waitFor(WITHIN);
    expect(await page.locator('#sign-out').isVisible()).toBe(false);
    await expect.poll(() => page.locator('.chiplets tbody tr').count(), WITHIN).toBe(3);
    expect(await page.locator('.chiplets').textContent()).toContain('visibility');
  });

  it('reports errors in an invalid model, with code and place', async () => {
    await drop(new Uint8Array(40), 'broken.glb');
    const problem = page.locator('.post-panel .problem');
    await problem.waitFor(WITHIN);
    expect(await problem.textContent()).toMatch(/^[A-Z_]+ /);
    await drop(MODEL, 'image.bmp');
    await expect.poll(() => problem.textContent(), WITHIN).toContain('image.bmp: not one of .glb');
  });

  it('renders a model that is dropped, and shows it live', async () => {
    const watcher = await openPage(context, '#/');
    await watcher.locator('#connection.open').waitFor(WITHIN);
    const seesWork = whenShown(watcher, '.mode.coarse-bin-rendering');
    const seesBin = whenShown(page, '.bin-cells li:not(.pending)');
    await page.locator('select[name=policy]').selectOption('static');
    await page.locator('input[name=width]').fill('640');
    await page.locator('input[name=height]').fill('384');
    await page.locator('input[name=bins]').fill('12');
    await drop(MODEL, MODEL_NAME);
    await page.waitForURL(/#\/frames\//, WITHIN);
    await seesBin;
    await seesWork;
    frameId = idOf(page);
    await page.locator('.image img').waitFor(WITHIN);
    const row = watcher.locator(`[data-frame="${frameId}"]`);
    await row.locator('.badge.done').waitFor(WITHIN);
    expect(await row.textContent()).toContain(MODEL_NAME);
    await watcher.close();
  });

  it('shows figures of bins by mouse and by keyboard, and colors them by owner and by cost', async () => {
    const bins = page.locator('.image-bin');
    expect(await bins.count()).toBe(12);
    const report = await (await fetch(`${started.url}/v1/frames/${frameId}/report`)).json();
    expect(await page.locator('.bin-label').allTextContents()).toEqual(
      report.bins.map(({ chiplet }: { chiplet: number }) => String(chiplet)),
    );
    const details = page.locator('.bin-details');
    await bins.nth(5).hover();
    expect(await details.textContent()).toContain('Bin 5');
    await bins.first().focus();
    await page.keyboard.press('ArrowRight');
    expect(await details.textContent()).toContain('Bin 1');
    await page.keyboard.press('ArrowDown');
    expect(await details.textContent()).toContain('Bin 5');
    const { fragments } = report.bins[5] as { fragments: number };
    expect(await details.textContent()).toContain(fragments.toLocaleString('en'));
    await page.getByLabel('by cost').check();
    expect(await page.locator('.legend-box').textContent()).toContain('simulated cycles per bin');
    await page.getByLabel('hidden').check();
    expect(await bins.count()).toBe(0);
    await page.getByLabel('by owner').check();
  });

  it('draws the Gantt chart in simulated cycles, zooms it and walks through it', async () => {
    const chart = page.locator('.gantt');
    await chart.locator('.span.bin').first().waitFor(WITHIN);
    const text = await chart.textContent();
    for (const name of ['chiplet 0', 'chiplet 1', 'chiplet 2', 'link '])
      expect(text).toContain(name);
    expect(await chart.locator('.span.visibility').count()).toBe(1);
    expect(await chart.locator('.span.idle').count()).toBeGreaterThan(0);
    const details = page.locator('.described');
    // A mouse over the chart would describe the span below it.
    await page.mouse.move(0, 0);
    await chart.focus();
    // Chiplet 0 is idle until its copy engine has stored the resources.
    await page.keyboard.press('ArrowRight');
    expect(await details.textContent()).toMatch(/^chiplet 0: idle · cycles 0 to [\d,]+/);
    await page.keyboard.press('ArrowRight');
    expect(await details.textContent()).toMatch(/^chiplet 0: visibility · cycles [\d,]+ to [\d,]+/);
    await page.keyboard.press('ArrowDown');
    expect(await details.textContent()).toMatch(/^chiplet 1: /);
    const wide = Number(await chart.locator('.span.visibility').getAttribute('width'));
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('+');
    const zoomed = Number(await chart.locator('.span.visibility').getAttribute('width'));
    expect(zoomed).toBeGreaterThan(wide);
    await page.keyboard.press('0');
    await page.getByLabel('Units of').selectOption('1');
    expect(await chart.locator('.gantt-name.unit').count()).toBeGreaterThan(5);
  });

  it('shows the channels of the link, and no remote memory without a placement', async () => {
    const rows = page.getByRole('region', { name: 'Channels of the link' }).locator('tbody tr');
    expect(await rows.count()).toBeGreaterThan(0);
    expect(await rows.first().textContent()).toMatch(/bus[\d,]+[\d.]+ [KM]?i?B[\d,]+[\d.]+%/);
    expect(await page.getByRole('heading', { name: 'Remote memory' }).count()).toBe(0);
    expect(await page.locator('.gantt .span.remote').count()).toBe(0);
  });

  it('shows the energy by unit and chiplet, as in the report', async () => {
    const rows = page.getByRole('region', { name: 'Energy' }).locator('tbody tr');
    const shown = new Map<string, number[]>();
    for (const row of await rows.all()) {
      const figures = await row.locator('td.number').allTextContents();
      const numbers = figures.map((text) => Number(text.replaceAll(',', '')));
      shown.set((await row.locator('th').textContent())!, numbers);
    }
    const answer = await fetch(`${started.url}/v1/frames/${frameId}/report`);
    const { energy } = (await answer.json()) as Report;
    const { total, chiplets, link } = energy!;
    const parts = [
      ['total', total.total],
      ['link', link.dynamic],
      ...chiplets.map((each) => [`chiplet ${each.id}`, each.total] as const),
    ] as const;
    for (const [name, { lowPj, typicalPj, highPj }] of parts) {
      for (const [i, pj] of [lowPj, typicalPj, highPj].entries()) {
        expect(shown.get(name)![i]! / (pj / 1e6), name).toBeCloseTo(1, 3);
      }
    }
    const units = [...shown.keys()].filter((name) => !/^(total|link|chiplet \d+)$/.test(name));
    expect(units).toContain('dram');
    const ofUnits = units.reduce((sum, name) => sum + shown.get(name)![1]!, 0);
    expect((ofUnits + shown.get('link')![1]!) / shown.get('total')![1]!).toBeCloseTo(1, 3);
  });

  it('has a tooltip on every figure, and links to documents', async () => {
    const untitled = await page
      .locator('thead th, .tile, dl.facts dd, .counter-units tbody tr')
      .evaluateAll((found) =>
        found
          .filter((figure) => figure.textContent !== '' && !figure.getAttribute('title'))
          .map((figure) => figure.outerHTML.slice(0, 100)),
      );
    expect(untitled).toEqual([]);
    expect(await page.locator('.tile').count()).toBeGreaterThan(10);
    const makespan = page.locator('.tile', { hasText: 'makespan' });
    expect(await makespan.getAttribute('title')).toContain('from the first to the last bin');
    const address = page.url();
    await page.getByRole('link', { name: 'Glossary' }).click();
    await page.getByRole('heading', { level: 1, name: 'Glossary' }).waitFor(WITHIN);
    await page.goto(`${started.url}/#/docs/README.md`);
    await page.goto(`${started.url}/#/docs/how-to/use-the-dashboard.md`);
    await page.getByRole('heading', { level: 1, name: 'Use the dashboard' }).waitFor(WITHIN);
    const widths = () =>
      page
        .locator('img')
        .evaluateAll((images: HTMLImageElement[]) => images.map((image) => image.naturalWidth));
    await expect.poll(async () => Math.min(...(await widths())), WITHIN).toBeGreaterThan(100);
    await page.goto(`${started.url}/#/docs/README.md`);
    await page.getByRole('link', { name: 'Read the report' }).click();
    await page.getByRole('heading', { level: 1, name: 'Read the report' }).waitFor(WITHIN);
    await page.goto(address);
    await page.locator('.gantt .span.bin').first().waitFor(WITHIN);
  });

  it('sends a timeline to the window of Perfetto on request, and loads nothing before', async () => {
    // Replaces Perfetto's page, which needs the network. It answers as the protocol says.
    const requested: string[] = [];
    await context.route('https://ui.perfetto.dev/**', async (route) => {
      requested.push(route.request().url());
      const script = `addEventListener('message', ({ data, source, origin }) => {
        if (data === 'PING') source.postMessage('PONG', origin);
        else document.title = JSON.stringify([data.perfetto.title, data.perfetto.buffer.byteLength]);
      });`;
      await route.fulfill({ contentType: 'text/html', body: `<script>${script}</script>` });
    });
    expect(requested).toEqual([]);
    const opening = context.waitForEvent('page');
    await page.getByRole('button', { name: 'Open the timeline in Perfetto' }).click();
    const opened = await opening;
    await page.getByText('Perfetto has the timeline.').waitFor(WITHIN);
    await expect.poll(() => opened.title(), WITHIN).toContain('[');
    const timeline = await fetch(`${started.url}/v1/frames/${frameId}/timeline`);
    const { byteLength } = await timeline.arrayBuffer();
    expect(JSON.parse(await opened.title())).toEqual([MODEL_NAME, byteLength]);
    expect(requested).toHaveLength(1);
    await opened.close();
  });

  it('changes the name and tags of a frame', async () => {
    await page.getByText('Name and tags').click();
    await page.getByLabel('Name', { exact: true }).fill('Checkered plane');
    await page.getByLabel('Tags').fill('nightly, plane');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Checkered plane' }).waitFor(WITHIN);
    expect(await page.locator('.tags li').allTextContents()).toEqual(['nightly', 'plane']);
    const status = await (await fetch(`${started.url}/v1/frames/${frameId}`)).json();
    expect(status).toMatchObject({ name: 'Checkered plane', tags: ['nightly', 'plane'] });
  });

  it('finds counters with their meaning', async () => {
    await page.getByPlaceholder('cache, quads').fill('quadsCovered');
    const row = page.locator('.counter-units tbody tr');
    expect(await row.count()).toBe(1);
    expect(await row.textContent()).toContain('covered sample');
  });

  it('renders again with another policy and other hardware, and compares the two', async () => {
    await page.getByText('Render again with').click();
    await page.locator('.again select[name=policy]').selectOption('dynamic-pull');
    await page.locator('.again').getByText('Hardware parameters').click();
    await page.locator('.again').getByLabel('postTransformCacheVertices').fill('64');
    await page.locator('.again').getByText('Hardware parameters (1 changed)').waitFor(WITHIN);
    const changed = page.locator('.again .hardware tr.changed');
    expect(await changed.locator('.number').allTextContents()).toEqual(['128']);
    await page.getByRole('button', { name: 'Render and compare' }).click();
    await page.waitForURL(/#\/compare\//, WITHIN);
    againId = idOf(page);
    await page.getByText('The images are bit-identical.').waitFor(WITHIN);
    await page.locator('.gantt .span.bin').first().waitFor(WITHIN);
    expect(await page.locator('.gantt-title').allTextContents()).toEqual([
      expect.stringContaining('static'),
      expect.stringContaining('dynamic-pull'),
    ]);
    const policy = page.locator('tr.differs', { has: page.getByText('policy', { exact: true }) });
    expect(await policy.textContent()).toMatch(/static-blocks\s*dynamic-pull/);
    const status = await (await fetch(`${started.url}/v1/frames/${againId}`)).json();
    const spec = 'default+postTransformCacheVertices=64';
    expect(status.options).toMatchObject({ policy: 'dynamic-pull', bins: 12, chiplets: 3, spec });
  });

  it('shows the values of the specification that a change applies to', async () => {
    const valueOfParameter = (name: string) =>
      page
        .locator('.hardware tr', { has: page.getByLabel(name) })
        .locator('.number')
        .textContent();
    await page.goto(`${started.url}/#/frames/${againId}`);
    await page.getByText('Render again with').click();
    await page.locator('.again').getByText('Hardware parameters').click();
    expect(await valueOfParameter('postTransformCacheVertices')).toBe('64');
    await page.locator('.again select[name=spec]').selectOption('loongson');
    expect(await valueOfParameter('postTransformCacheVertices')).toBe('32');
  });

  it('runs a study, plots it, and gives it as CSV', async () => {
    await page.getByRole('link', { name: 'Studies' }).click();
    await page.getByLabel('Title').fill('static versus dynamic');
    await page.getByLabel('Numbers of chiplets').fill('1-3');
    await page.getByLabel('Numbers of bins').fill('12');
    await page.getByLabel('Energy').selectOption('hbm2');
    await page.getByText('Sweep hardware parameters').click();
    await page.getByLabel('smCount').fill('2, 4');
    await page.getByText('Link, placement, size and other axes').click();
    await page.getByLabel('linkBytesPerCycle').fill('64');
    await page.getByRole('group', { name: 'linkTopologies' }).getByLabel('ring').check();
    await page.getByRole('button', { name: 'Run the study' }).click();
    await page.waitForURL(/#\/studies\/./, WITHIN);
    await page.locator('.badge.done').waitFor(WITHIN);
    await expect.poll(() => page.locator('.plot .line path').count(), WITHIN).toBe(12);
    expect(await page.locator('h1').textContent()).toBe('static versus dynamic');
    await page.locator('.toolbar select').nth(1).selectOption('smCount');
    await page.locator('.plot[aria-label*="over smCount"]').waitFor();
    await page.locator('.toolbar select').first().selectOption('speedUp');
    await page.locator('.plot[aria-label*="speed-up"]').waitFor();
    await page.locator('.toolbar select').first().selectOption('energyDelayTypicalPjS');
    await page.locator('.plot[aria-label*="picojoule seconds"]').waitFor();
    await page.locator('.toolbar select').first().selectOption('speedUp');
    await page.locator('.plot[aria-label*="speed-up"]').waitFor();
    const table = page.getByRole('region', { name: 'Rows of the study' });
    expect(await table.locator('th').last().textContent()).toBe('smCount');
    const cells = await table.locator('td:last-child').allTextContents();
    expect([...new Set(cells)].sort()).toEqual(['2', '4']);
    const downloading = page.waitForEvent('download');
    await page.getByText('Download CSV').click();
    const csv = readFileSync(await (await downloading).path(), 'utf8');
    expect(csv.trim().split('\n')).toHaveLength(1 + 2 * 2 * 3);
    const header = csv.split('\n', 1)[0]!.split(',');
    const link = ['linkTopology', 'linkBytesPerCycle'].map((name) => header.indexOf(name));
    for (const line of csv.trim().split('\n').slice(1)) {
      expect(link.map((index) => line.split(',')[index])).toEqual(['ring', '64']);
    }
    const exported = async (ending: string) => {
      const saving = page.waitForEvent('download');
      await page.getByRole('button', { name: ending, exact: true }).click();
      return readFileSync(await (await saving).path());
    };
    const figures = (await exported('CSV')).toString();
    expect(figures.trim().split('\n')).toHaveLength(1 + 12);
    expect(figures).toMatch(/^line,smCount,speedUp\n/);
    const svg = (await exported('SVG')).toString();
    expect(svg).toContain('<polyline');
    expect(svg).toMatch(/stroke="rgb/);
    const png = await exported('PNG');
    expect([...png.subarray(1, 4)]).toEqual([...Buffer.from('PNG')]);
    expect(png.length).toBeGreaterThan(5000);
    expect(csv).toMatch(/^scene,frame,.*,specDigest,smCount,bins,.*,energyTypicalPj,/);
  });

  it('searches and deletes frames', async () => {
    await page.getByRole('link', { name: 'Overview' }).click();
    const rows = page.locator('.frames li[data-frame]');
    await expect.poll(() => rows.count(), WITHIN).toBe(4);
    await page.getByLabel('Search').fill('study');
    // With energies, the study rendered once for each specification.
    for (const left of [2, 1]) {
      await expect.poll(() => rows.count(), WITHIN).toBe(left);
      await rows
        .first()
        .getByRole('button', { name: /^Delete/ })
        .click();
    }
    await expect.poll(() => rows.count(), WITHIN).toBe(0);
    await page.getByText('No frame matches.').waitFor(WITHIN);
    await page.getByLabel('Search').fill('');
    await expect.poll(() => rows.count(), WITHIN).toBe(2);
  });

  it('shows a sequence: frames that overlap in time, latencies, throughput, an archive', async () => {
    const query =
      'frames=3&width=256&height=192&bins=8&chiplets=4&policy=dynamic-pull&timing=cycle';
    const labels = 'name=Morphing&tags=nightly';
    const answer = await fetch(`${started.url}/v1/sequences?${query}&${labels}`, {
      method: 'POST',
      headers: { 'Content-Type': 'model/gltf-binary' },
      body: new Uint8Array(MODEL),
    });
    expect(answer.status).toBe(202);
    sequenceId = ((await answer.json()) as { id: string }).id;
    await page.getByRole('link', { name: 'Sequences' }).click();
    const row = page.locator('.studies > li', { hasText: 'Morphing' });
    await row.locator('.tags li', { hasText: 'nightly' }).waitFor(WITHIN);
    await row.locator(`a[href="#/sequences/${sequenceId}"]`).click();
    await page.getByText('Name and tags').click();
    await page.getByLabel('Name', { exact: true }).fill('Morphing cube');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Morphing cube' }).waitFor(WITHIN);
    await page.locator('.gantt .span.visibility[data-frame="1"]').waitFor(WITHIN);
    const extents = await page
      .locator('.gantt .span[data-frame]:not(.transfer)')
      .evaluateAll((rects) =>
        rects.map((rect) => {
          const startPx = Number(rect.getAttribute('x'));
          const endPx = startPx + Number(rect.getAttribute('width'));
          const isVisibility = rect.classList.contains('visibility');
          return { frame: Number(rect.getAttribute('data-frame')), isVisibility, startPx, endPx };
        }),
      );
    expect([...new Set(extents.map(({ frame }) => frame))].sort()).toEqual([0, 1, 2]);
    const next = extents.find(({ frame, isVisibility }) => frame === 1 && isVisibility)!;
    const beside = extents.filter(
      ({ frame, startPx, endPx }) => frame === 0 && startPx < next.endPx && endPx > next.startPx,
    );
    expect(beside.length).toBeGreaterThan(0);
    expect(await page.locator('.overlap').textContent()).toMatch(/^In [\d,]+ of [\d,]+ cycles/);
    const report = await (await fetch(`${started.url}/v1/sequences/${sequenceId}/report`)).json();
    const rows = page.locator('.sequence-frames tbody tr');
    expect(await rows.count()).toBe(3);
    for (const [index, { latencyCycles }] of report.frames.entries()) {
      expect(await rows.nth(index).textContent()).toContain(latencyCycles.toLocaleString('en'));
    }
    const downloading = page.waitForEvent('download');
    await page.getByText('(ZIP)').click();
    const zip = readFileSync(await (await downloading).path());
    expect(zip.subarray(0, 2).toString('latin1')).toBe('PK');
  });

  it('shows the traffic between chiplets that share their memories', async () => {
    const query = 'width=256&height=192&bins=8&chiplets=3&coupling=exact&placement=interleaved';
    const answer = await fetch(`${started.url}/v1/frames?${query}`, {
      method: 'POST',
      headers: { 'Content-Type': 'model/gltf-binary', Prefer: 'wait=60' },
      body: new Uint8Array(MODEL),
    });
    expect(answer.status).toBe(200);
    sharedId = answer.headers.get('Location')!.split('/').at(-1)!;
    const { link } = await (await fetch(`${started.url}/v1/frames/${sharedId}/report`)).json();
    await page.goto(`${started.url}/#/frames/${sharedId}`);
    await page.locator('.gantt .span.remote').first().waitFor(WITHIN);
    await page.getByText(/Placement: textures, buffers, streams.* interleaved/).waitFor(WITHIN);
    const matrix = page.getByRole('region', { name: 'Bytes between chiplets' });
    const cells = matrix.locator('tbody td');
    expect(await cells.count()).toBe(9);
    const compact = new Intl.NumberFormat('en', {
      notation: 'compact',
      maximumSignificantDigits: 3,
    });
    expect(await cells.allTextContents()).toEqual(
      link.remote.bytes.flat().map((bytes: number) => (bytes === 0 ? '–' : compact.format(bytes))),
    );
    const reads = page.getByRole('region', { name: 'Reads of other memories' }).locator('tbody tr');
    expect(await reads.count()).toBe(3);
    const { wanted } = link.remote.lines[1];
    expect(await reads.nth(1).textContent()).toContain(wanted.toLocaleString('en'));
  });

  it('breaks no rule of its content security policy and throws nothing', () => {
    const expected = /status of 4\d\d/; // The browser also logs the rejected request.
    expect(complaints.filter((text) => !expected.test(text))).toEqual([]);
  });

  it('keeps the theme that was chosen', async () => {
    const scheme = () =>
      page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
    await page.getByLabel('Theme').selectOption('dark');
    expect(await scheme()).toBe('dark');
    await page.reload();
    expect(await scheme()).toBe('dark');
  });

  it('is small, and answers a second visit with its tag alone', async () => {
    const html = await (await fetch(`${started.url}/`)).text();
    const [, path] = /<script type="module" src="(\/dashboard\/[^"]+)"/.exec(html)!;
    const answer = await fetch(started.url + path);
    expect(answer.headers.get('content-type')).toContain('text/javascript');
    const bytes = gzipSync(await answer.text()).length;
    expect(bytes).toBeLessThan(MAX_SCRIPT_BYTES);
    const etag = answer.headers.get('etag')!;
    const again = await fetch(started.url + path, { headers: { 'If-None-Match': etag } });
    expect(again.status).toBe(304);
    const fresh = await browser.newContext();
    const visit = await openPage(fresh, '#/');
    await visit.locator('.drop-zone').waitFor(WITHIN);
    const paintMs = await visit.evaluate(
      () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
    );
    await fresh.close();
    process.stdout.write(`dashboard: ${bytes} bytes of its script, first paint ${paintMs} ms\n`);
  });

  it('asks for a token where the service requires one, and signs out', async () => {
    const token = 'a-token-of-one-reader';
    const environment = { TESSERA_HTTP_TOKENS: token };
    const { url } = await startTestService({ workerCount: 1, environment });
    const lenient = await browser.newContext({ bypassCSP: true });
    const closed = await lenient.newPage();
    await closed.goto(`${url}/#/studies`);
    const field = closed.getByLabel('Token');
    await field.waitFor(WITHIN);
    expect(await findViolations(closed)).toEqual([]);
    await field.fill(`${token}?`);
    await closed.getByRole('button', { name: 'Sign in' }).click();
    await closed.getByText('UNAUTHENTICATED').waitFor(WITHIN);
    await field.fill(token);
    await closed.getByRole('button', { name: 'Sign in' }).click();
    await closed.getByRole('heading', { name: 'Studies', exact: true }).waitFor(WITHIN);
    await closed.locator('#connection.open').waitFor(WITHIN);
    await lenient.clearCookies();
    await closed.getByRole('link', { name: 'Counters' }).click();
    await field.waitFor(WITHIN);
    await field.fill(token);
    await closed.getByRole('button', { name: 'Sign in' }).click();
    await closed.getByRole('heading', { level: 1, name: 'Counters' }).waitFor(WITHIN);
    await closed.getByRole('button', { name: 'Sign out' }).click();
    await field.waitFor(WITHIN);
    await lenient.close();
  });

  it('shows when the service is lost, and continues when it is back', async () => {
    const port = new URL(started.url).port;
    await page.goto(`${started.url}/#/`);
    await expect.poll(() => page.locator('.chiplets tbody tr').count(), WITHIN).toBe(3);
    await started.service.stop();
    await page.locator('#connection.lost').waitFor(WITHIN);
    started = await startTestService({ workerCount: 1, environment: { TESSERA_PORT: port } });
    await page.locator('#connection.open').waitFor(WITHIN);
    await expect.poll(() => page.locator('.chiplets tbody tr').count(), WITHIN).toBe(2);
  });
});
