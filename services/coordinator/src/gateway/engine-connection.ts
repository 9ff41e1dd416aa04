/** Connection of a gateway with the engine, whose database may be away when the gateway starts. */
import { EngineUnavailableError, type WorkEngine } from '@tessera/engine';
import { EnvironmentError, exitAtStart } from '@tessera/wire/environment';
import type { Logger } from 'pino';
import { openOrRefuse } from '../cell/start-cell.ts';
import { logEngineErrors } from '../cluster/log-engine-errors.ts';
import type { Config } from '../config/config.ts';
import { delay } from '../process/delay.ts';
import { asEngineProblem } from './gateway-services.ts';

/** Interval between two attempts to connect. */
const CONNECT_MS = 1000;

/** Connection with the engine. */
export class EngineConnection {
  readonly #config: Config;
  readonly #log: Logger;
  readonly #closing = new AbortController();
  readonly #connecting: Promise<void>;
  #engine: WorkEngine | null = null;

  /** Starts to connect, however long the database is away. Exits if the address is wrong. */
  constructor(config: Config, log: Logger) {
    this.#config = config;
    this.#log = log;
    this.#connecting = this.#connect();
  }

  /**
   * Calls the engine.
   *
   * @throws {RenderError} ENGINE_UNAVAILABLE, QUOTA_EXCEEDED.
   */
  async use<Result>(call: (engine: WorkEngine) => Promise<Result>): Promise<Result> {
    try {
      if (this.#engine === null) throw new EngineUnavailableError('the database is away');
      return await call(this.#engine);
    } catch (error) {
      throw asEngineProblem(error);
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#connecting;
    await this.#engine?.close();
  }

  async #connect(): Promise<void> {
    const onError = logEngineErrors(this.#log);
    while (!this.#closing.signal.aborted) {
      try {
        this.#engine = await openOrRefuse(this.#config, onError);
        return;
      } catch (error) {
        if (error instanceof EnvironmentError) exitAtStart('coordinator', error.message);
        if (!(error instanceof EngineUnavailableError)) throw error;
        onError(error);
        await delay(CONNECT_MS, this.#closing.signal);
      }
    }
  }
}
