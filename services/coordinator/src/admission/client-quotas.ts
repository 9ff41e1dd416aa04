/**
 * Weights and quotas of the clients of a service: what each may use, what it uses, and refusals.
 * docs/how-to/give-tokens-quotas.md describes them. Clients without tokens have no quotas.
 */
import type { Client, QuotaName, Quotas } from '../config/clients.ts';
import { accountOf, DEFAULT_WEIGHT, NO_QUOTAS, QUOTA_NAMES } from '../config/clients.ts';
import type { StoredBlob } from '../store/blob-store.ts';
import { CLIENT_BYTES } from '../store/client-tables.ts';
import type { Database } from '../store/database.ts';
import { QuotaError } from './quota-error.ts';
import { TIME_KINDS, type TimeKind, TimeUse } from './time-use.ts';

/** Time after which a place or connection may be free again. */
const SOON_SECONDS = 1;

/** Use of one quota. */
export interface QuotaStatus {
  readonly name: QuotaName;
  /** Upper bound; null for none. */
  readonly limit: number | null;
  readonly used: number;
}

/** Weights and quotas of all clients. */
export class ClientQuotas {
  readonly clients: readonly Client[];
  readonly #database: Database;
  readonly #clientByName: ReadonlyMap<string, Client>;
  readonly #time: TimeUse;
  /** Bytes of bodies on their way, by client. */
  readonly #arrivingBytes = new Map<string, number>();
  #placesOf: (client: string) => number = () => 0;
  #connectionsOf: (client: string) => number = () => 0;
  #charge: () => void = () => {};

  /** @param readMs Returns the system time in milliseconds since 1970. */
  constructor(database: Database, clients: readonly Client[], readMs: () => number = Date.now) {
    this.#database = database;
    this.clients = clients;
    this.#clientByName = new Map(clients.map((client) => [client.name, client]));
    this.#time = new TimeUse(database, clients, readMs);
  }

  /**
   * Sets what is counted elsewhere.
   *
   * @param uses.placesOf Returns the places of a client in the queue.
   * @param uses.connectionsOf Returns its requests in progress.
   * @param uses.charge Reports the seconds of work in progress with {@link addSeconds}.
   */
  watch(uses: {
    readonly placesOf?: (client: string) => number;
    readonly connectionsOf?: (client: string) => number;
    readonly charge?: () => void;
  }): void {
    this.#placesOf = uses.placesOf ?? this.#placesOf;
    this.#connectionsOf = uses.connectionsOf ?? this.#connectionsOf;
    this.#charge = uses.charge ?? this.#charge;
  }

  /** Returns the weight of a client for its turns. */
  weightOf(client: string): number {
    return this.#clientByName.get(client)?.weight ?? DEFAULT_WEIGHT;
  }

  quotasOf(client: string): Quotas {
    return this.#clientByName.get(client)?.quotas ?? NO_QUOTAS;
  }

  /** Ignores further seconds, because the journal is about to be closed. */
  close(): void {
    this.#time.close();
  }

  /** Adds seconds that work took for a client, whatever its outcome. */
  addSeconds(client: string, kind: TimeKind, seconds: number): void {
    this.#time.add(client, kind, seconds);
  }

  /**
   * Refuses another frame.
   *
   * @param taken Places that the client has.
   * @throws {QuotaError}
   */
  refusePlace(client: string, taken: number): void {
    const { places } = this.quotasOf(client);
    if (places === null || taken < places) return;
    const use = { name: 'places', limit: places, used: taken } as const;
    throw new QuotaError(use, 'frames of this client are waiting', SOON_SECONDS);
  }

