/**
 * A PostgreSQL server of Debian's package, for tests and trials, on a free port of the loopback.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProcessPlace } from './cluster-processes.ts';

const PACKAGES = '/usr/lib/postgresql';

/** Folder of the server's programs; null if the package is not installed. */
export const POSTGRES_PROGRAMS = findPrograms();

function findPrograms(): string | null {
  if (!existsSync(PACKAGES)) return null;
  const [version] = readdirSync(PACKAGES).sort((a, b) => Number(b) - Number(a));
  return version === undefined ? null : join(PACKAGES, version, 'bin');
}

/** Running server with an empty database. */
export class PostgresServer {
  readonly url: string;
  readonly #folder: string;
  readonly #port: number;
  readonly #settings: readonly string[];
  readonly #place: ProcessPlace;
  #process: ChildProcess | null = null;

  private constructor(
    folder: string,
    port: number,
    settings: readonly string[],
    place: ProcessPlace,
  ) {
    this.#folder = folder;
    this.#port = port;
    this.#settings = settings;
    this.#place = place;
    this.url = `postgres://tessera@${place.host}:${port}/postgres`;
  }

  /**
   * Creates a database cluster in a new folder and starts its server.
   *
   * @param settings Settings of postgresql.conf, each as `name=value`.
   * @param place Where the server runs.
   * @param network Address range whose clients need no password, besides the loopback.
   */
  static async start(
    settings: readonly string[] = [],
    place: ProcessPlace = { host: '127.0.0.1', prefix: [] },
    network: string | null = null,
  ): Promise<PostgresServer> {
    const folder = mkdtempSync(join(tmpdir(), 'tessera-postgres-'));
    const owner = serverOwner();
    if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid!);
    const create = ['-D', folder, '-U', 'tessera', '--auth=trust', '--no-locale', '-E', 'UTF8'];
    execFileSync(join(POSTGRES_PROGRAMS!, 'initdb'), create, { ...owner, stdio: 'ignore' });
    if (network !== null) {
      appendFileSync(join(folder, 'pg_hba.conf'), `host all all ${network} trust\n`);
    }
    const server = new PostgresServer(folder, await freePort(), settings, place);
    await server.launch();
    return server;
  }

  /** Process id of the server, which also leads the group of its processes. */
  get pid(): number {
    return this.#process!.pid!;
  }

  /** Starts the server, after {@link kill} with the same data. */
  async launch(): Promise<void> {
    const { host, prefix } = this.#place;
    const settings = [`listen_addresses=${host}`, 'unix_socket_directories=', ...this.#settings];
    const folder = ['-D', this.#folder, '-p', String(this.#port)];
    const server = [
      join(POSTGRES_PROGRAMS!, 'postgres'),
      ...folder,
      ...settings.flatMap((each) => ['-c', each]),
    ];
    const owner = serverOwner();
    // A prefix may need root, so the account changes after it.
    const asOwner = ['setpriv', `--reuid=${owner.uid}`, `--regid=${owner.gid}`, '--clear-groups'];
    const [program = '', ...words] =
      prefix.length === 0 ? server : [...prefix, ...asOwner, ...server];
    const process = spawn(program, words, {
      ...(prefix.length === 0 ? owner : {}),
      stdio: 'ignore',
    });
    this.#process = process;
    while (process.exitCode === null && !(await isUp(host, this.#port))) await sleep(50);
    if (process.exitCode !== null) throw new Error(`postgres ended with ${process.exitCode}`);
  }

  /** Ends the server at once, as a lost machine does (SIGQUIT: no checkpoint). */
  async kill(): Promise<void> {
    const process = this.#process!;
    const ended = once(process, 'exit');
    process.kill('SIGQUIT');
    await ended;
  }

  async stop(): Promise<void> {
    if (this.#process?.exitCode === null) await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Returns the account under which the server runs, because it refuses to run as root. */
export function serverOwner(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string) =>
    Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/** Returns a port of the loopback that no process uses. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/** Whether the server lets clients in. It accepts connections before. */
async function isUp(host: string, port: number): Promise<boolean> {
  const check = spawn(join(POSTGRES_PROGRAMS!, 'pg_isready'), ['-h', host, '-p', String(port)], {
    stdio: 'ignore',
  });
  const [code] = (await once(check, 'exit')) as [number | null];
  return code === 0;
}
