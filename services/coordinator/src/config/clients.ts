/** Clients of the service that have tokens: their names, weights and quotas. */
import { createHmac } from 'node:crypto';
import type { TenantEntry } from './tenant-file.ts';

/** Client of work that no client posted, such as repairs. */
export const NO_CLIENT = '';
/** Beginning of the names of clients without tokens, which their addresses follow. */
export const ADDRESS_PREFIX = 'address ';

/** Quotas of a client; null for none. */
export interface Quotas {
  /** Frames that wait in the queue or are about to. */
  readonly places: number | null;
  /** Bytes of stored files and of bodies on their way. */
  readonly bytes: number | null;
  /** Requests in progress, each on a connection of its own, including event streams. */
  readonly connections: number | null;
  /** Seconds of the coordinator's threads in a period. */
  readonly prepareSeconds: number | null;
  /** Seconds of chiplets in a period. */
  readonly chipletSeconds: number | null;
}

/** Name of a quota. */
export type QuotaName = keyof Quotas;

/** Client that the operator gave tokens. */
export interface Client {
  /** Name in the journal, in metrics and in messages, which does not reveal a token. */
  readonly name: string;
  readonly tokens: readonly string[];
  /** Turns relative to other clients, above 0. */
  readonly weight: number;
  readonly quotas: Quotas;
  /** Length of the period of quotas of time. */
  readonly periodSeconds: number;
}

/** Names of all quotas. */
export const QUOTA_NAMES = [
  'places',
  'bytes',
  'connections',
  'prepareSeconds',
  'chipletSeconds',
] as const satisfies readonly QuotaName[];

/** Quotas of a client that has none. */
export const NO_QUOTAS: Quotas = {
  places: null,
  bytes: null,
  connections: null,
  prepareSeconds: null,
  chipletSeconds: null,
};
/** Weight of a client that has none in the file. */
export const DEFAULT_WEIGHT = 1;
const DEFAULT_PERIOD_SECONDS = 3600;
const NAME_DIGITS = 12;

/**
 * Returns the client that bytes and seconds count for: its name, or the empty name for an address.
 */
export function accountOf(client: string): string {
  return client.startsWith(ADDRESS_PREFIX) ? NO_CLIENT : client;
}

/** Returns the client of a tenant of the file. */
export function clientOfTenant(tenant: TenantEntry): Client {
  return {
    name: tenant.name,
    tokens: tenant.tokens,
    weight: tenant.weight ?? DEFAULT_WEIGHT,
    quotas: {
      places: tenant.maxPlaces ?? null,
      bytes: tenant.maxBytes ?? null,
      connections: tenant.maxConnections ?? null,
      prepareSeconds: tenant.maxPrepareSeconds ?? null,
      chipletSeconds: tenant.maxChipletSeconds ?? null,
    },
    periodSeconds: tenant.periodSeconds ?? DEFAULT_PERIOD_SECONDS,
  };
}

/**
 * Returns the client of a token without a name. The name is a keyed hash of the token, such as
 * `token 5f2b90c1d3ae`, so it stays when other tokens come or go.
 */
export function clientOfToken(token: string): Client {
  const hash = createHmac('sha256', token).update('name of the client').digest('hex');
  return {
    name: `token ${hash.slice(0, NAME_DIGITS)}`,
    tokens: [token],
    weight: DEFAULT_WEIGHT,
    quotas: NO_QUOTAS,
    periodSeconds: DEFAULT_PERIOD_SECONDS,
  };
}
