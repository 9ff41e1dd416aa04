/** Every package of package-lock.json has a license of the list in allowed-licenses.ts. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readLockedPackages } from '../../scripts/supply-chain/locked-packages.ts';
import {
  ALLOWED_IN_DEVELOPMENT,
  ALLOWED_LICENSES,
  LICENSE_EXCEPTIONS,
} from './allowed-licenses.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const packages = readLockedPackages(ROOT).filter(({ isWorkspace }) => !isWorkspace);
const refOf = ({ name, version }: { name: string; version: string }) => `${name}@${version}`;

/**
 * Whether one may choose only allowed licenses of an SPDX expression. AND binds closer than OR, and
 * brackets may stand around the whole; anything else is refused.
 */
function isAllowed(expression: string, allowed: readonly string[]): boolean {
  return expression
    .replace(/^\((.*)\)$/, '$1')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((id) => allowed.includes(id)));
}

describe('licenses of packages', () => {
  it('are judged by SPDX expressions', () => {
    const allowed = ['MIT', 'ISC'];
    for (const good of ['MIT', '(MIT OR GPL-3.0-only)', 'GPL-3.0-only OR MIT', 'MIT AND ISC']) {
      expect(isAllowed(good, allowed), good).toBe(true);
    }
    for (const bad of ['', 'GPL-3.0-only', 'MIT AND GPL-3.0-only', 'SEE LICENSE IN x', 'mit']) {
      expect(isAllowed(bad, allowed), bad).toBe(false);
    }
  });

  it.each([
    ['production', false, ALLOWED_LICENSES],
    ['development', true, [...ALLOWED_LICENSES, ...ALLOWED_IN_DEVELOPMENT]],
  ])('are in the list: %s', (_kind, isDevelopment, allowed) => {
    const judged = packages.filter((locked) => locked.isDevelopment === isDevelopment);
    expect(judged.length).toBeGreaterThan(100);
    const refused = judged
      .map((locked) => ({
        ref: refOf(locked),
        license: LICENSE_EXCEPTIONS[refOf(locked)]?.license ?? locked.license,
      }))
      .filter(({ license }) => license === null || !isAllowed(license, allowed));
    expect(refused).toEqual([]);
  });

  it('are what the manifests of the installed packages say', () => {
    const installed = packages.filter(({ path }) => existsSync(join(ROOT, path, 'package.json')));
    expect(installed.length).toBeGreaterThan(400);
    const wrong = installed.filter(({ path, license }) => {
      const text = readFileSync(join(ROOT, path, 'package.json'), 'utf8');
      const manifest = JSON.parse(text) as { license?: string | { type: string } };
      // Old manifests have an object, of which npm takes the type.
      const said = typeof manifest.license === 'object' ? manifest.license.type : manifest.license;
      return (said ?? null) !== license;
    });
    expect(wrong.map(refOf)).toEqual([]);
  });

  it('have no exception or allowed identifier without use', () => {
    const unclear = packages.filter(
      ({ license }) => license === null || !/^[(A-Z\d]/.test(license) || license === 'BSD',
    );
    expect([...new Set(unclear.map(refOf))].sort()).toEqual(Object.keys(LICENSE_EXCEPTIONS));
    const used = packages.flatMap(({ license }) => license?.split(/[() ]+/) ?? []);
    const unused = [...ALLOWED_LICENSES, ...ALLOWED_IN_DEVELOPMENT].filter(
      (id) => !used.includes(id),
    );
    expect(unused).toEqual([]);
  });
});
