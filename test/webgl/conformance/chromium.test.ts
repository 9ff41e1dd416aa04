/** Pages in Chromium, with the outcomes that the runner gives, and the server of a suite. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BrowserPages } from '../../../scripts/conformance/chromium/browser-pages.ts';
import { findChromium } from '../../../scripts/webgl/chromium-images.ts';
import { type FolderServer, startFolderServer } from '../../../scripts/webgl/folder-server.ts';

const HARNESS = 'window.parent.webglTestHarness';
const PASS = `${HARNESS}.reportResults(location.pathname, true, 'holds');`;
const FAIL = `${HARNESS}.reportResults(location.pathname, false, 'one is not two');`;
const FINISH = `${HARNESS}.notifyFinished(location.pathname);`;
const LACKS = `${HARNESS}.reportResults('', true, 'No EXT_none support -- this is legal');`;

const FILES: Readonly<Record<string, string>> = {
  'passes.html': `<canvas id="c"></canvas><iframe src="frame.html"></iframe><script>
    onload = () => {
      if (c.getContext('webgl') !== null && location.search === '?quiet=1') { ${PASS} }
      ${FINISH} ${PASS}
    };
  </script>`,
  // A frame of a page has no harness, so it must not report.
  'frame.html': '<script>if (window.webglTestHarness) parent.webglTestHarness = null;</script>',
  'fails.html': `<script>${PASS} ${FAIL} ${FINISH}</script>`,
  'lacks.html': `<script>${PASS} ${LACKS} ${FINISH}</script>`,
  'silent.html': `<script>${FINISH}</script>`,
  'waits.html': `<script>${PASS}</script>`,
  'loops.html': `<script>${PASS} for (;;);</script>`,
  'ten.txt': '0123456789',
};

const folder = mkdtempSync(join(tmpdir(), 'chromium-pages-'));
let server: FolderServer;

beforeAll(async () => {
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
  server = await startFolderServer(folder);
});

afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

describe('server of a suite', () => {
  const get = async (path: string, headers = {}) => {
    const response = await fetch(`${server.url}${path}`, { headers });
    return [response.status, await response.text()];
  };

  it('sends files and ranges of them', async () => {
    expect(await get('/ten.txt?quiet=1')).toEqual([200, '0123456789']);
    expect(await get('/ten.txt', { Range: 'bytes=2-4' })).toEqual([206, '234']);
    expect(await get('/ten.txt', { Range: 'bytes=8-' })).toEqual([206, '89']);
    expect((await get('/ten.txt', { Range: 'bytes=10-' }))[0]).toBe(416);
  });

  it('sends nothing else', async () => {
    const outside = `..%2f${'..%2f'.repeat(20)}etc/hostname`;
    for (const path of ['/none.html', '/', `/${outside}`, '/%E0']) {
      expect((await get(path))[0], path).toBe(404);
    }
  });
});

const executablePath = findChromium();

describe.skipIf(executablePath === null)('pages in Chromium', () => {
  it('have verdicts, even if they do not end', async () => {
    const pages = new BrowserPages(executablePath!, server.url, '?quiet=1');
    const run = async (name: string, timeoutMs: number) => {
      const verdict = await pages.run({ name, folder: '' }, timeoutMs);
      return [verdict.outcome, verdict.assertions, verdict.failed];
    };
    try {
      expect(await run('passes.html', 60_000)).toEqual(['pass', 2, 0]);
      expect(await run('fails.html', 60_000)).toEqual(['fail', 2, 1]);
      expect(await run('lacks.html', 60_000)).toEqual(['skipped', 1, 0]);
      expect(await run('silent.html', 60_000)).toEqual(['empty', 0, 0]);
      expect(await run('waits.html', 5000)).toEqual(['timeout', 1, 0]);
      expect(await run('loops.html', 5000)).toEqual(['timeout', 0, 0]);
      // The browser of a page that hangs is replaced.
      expect(await run('passes.html', 60_000)).toEqual(['pass', 2, 0]);
    } finally {
      await pages.close();
    }
  });
});
