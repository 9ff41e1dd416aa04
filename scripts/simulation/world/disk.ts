/**
 * Disk of a simulated machine: a real folder, normally in memory, with the faults of a disk. Calls
 * may fail, bytes may change by themselves, and after a power failure everything may be missing
 * that was not forced to disk. Two kinds of facts are kept for that: files whose content was not
 * forced, and changes of names in folders that were not forced.
 */

import {
  closeSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { SeededRandom } from '@tessera/scenes/seeded-random';
import type { World } from './world.ts';

/** Errors that a faulty disk reports. */
export type DiskFault = 'EIO' | 'ENOSPC' | 'EDQUOT';

/** Kind of access to the disk. A full disk refuses only writing. */
export type DiskAccess = 'read' | 'write' | 'remove';

const ERRNO: Readonly<Record<DiskFault, number>> = { EIO: -5, ENOSPC: -28, EDQUOT: -122 };
const QUICK_MS = 0.3;
const FORCE_MS = 8;
const SLOW_FORCE_MS = 300;
const SLOW_PROBABILITY = 0.02;
/** Bytes of the header of a write-ahead log that identify its generation. */
const WAL_SALT = { at: 16, bytes: 8 };

/** Change of a name that a power failure may undo. */
interface NameChange {
  readonly folder: string;
  readonly undo: () => void;
}

/** Disk with one data folder. */
export class Disk {
  readonly world: World;
  readonly folder: string;
  /** Fault that calls report at the moment, and with which probability. */
  fault: { readonly kind: DiskFault; readonly probability: number } | null = null;
  /** Number of calls that failed. */
  faultCount = 0;
  readonly #shadowFolder: string;
  readonly #unforced = new Set<string>();
  #changes: NameChange[] = [];
  #forcedWal: { readonly salt: string; readonly bytes: number } | null = null;
  #shadowCount = 0;

  /** @param root Empty folder for the data folder and for what the disk itself needs. */
  constructor(world: World, root: string) {
    this.world = world;
    this.folder = join(root, 'data');
    this.#shadowFolder = join(root, 'shadow');
    mkdirSync(this.folder, { recursive: true });
    mkdirSync(this.#shadowFolder, { recursive: true });
  }

  holds(path: string): boolean {
    return path.startsWith(this.folder);
  }

  /** Time that a call takes which does not force anything to disk. */
  quickMs(): number {
    return this.world.random.next() * QUICK_MS;
  }

  /** Time that forcing a file or folder takes. */
  forceMs(): number {
    const { random } = this.world;
    return random.next() * (random.next() < SLOW_PROBABILITY ? SLOW_FORCE_MS : FORCE_MS);
  }

  /** Throws the current fault if it hits this call. */
  check(access: DiskAccess, syscall: string, path: string): void {
    const kind = this.nextFault(access);
    if (kind === null || !this.holds(path)) return;
    this.faultCount++;
    const message = `${kind}: simulated fault, ${syscall} '${path}'`;
    throw Object.assign(new Error(message), { code: kind, errno: ERRNO[kind], syscall, path });
  }

  /** Returns the fault that hits a call, or null. */
  nextFault(access: DiskAccess): DiskFault | null {
    if (this.fault === null) return null;
    if (access !== 'write' && this.fault.kind !== 'EIO') return null;
    return this.world.random.next() < this.fault.probability ? this.fault.kind : null;
  }

  noteWrite(path: string): void {
    if (this.holds(path)) this.#unforced.add(path);
  }

  /** Records that the content of a file, or the names in a folder, are on disk. */
  noteForced(path: string): void {
    if (path.endsWith('-wal') && existsSync(path)) this.#forcedWal = readWal(path);
    this.#unforced.delete(path);
    this.#changes = this.#changes.filter(({ folder }) => folder !== path);
  }

  noteCreated(path: string): void {
    if (!this.holds(path)) return;
    this.#changes.push({
      folder: dirname(path),
      undo: () => rmSync(path, { recursive: true, force: true }),
    });
  }

  /** Removes a file so that a power failure can bring it back. */
  remove(path: string): void {
    const shadow = this.#keep(path);
    rmSync(path);
    this.#unforced.delete(path);
    this.#changes.push({ folder: dirname(path), undo: () => restore(shadow, path) });
  }

  rename(from: string, to: string): void {
    const isFile = statSync(from).isFile();
    const replaced = isFile && existsSync(to) ? this.#keep(to) : null;
    renameSync(from, to);
    if (this.#unforced.delete(from)) this.#unforced.add(to);
    const undo = () => {
      if (!existsSync(to)) return;
      mkdirSync(dirname(from), { recursive: true });
      renameSync(to, from);
      if (replaced !== null) restore(replaced, to);
    };
    this.#changes.push({ folder: dirname(to), undo });
  }

  /**
   * Loses what was not forced to disk: some of the last changes of names, and parts of files. The
   * database must be closed, and its files as its process left them.
   */
  losePower(): void {
    const { random } = this.world;
    const keptChanges = random.integer(0, this.#changes.length);
    for (const { undo } of this.#changes.slice(keptChanges).reverse()) undo();
    for (const path of this.#unforced) {
      if (existsSync(path)) truncateSync(path, random.integer(0, statSync(path).size));
    }
    this.#tearWal();
    this.#changes = [];
    this.#unforced.clear();
  }

  /** Changes one byte of a stored file. Returns its path, or null if there is none. */
  rot(random: SeededRandom): string | null {
    const files = join(this.folder, 'files');
    if (!existsSync(files)) return null;
    const paths = readdirSync(files, { recursive: true })
      .map((name) => join(files, String(name)))
      .filter((path) => statSync(path).isFile() && statSync(path).size > 0)
      .sort();
    if (paths.length === 0) return null;
    const path = random.pick(paths);
    const file = openSync(path, 'r+');
    const at = random.integer(0, statSync(path).size - 1);
    const byte = Buffer.alloc(1);
    readSync(file, byte, 0, 1, at);
    byte[0] = byte[0]! ^ (1 << random.integer(0, 7));
    writeSync(file, byte, 0, 1, at);
    closeSync(file);
    return path;
  }

  #tearWal(): void {
    const path = join(this.folder, 'journal.sqlite-wal');
    if (!existsSync(path)) return;
    const { salt, bytes } = readWal(path);
    // A checkpoint forces everything before it and begins a new generation.
    const forced = this.#forcedWal?.salt === salt ? this.#forcedWal.bytes : 0;
    if (bytes > forced) truncateSync(path, forced + this.world.random.integer(0, bytes - forced));
  }

  #keep(path: string): string {
    const shadow = join(this.#shadowFolder, String(this.#shadowCount++));
    linkSync(path, shadow);
    return shadow;
  }
}

function restore(shadow: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  rmSync(path, { force: true });
  copyFileSync(shadow, path);
}

function readWal(path: string): { readonly salt: string; readonly bytes: number } {
  const header = Buffer.alloc(WAL_SALT.at + WAL_SALT.bytes);
  const file = openSync(path, 'r');
  readSync(file, header, 0, header.length, 0);
  closeSync(file);
  return { salt: header.subarray(WAL_SALT.at).toString('hex'), bytes: statSync(path).size };
}
