import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  closeTestStore,
  openTestStore,
  removeTestStores,
  type TestStore,
} from '../testing/temporary-data-folder.ts';
import { RetentionClock } from './retention-clock.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const START_MS = Date.UTC(2026, 0, 1);

describe('RetentionClock', () => {
  const log = pino({ level: 'silent' });
  let opened: TestStore;
  let systemMs: number;
  let uptimeMs: number;
  let clock: RetentionClock;

  function start(): void {
    uptimeMs = 0;
    const { database } = opened;
    clock = new RetentionClock({
      database,
      log,
      readSystemMs: () => systemMs,
      readUptimeMs: () => uptimeMs,
    });
  }

  function restart(): void {
    closeTestStore(opened);
    opened = openTestStore({}, opened.path);
    start();
  }

  /** Advances the time and reads the clock every ten minutes. */
  function pass(ms: number): void {
    for (let left = ms; left > 0; left -= 600_000) {
      systemMs += Math.min(left, 600_000);
      uptimeMs += Math.min(left, 600_000);
      clock.readMs();
    }
  }

  beforeEach(() => {
    opened = openTestStore();
    systemMs = START_MS;
    start();
    clock.readMs();
  });
  afterEach(() => {
    removeTestStores();
    vi.restoreAllMocks();
  });

  it('equals the system clock while that advances with real time', () => {
    pass(10 * DAY_MS);
    expect(clock.readMs()).toBe(systemMs);
  });

  it('does not jump at one start with a clock that is a month ahead', () => {
    pass(HOUR_MS);
    const rightMs = systemMs;
    const warn = vi.spyOn(log, 'warn');
    systemMs += 31 * DAY_MS;
    restart();
    pass(60_000);
    expect(clock.readMs() - rightMs).toBeLessThan(HOUR_MS);
    expect(warn).toHaveBeenCalledOnce();
    // After the correction it continues as before.
    systemMs = rightMs + HOUR_MS;
    restart();
    pass(HOUR_MS);
    expect(clock.readMs()).toBe(systemMs);
  });

  it('does not jump when the clock of a running service jumps ahead', () => {
    systemMs += 31 * DAY_MS;
    pass(HOUR_MS);
    expect(clock.readMs() - START_MS).toBe(24 * HOUR_MS);
  });

  it('catches up with a month without service in about a day and a half', () => {
    pass(HOUR_MS);
    systemMs += 31 * DAY_MS;
    restart();
    pass(31 * HOUR_MS);
    expect(clock.readMs()).toBeLessThan(systemMs);
    pass(2 * HOUR_MS);
    expect(clock.readMs()).toBe(systemMs);
  });

  it('deletes nothing early while the clock is behind, as before the first contact with a time server', () => {
    pass(10 * DAY_MS);
    const rightMs = systemMs;
    systemMs = 0;
    restart();
    expect(clock.readMs()).toBe(0);
    systemMs = rightMs + HOUR_MS;
    expect(clock.readMs()).toBeLessThanOrEqual(systemMs);
    expect(clock.readMs()).toBeGreaterThanOrEqual(rightMs - 60_000);
  });
});
