/** Packages of package-lock.json (version 3): what `npm ci` installs, for all platforms. */
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** Fields of an entry of package-lock.json that are read here. */
interface LockEntry {
  /** Name of a package whose folder has another name, or of a workspace. */
  readonly name?: string;
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
  /** Whether only development needs it. */
  readonly dev?: boolean;
  readonly optional?: boolean;
  /** Whether it is a link to a workspace, whose folder is `resolved`. */
  readonly link?: boolean;
  readonly resolved?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** A package that package-lock.json names: one of the registry, or a workspace. */
export interface LockedPackage {
  /** Folder from the root of the repository, such as `node_modules/ws` or `packages/wire`. */
  readonly path: string;
  readonly name: string;
  readonly version: string;
  /** SPDX expression, or null if the manifest of the package has none. */
  readonly license: string | null;
  /** Hash of the archive as in `sha512-…`, or null for a workspace. */
  readonly integrity: string | null;
  readonly isWorkspace: boolean;
  /** Whether an installation without development packages leaves it out. */
  readonly isDevelopment: boolean;
  /** Whether an installation may lack it, such as one of another platform. */
  readonly isOptional: boolean;
  /** Paths of the packages that it uses, sorted. Those that are not installed are left out. */
  readonly dependencyPaths: readonly string[];
}

type Entries = Readonly<Record<string, LockEntry>>;

/** Returns the folder of a package as Node finds it: in the nearest `node_modules` above `from`. */
function resolvePackage(entries: Entries, from: string, name: string): string | null {
  for (let folder = from; ; folder = posix.dirname(folder)) {
    const base = folder === '.' || folder === '' ? '' : `${folder}/`;
    const entry = entries[`${base}node_modules/${name}`];
    if (entry !== undefined) return entry.link ? entry.resolved! : `${base}node_modules/${name}`;
    if (base === '') return null;
  }
}

/**
 * Returns the packages of the lock file in the folder `root`, without `root` itself, by path.
 *
 * @throws {Error} If there is no lock file, or it is not of version 3.
 */
export function readLockedPackages(root: string): LockedPackage[] {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    lockfileVersion: number;
    packages: Entries;
  };
  if (lock.lockfileVersion !== 3) throw new Error('package-lock.json: not of version 3');
  const packages: LockedPackage[] = [];
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (path === '' || entry.link) continue;
    const isWorkspace = !path.includes('node_modules/');
    const names = Object.keys({
      ...entry.peerDependencies,
      ...entry.optionalDependencies,
      ...entry.dependencies,
    });
    const dependencyPaths = names.flatMap(
      (name) => resolvePackage(lock.packages, path, name) ?? [],
    );
    packages.push({
      path,
      name: entry.name ?? path.split('node_modules/').at(-1)!,
      version: entry.version!,
      license: entry.license ?? null,
      integrity: entry.integrity ?? null,
      isWorkspace,
      isDevelopment: entry.dev === true,
      isOptional: entry.optional === true,
      dependencyPaths: dependencyPaths.sort(),
    });
  }
  return packages;
}
