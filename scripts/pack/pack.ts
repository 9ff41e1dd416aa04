/**
 * `npm run pack [-- FOLDER]`: builds the packages for programs outside of this repository, as
 * tarballs in `out/packages` or another folder. docs/packages.md describes them.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildBundles } from './build-bundles.ts';
import { buildManifest } from './build-manifest.ts';
import { buildTypes, emitDeclarations } from './build-types.ts';
import { PUBLISHED_PACKAGES } from './published-packages.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** Writes the tarballs into a folder. Returns their paths by name of the package. */
export async function packAll(target: string): Promise<Map<string, string>> {
  mkdirSync(target, { recursive: true });
  const work = mkdtempSync(join(tmpdir(), 'tessera-pack-'));
  const tarballs = new Map<string, string>();
  try {
    const declarations = join(work, 'declarations');
    emitDeclarations(ROOT, declarations);
    for (const published of PUBLISHED_PACKAGES) {
      const folder = join(work, published.name);
      mkdirSync(folder);
      await buildBundles(ROOT, published, folder);
      if (published.command === undefined) buildTypes(ROOT, declarations, published, folder);
      writeFileSync(
        join(folder, 'package.json'),
        `${JSON.stringify(buildManifest(ROOT, published), null, 2)}\n`,
      );
      cpSync(
        resolve(import.meta.dirname, 'readme', `${published.name}.md`),
        join(folder, 'README.md'),
      );
      cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
      const args = ['pack', '--silent', '--pack-destination', resolve(target)];
      const file = execFileSync('npm', args, { cwd: folder, encoding: 'utf8' }).trim();
      tarballs.set(published.name, join(resolve(target), file.split('\n').at(-1)!));
    }
  } finally {
    rmSync(work, { recursive: true });
  }
  return tarballs;
}

if (import.meta.main) {
  const tarballs = await packAll(process.argv[2] ?? join(ROOT, 'out/packages'));
  for (const path of tarballs.values()) {
    console.log(`${path}: ${(statSync(path).size / 1000).toFixed(0)} kB`);
  }
}