  /**
   * Refuses more bytes.
   *
   * @param bytes Bytes to come; 0 to refuse only a client whose quota is used up.
   * @throws {QuotaError}
   */
  refuseBytes(client: string, bytes: number): void {
    const { bytes: limit } = this.quotasOf(client);
    if (limit === null) return;
    const used = this.#bytesOf(client);
    if (bytes === 0 ? used < limit : used + bytes <= limit) return;
    const more = bytes === 0 ? '' : ` and ${bytes} more would be stored`;
    const detail = `bytes of this client are stored${more}; delete frames or studies`;
    throw new QuotaError({ name: 'bytes', limit, used }, detail, null);
  }

  /**
   * Refuses files, of which those that the client has already count no second time.
   *
   * @throws {QuotaError}
   */
  refuseFiles(client: string, files: readonly StoredBlob[]): void {
    if (this.quotasOf(client).bytes === null) return;
    const known = new Set(
      this.#database
        .all(
          `SELECT sha256 FROM client_files
             WHERE client = ? AND sha256 IN (SELECT value FROM json_each(?))`,
          client,
          JSON.stringify(files.map(({ sha256 }) => sha256)),
        )
        .map(({ sha256 }) => String(sha256)),
    );
    let bytes = 0;
    for (const file of files) {
      if (!known.has(file.sha256)) bytes += file.bytes;
      known.add(file.sha256);
    }
    if (bytes > 0) this.refuseBytes(client, bytes);
  }

  /**
   * Refuses work that takes time.
   *
   * @throws {QuotaError} If the seconds of a kind are used up.
   */
  refuseSeconds(client: string, kinds: readonly TimeKind[] = TIME_KINDS): void {
    for (const kind of kinds) {
      const limit = this.quotasOf(client)[kind];
      if (limit === null) continue;
      this.#charge();
      const used = this.#time.used(client, kind);
      if (used < limit) continue;
      const { periodSeconds } = this.#clientByName.get(client)!;
      throw new QuotaError(
        { name: kind, limit, used },
        `seconds of the last ${periodSeconds} were used by this client`,
        this.#time.secondsUntilBelow(client, kind, limit),
      );
    }
  }

  /** Refuses a new frame whose client has used up its bytes or seconds. @throws {QuotaError} */
  refuseFrame(client: string): void {
    this.refuseSeconds(client);
    this.refuseBytes(client, 0);
  }

  /**
   * Counts the bytes of a body while it arrives.
   *
   * @returns Functions that add bytes, which throw {@link QuotaError}, and that forget the body.
   */
  beginBody(client: string): { readonly add: (bytes: number) => void; readonly end: () => void } {
    const account = accountOf(client);
    let arrived = 0;
    const note = (bytes: number) => {
      arrived += bytes;
      const all = (this.#arrivingBytes.get(account) ?? 0) + bytes;
      if (all > 0) this.#arrivingBytes.set(account, all);
      else this.#arrivingBytes.delete(account);
    };
    return {
      add: (bytes) => {
        this.refuseBytes(client, bytes);
        note(bytes);
      },
      end: () => note(-arrived),
    };
  }

  /** Returns the use of all quotas of a client. */
  statusOf(client: string): readonly QuotaStatus[] {
    this.#charge();
    const limits = this.quotasOf(client);
    const used: Readonly<Record<QuotaName, number>> = {
      places: this.#placesOf(client),
      bytes: this.#bytesOf(client),
      connections: this.#connectionsOf(client),
      prepareSeconds: this.#time.used(client, 'prepareSeconds'),
      chipletSeconds: this.#time.used(client, 'chipletSeconds'),
    };
    return QUOTA_NAMES.map((name) => ({
      name,
      limit: limits[name],
      used: used[name],
    }));
  }

  /** Returns the length of the period of a client's quotas of time; null without tokens. */
  periodSecondsOf(client: string): number | null {
    return this.#clientByName.get(client)?.periodSeconds ?? null;
  }

  #bytesOf(client: string): number {
    const account = accountOf(client);
    if (account === '') return 0;
    const stored = Number(this.#database.first(CLIENT_BYTES, account)?.bytes ?? 0);
    return stored + (this.#arrivingBytes.get(account) ?? 0);
  }
}
