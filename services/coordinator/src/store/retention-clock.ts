/**
 * Clock for the age of stored frames. It follows the system clock from where the last process left
 * it, but runs at most {@link CATCH_UP} times as fast as real time. A start with a clock that is a
 * month ahead therefore deletes nothing at once: frames are deleted gradually, oldest first, and
 * the log reports it. A service that was off for a month deletes expired frames within a day and a
 * half.
 */
import type { Logger } from 'pino';
import type { Database } from './database.ts';

/** Maximum speed relative to real time. A lag of a day takes an hour. */
const CATCH_UP = 24;
/** Lag that is logged: longer than nearly every downtime. */
const REPORTED_LAG_MS = 24 * 3_600_000;
/** Change after which the journal receives the new time. */
const STORE_EVERY_MS = 60_000;
const HOUR_MS = 3_600_000;

/** Clocks and services of a {@link RetentionClock}. */
export interface RetentionClockOptions {
  readonly database: Database;
  readonly log: Pick<Logger, 'warn' | 'info'>;
  /** Returns the system time in milliseconds since 1970. */
  readonly readSystemMs: () => number;
  /** Returns the monotonic time of this process in milliseconds. */
  readonly readUptimeMs: () => number;
}

/** Clock that approaches the system clock at a limited speed. */
export class RetentionClock {
  readonly #options: RetentionClockOptions;
  #ms: number;
  #storedMs: number;
  #readAtMs: number;
  #isLagReported = false;

  constructor(options: RetentionClockOptions) {
    const { database, readSystemMs, readUptimeMs } = options;
    this.#options = options;
    this.#storedMs = Number(database.first('SELECT retention_ms FROM service')?.retention_ms);
    // A new journal contains nothing that could be expired.
    this.#ms = this.#storedMs === 0 ? readSystemMs() : this.#storedMs;
    this.#readAtMs = readUptimeMs();
  }

  /**
   * Returns the time in milliseconds since 1970, which is never later than the system clock.
   *
   * @throws {RenderError} STORAGE_FULL.
   */
  readMs(): number {
    const { database, readSystemMs, readUptimeMs } = this.#options;
    const systemMs = readSystemMs();
    const uptimeMs = readUptimeMs();
    const passedMs = uptimeMs - this.#readAtMs;
    this.#readAtMs = uptimeMs;
    const lagMs = systemMs - this.#ms;
    if (lagMs > 0) this.#ms += Math.min(lagMs, passedMs * CATCH_UP);
    this.#reportLag(systemMs - this.#ms);
    if (this.#ms - this.#storedMs > STORE_EVERY_MS) {
      database.run('UPDATE service SET retention_ms = ?', Math.floor(this.#ms));
      this.#storedMs = this.#ms;
    }
    return Math.min(this.#ms, systemMs);
  }

  #reportLag(lagMs: number): void {
    const { log } = this.#options;
    if (lagMs > REPORTED_LAG_MS === this.#isLagReported) return;
    this.#isLagReported = !this.#isLagReported;
    if (this.#isLagReported) {
      log.warn(
        { lagHours: Math.round(lagMs / HOUR_MS), caughtUpInHours: lagMs / HOUR_MS / CATCH_UP },
        'the system clock is far ahead of the last run of the service; correct it if it is wrong, because expired frames are deleted gradually',
      );
    } else log.info('the age of frames matches the system clock again');
  }
}
