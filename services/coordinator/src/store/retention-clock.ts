/**
 * Clock by which the age of stored frames is counted. It follows the system clock, but forwards at most
 * {@link CATCH_UP} times as fast as time passes in this process, from where the last process left it. So one start with
 * a clock that is a month ahead deletes nothing at once: frames leave little by little, the oldest first, and the log
 * says so. A service that was off for a month deletes what is too old within a day and a half.
 */
import type { Logger } from 'pino';
import type { Database } from './database.ts';

/** A lag of a day is caught up in an hour. */
const CATCH_UP = 24;
/** Lag that the log reports: longer than nearly every downtime. */
const REPORTED_LAG_MS = 24 * 3_600_000;
/** Change after which the journal gets the new time. */
const STORE_EVERY_MS = 60_000;
const HOUR_MS = 3_600_000;

export interface RetentionClockOptions {
  readonly database: Database;
  readonly log: Pick<Logger, 'warn' | 'info'>;
  /** Milliseconds since 1970, as the system has them. */
  readonly readSystemMs: () => number;
  /** Milliseconds that pass in this process, whatever the system clock does. */
  readonly readUptimeMs: () => number;
}

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
    // A new journal has nothing that could be too old.
    this.#ms = this.#storedMs === 0 ? readSystemMs() : this.#storedMs;
    this.#readAtMs = readUptimeMs();
  }

  /** Returns milliseconds since 1970. Never later than the system clock. @throws {RenderError} STORAGE_FULL. */
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
        'the system clock is far ahead of the time at which the service last ran; if it is wrong, set it right: frames that are too old by it are deleted little by little',
      );
    } else log.info('frames are deleted by the system clock again');
  }
}
