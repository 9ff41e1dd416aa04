/**
 * `npm run first-page`: starts `npm start` with an empty data folder, opens the dashboard in
 * Chromium as soon as it is announced, and measures the time until an example can be explored. Then
 * it opens the page again in a new browser profile, while the service has nothing else to do. The
 * browser itself is started before.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Browser, chromium } from 'playwright-core';
import { findChromium } from '../webgl/chromium-images.ts';

const ROUNDS = 5;
const START = join(import.meta.dirname, '../launch/start.ts');
/** Time in which the service has rendered all examples. */
const SETTLE_MS = 10_000;

const executablePath = findChromium();
if (executablePath === null) throw new Error('chromium is not installed');
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
const atOnce: number[] = [];
const later: number[] = [];
try {
  for (let round = 0; round < ROUNDS; round++) await measureStart();
} finally {
  await browser.close();
}
const [cpu] = cpus();
process.stdout.write(`${cpu!.model}, load ${loadavg()[0]!.toFixed(1)} on ${cpus().length} cores\n`);
print('opened at once', atOnce);
print('opened later', later);

async function measureStart(): Promise<void> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'tessera-first-'));
  const environment = {
    ...process.env,
    TESSERA_PORT: '0',
    TESSERA_CROSSLINK_PORT: '0',
    TESSERA_DATA_DIR: dataFolder,
  };
  const service = spawn(process.execPath, [START], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(service, 'exit');
  try {
    const url = await announcedAddress(createInterface(service.stdout!));
    atOnce.push(await openPage(browser, url));
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    later.push(await openPage(browser, url));
  } finally {
    service.kill('SIGTERM');
    await exited;
    rmSync(dataFolder, { recursive: true, force: true });
  }
}

/** Returns the address of the dashboard that the service prints when it is up. */
async function announcedAddress(lines: AsyncIterable<string>): Promise<string> {
  for await (const line of lines) {
    const address = /^ {2}dashboard +(http\S+)$/.exec(line);
    if (address !== null) return address[1]!;
  }
  throw new Error('the service ended before it was up');
}

/** Returns the wall time in milliseconds from opening the page to an image with live controls. */
async function openPage(of: Browser, url: string): Promise<number> {
  const context = await of.newContext();
  try {
    const page = await context.newPage();
    const startMs = performance.now();
    await page.goto(url, { waitUntil: 'commit' });
    await page.locator('.explore input[data-setting=chiplets]').waitFor();
    await page.waitForFunction(() => {
      const image = document.querySelector<HTMLImageElement>('.explore .image img');
      return image?.complete === true && image.naturalWidth > 0;
    });
    return performance.now() - startMs;
  } finally {
    await context.close();
  }
}

function print(what: string, times: readonly number[]): void {
  const sorted = [...times].sort((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)]!;
  const shown = [sorted[0]!, median, sorted.at(-1)!].map((ms) => `${(ms / 1000).toFixed(2)} s`);
  process.stdout.write(
    `${what}: least ${shown[0]}, median ${shown[1]}, most ${shown[2]} of ${ROUNDS}\n`,
  );
}
