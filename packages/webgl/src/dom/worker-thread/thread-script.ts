/** Scripts of a worker: its own, and those that `importScripts` adds. */
import { constants, runInThisContext } from 'node:vm';
import type { WorkerStart } from '../workers/worker-protocol.ts';
import type { ThreadPort } from './thread-port.ts';

/** Script of one worker. */
export class ThreadScript {
  readonly #start: WorkerStart;
  readonly #port: ThreadPort;
  /** Address by which a module that is no file was imported; null for all other scripts. */
  importedAddress: string | null = null;

  constructor(start: WorkerStart, port: ThreadPort) {
    this.#start = start;
    this.#port = port;
  }

  /**
   * Runs the script in the global scope.
   *
   * @param source Text of the script; null for a module that is a file.
   */
  run(source: string | null): Promise<unknown> | undefined {
    const { address, isModule } = this.#start;
    if (!isModule) {
      runClassic(source!, address);
      return undefined;
    }
    if (source !== null) {
      this.importedAddress = `data:text/javascript,${encodeURIComponent(source)}`;
    }
    return import(this.importedAddress ?? address);
  }

  /** `importScripts`, which waits for its files. */
  readonly importScripts = (...addresses: readonly unknown[]): void => {
    if (this.#start.isModule) throw new TypeError('importScripts: the worker is a module');
    for (const address of addresses) {
      const { href } = new URL(String(address), this.#start.address);
      let bytes: Uint8Array;
      try {
        bytes = this.#port.readBytes(href);
      } catch (cause) {
        throw new DOMException(`importScripts: ${href}: ${String(cause)}`, 'NetworkError');
      }
      runClassic(new TextDecoder().decode(bytes), href);
    }
  };
}

function runClassic(source: string, filename: string): void {
  runInThisContext(source, {
    filename,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
}
