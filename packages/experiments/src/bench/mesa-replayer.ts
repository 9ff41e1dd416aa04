/**
 * Mesa's replayer (`glretrace -b`) on one X server without a screen. Needs Debian's `apitrace`,
 * `xvfb` and `xauth`.
 */
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';

const REPLAY_WITHIN_SECONDS = 300;
const ATTEMPTS = 3;

/** Mesa's software drivers. */
export type MesaDriver = 'llvmpipe' | 'softpipe';

/** A replayer and its X server. */
export class MesaReplayer {
  readonly #shell: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;
  readonly #reader: Interface;
  /** CPU time of all replays so far, in milliseconds. */
  #spentMs = 0;

  /** Starts the X server. @throws {Error} If the replayer or the X server is missing. */
  constructor() {
    for (const tool of ['glretrace', 'xvfb-run']) {
      if (spawnSync('sh', ['-c', 'command -v "$1"', 'sh', tool]).status !== 0) {
        throw new Error(
          `bench peers: ${tool} is not installed (Debian: apt install apitrace xvfb xauth)`,
        );
      }
    }
    this.#shell = spawn('xvfb-run', ['-a', '-s', '-screen 0 1280x1024x24', 'sh'], {
      env: { ...process.env, LIBGL_ALWAYS_SOFTWARE: '1', LP_NUM_THREADS: '0' },
    });
    this.#reader = createInterface({ input: this.#shell.stdout });
    this.#lines = this.#reader[Symbol.asyncIterator]();
  }

  /**
   * Returns the CPU time in milliseconds of a whole replay that draws the capture's last frame
   * `frames` times, without the X server. llvmpipe rasterizes on its calling thread.
   *
   * @throws {Error} If the replay fails repeatedly. On a loaded machine the X server may drop a
   *   client.
   */
  async replayCpuMs(driver: MesaDriver, path: string, frames: number): Promise<number> {
    for (let attempt = 1; ; attempt++) {
      const before = this.#spentMs;
      const status = await this.#replay(driver, path, frames);
      if (status === 'status 0') return this.#spentMs - before;
      if (attempt === ATTEMPTS) {
        throw new Error(`bench peers: replaying ${path} with ${driver} failed with ${status}`);
      }
    }
  }

  async #replay(driver: MesaDriver, path: string, frames: number): Promise<string> {
    const replay = `GALLIUM_DRIVER=${driver} timeout ${REPLAY_WITHIN_SECONDS} glretrace -b --loop=${frames}`;
    // The last line of the shell's `times` is that of its children.
    const quoted = `'${path.replaceAll("'", `'\\''`)}'`;
    this.#shell.stdin.write(`${replay} ${quoted} >/dev/null 2>&1; echo "status $?"; times\n`);
    const status = await this.#readLine();
    await this.#readLine();
    const children = await this.#readLine();
    const times = [...children.matchAll(/(\d+)m([\d.]+)s/g)];
    if (times.length !== 2)
      throw new Error(`bench peers: the CPU time in '${children}' cannot be read`);
    this.#spentMs = times.reduce(
      (sum, [, min, s]) => sum + 60_000 * Number(min) + 1000 * Number(s),
      0,
    );
    return status;
  }

  /** Stops the replayer and the X server. */
  async stop(): Promise<void> {
    this.#reader.close();
    const ended = once(this.#shell, 'exit');
    this.#shell.stdin.end();
    await ended;
  }

  async #readLine(): Promise<string> {
    const { value, done } = await this.#lines.next();
    if (done === true) throw new Error('bench peers: the shell under the X server has exited');
    return value;
  }
}
