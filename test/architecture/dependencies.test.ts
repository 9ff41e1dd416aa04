/** Dependencies are pinned and run no native code, as SECURITY.md states. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

/** Fields of an entry of package-lock.json that these tests read. */
interface LockedPackage {
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
}

const ROOT = resolve(import.meta.dirname, '../..');
const { packages } = JSON.parse(readFileSync(resolve(ROOT, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, LockedPackage>;
};
/** Packages from the registry. The other entries are the workspaces and the links to them. */
const registryPackages = Object.entries(packages).filter(
  ([path, { link }]) => path.includes('node_modules/') && link !== true,
);

describe('package-lock.json', () => {
  it('holds the SHA-512 of every package, those of other platforms included', () => {
    expect(registryPackages.length).toBeGreaterThan(400);
    const unpinned = registryPackages
      .filter(([, { integrity }]) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''))
      .map(([path]) => path);
    expect(unpinned).toEqual([]);
  });

  it('has no production package with an install script or native code, but Node, the bundler of the dashboard and the addon that is not loaded', () => {
    const native = registryPackages
      .filter(([, { dev }]) => dev !== true)
      .filter(([, { hasInstallScript, os, cpu }]) => hasInstallScript || os || cpu)
      .map(([path]) => path.replace(/^node_modules\//, ''));
    const others = native.filter((name) => !/msgpackr-extract|^(@esbuild\/|esbuild$)/.test(name));
    expect(others).toEqual(['node']);
  });
});

describe('processes', () => {
  it
    .skipIf(process.platform !== 'linux')
    .each(['coordinator', 'chiplet-worker', 'visibility-chiplet'])(
    'map no native addon: %s',
    (service) => {
      const packageJson = readFileSync(resolve(ROOT, `services/${service}/package.json`), 'utf8');
      const { dependencies } = JSON.parse(packageJson) as { dependencies: Record<string, string> };
      const script = `
        for (const name of ${JSON.stringify(Object.keys(dependencies))}) await import(name);
        process.stdout.write((await import('node:fs')).readFileSync('/proc/self/maps', 'utf8'));`;
      const options = { cwd: resolve(ROOT, `services/${service}`), encoding: 'utf8' } as const;
      const maps = execFileSync(process.execPath, ['--input-type=module', '-e', script], options);
      expect(maps).toContain('[heap]');
      expect(maps.match(/\S+\.node$/gm) ?? []).toEqual([]);
    },
  );
});
