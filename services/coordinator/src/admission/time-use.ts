/**
 * Seconds that clients used in a sliding window, in the journal. A window is divided into slots.
 * The use is the sum of all slots that overlap the window, so it is never less than the true sum of
 * the window, and at most one slot more. A restart or the deletion of frames changes nothing.
 *
 * Time is that of the system clock. If the clock is set back, slots of the future still count.
 */
import { RenderError } from '@tessera/frame';
import { MAX_PERIOD_SECONDS } from '../config/tenant-file.ts';
import type { Database } from '../store/database.ts';

/** Kinds of seconds. */
export const TIME_KINDS = ['prepareSeconds', 'chipletSeconds'] as const;
/** Kind of seconds. */
export type TimeKind = (typeof TIME_KINDS)[number];

/** Slots of a window. */
export const SLOTS = 60;

/** Age of the oldest slot that a window can contain, with a margin. */
const LONGEST_MS = 2 * MAX_PERIOD_SECONDS * 1000;

/** Client whose seconds are counted, with the length of its window. */
export interface TimedClient {
  readonly name: string;
  readonly periodSeconds: number;
}

/** Seconds by start of their slot, in milliseconds since 1970. */
type Slots = Map<number, number>;

/** Seconds of clients. */
export class TimeUse {
  readonly #database: Database;
  readonly #readMs: () => number;
  readonly #periodMsByClient = new Map<string, number>();
  /** Slots by client and kind. */
  readonly #slotsByKey = new Map<string, Slots>();
  /** Slots whose last change is not in the journal because the disk was full. */
  readonly #unwritten = new Set<() => void>();
  #isClosed = false;

  /**
   * Reads the use of the clients from the journal. Deletes what no window of any client can
   * contain.
   *
   * @param readMs Returns the system time in milliseconds since 1970.
   */
  constructor(database: Database, clients: readonly TimedClient[], readMs: () => number) {
    this.#database = database;
    this.#readMs = readMs;
    for (const { name, periodSeconds } of clients) {
      this.#periodMsByClient.set(name, periodSeconds * 1000);
      for (const kind of TIME_KINDS) this.#slotsByKey.set(keyOf(name, kind), new Map());
    }
    const oldestMs = readMs() - LONGEST_MS;
    this.#unwritten.add(() =>
      database.run('DELETE FROM client_seconds WHERE start_ms < ?', oldestMs),
    );
    this.#write();
    for (const row of database.all('SELECT client, kind, start_ms, seconds FROM client_seconds')) {
      const slots = this.#slotsByKey.get(keyOf(String(row.client), row.kind as TimeKind));
      slots?.set(Number(row.start_ms), Number(row.seconds));
    }
  }

  /** Adds seconds to the use of a client. Does nothing for clients without tokens. */
  add(client: string, kind: TimeKind, seconds: number): void {
    const slots = this.#slotsByKey.get(keyOf(client, kind));
    if (slots === undefined || !(seconds > 0) || this.#isClosed) return;
    const slotMs = this.#slotMs(client);
    const startMs = Math.floor(this.#readMs() / slotMs) * slotMs;
    slots.set(startMs, (slots.get(startMs) ?? 0) + seconds);
    const write = () => {
      this.#database.run(
        'INSERT OR REPLACE INTO client_seconds VALUES (?, ?, ?, ?)',
        client,
        kind,
        startMs,
        slots.get(startMs) ?? 0,
      );
    };
    this.#unwritten.add(write);
    this.#write();
  }

  /** Ignores further seconds, because the journal is about to be closed. */
  close(): void {
    this.#isClosed = true;
  }

  /** Returns the seconds of a client in the window that ends now; 0 for clients without tokens. */
  used(client: string, kind: TimeKind): number {
    const slots = this.#current(client, kind);
    let seconds = 0;
    for (const value of slots.values()) seconds += value;
    return seconds;
  }

  /**
   * Returns the time until the use is less than a limit, if nothing is added: whole seconds, at
   * least 1.
   */
  secondsUntilBelow(client: string, kind: TimeKind, limit: number): number {
    const slots = this.#current(client, kind);
    let used = this.used(client, kind);
    const nowMs = this.#readMs();
    let untilMs = nowMs;
    for (const startMs of [...slots.keys()].sort((a, b) => a - b)) {
      if (used < limit) break;
      used -= slots.get(startMs)!;
      untilMs = startMs + this.#slotMs(client) + this.#periodMs(client);
    }
    return Math.max(1, Math.ceil((untilMs - nowMs) / 1000));
  }

  /** Returns the slots that overlap the window, after forgetting older ones. */
  #current(client: string, kind: TimeKind): Slots {
    const slots = this.#slotsByKey.get(keyOf(client, kind));
    if (slots === undefined) return new Map();
    const endMs = this.#readMs() - this.#periodMs(client) - this.#slotMs(client);
    const old = [...slots.keys()].filter((startMs) => startMs <= endMs);
    for (const startMs of old) {
      slots.delete(startMs);
      this.#unwritten.add(() => {
        this.#database.run(
          'DELETE FROM client_seconds WHERE client = ? AND kind = ? AND start_ms = ?',
          client,
          kind,
          startMs,
        );
      });
    }
    if (old.length > 0) this.#write();
    return slots;
  }

  /** Writes changes to the journal. On a full disk they stay in memory until the next change. */
  #write(): void {
    for (const write of this.#unwritten) {
      try {
        write();
      } catch (error) {
        if (error instanceof RenderError && error.code === 'STORAGE_FULL') return;
        throw error;
      }
      this.#unwritten.delete(write);
    }
  }

  #periodMs(client: string): number {
    return this.#periodMsByClient.get(client)!;
  }

  #slotMs(client: string): number {
    return this.#periodMs(client) / SLOTS;
  }
}

function keyOf(client: string, kind: TimeKind): string {
  return `${kind} ${client}`;
}
