/** A service of its own with the examples of `npm start`, for images of the dashboard. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { findChromium } from '../../test/support/find-chromium.ts';
import { renderExamples } from '../launch/render-examples.ts';
import { LaunchedService } from '../launch/service-launcher.ts';

const WORKERS = 4;

/**
 * Starts a service and a browser, renders the examples, and stops everything after `run`.
 *
 * @throws {Error} If Chromium is not installed, or an example fails.
 */
export async function withExampleService(
  run: (service: LaunchedService, browser: Browser) => Promise<void>,
): Promise<void> {
  const executablePath = findChromium();
  if (executablePath === null) throw new Error('chromium is not installed');
  const folder = mkdtempSync(join(tmpdir(), 'tessera-images-'));
  const service = await LaunchedService.start({
    workerCount: WORKERS,
    environment: { TESSERA_PORT: '0', TESSERA_DATA_DIR: folder, TESSERA_LOG_LEVEL: 'warn' },
    isRestarting: false,
    onLine: (name, line) => process.stderr.write(`${name}: ${line}\n`),
    onFatal: (message) => {
      throw new Error(message);
    },
  });
  try {
    for await (const _image of renderExamples(service));
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    try {
      await run(service, browser);
    } finally {
      await browser.close();
    }
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
