import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { PAGE_ENTRIES } from './dashboard-routes.ts';
import { buildScripts, PageScripts } from './page-scripts.ts';

/** Bound on all scripts of both pages, compressed as the service sends them. */
const MAX_SCRIPT_BYTES = 74_000;

const folder = mkdtempSync(join(tmpdir(), 'tessera-scripts-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('scripts of the pages', () => {
  it('are small', async () => {
    const scripts = (await buildScripts(PAGE_ENTRIES)).filter(({ path }) => path.endsWith('.js'));
    const bytes = scripts.reduce((sum, { contents }) => sum + gzipSync(contents).length, 0);
    process.stdout.write(`scripts of the pages: ${bytes} bytes, gzipped\n`);
    expect(bytes).toBeLessThan(MAX_SCRIPT_BYTES);
  });

  it('have names, media types and source maps', async () => {
    const scripts = new PageScripts(PAGE_ENTRIES);
    const main = await scripts.file('main.js');
    expect(main?.mediaType).toBe('text/javascript; charset=utf-8');
    expect(main?.content.toString()).toContain('sourceMappingURL=main.js.map');
    const map = JSON.parse((await scripts.file('main.js.map'))!.content.toString());
    expect(map.sources.filter((path: string) => path.endsWith('src/main.ts'))).toHaveLength(1);
    expect(await scripts.file('other.js')).toBeUndefined();
  });

  it('name the place of a fault', async () => {
    const path = join(folder, 'wrong.ts');
    writeFileSync(path, "import { readFileSync } from 'node:fs';\nreadFileSync('x');\n");
    await expect(new PageScripts([path]).file('wrong.js')).rejects.toThrow(
      /wrong\.ts:1:29: ERROR: Could not resolve "node:fs"/,
    );
  });
});
