/** Tenants of a gateway: their tokens, shares and quotas. */
import type { Tenant } from '@tessera/engine';
import { bearerOf, isSameSecret } from '@tessera/wire';
import type { FastifyRequest } from 'fastify';
import { DEFAULT_WEIGHT } from '../config/clients.ts';
import { readTenantFile } from '../config/tenant-file.ts';
import { hasSession } from '../http/access/session.ts';

/** Tenant with the limit of its files. */
export interface GatewayTenant extends Tenant {
  readonly tokens: readonly string[];
  /** Upper bound on the bytes of the tenant's blobs. */
  readonly maxBytes: number;
}

/** Name of the tenant of all clients if there is no file. */
const DEFAULT_TENANT = 'default';
const DEFAULTS = { weight: DEFAULT_WEIGHT, maxQueuedUnits: 1_000_000, maxBytes: 2 ** 40 };

/**
 * Reads the tenants of a file.
 *
 * @param path Path of the file; empty for one tenant with the tokens `tokens`.
 * @throws {EnvironmentError} If the file is not valid. The message names the place.
 */
export function readTenants(path: string, tokens: readonly string[]): GatewayTenant[] {
  if (path === '') return [{ name: DEFAULT_TENANT, tokens, ...DEFAULTS }];
  return readTenantFile(path).map((entry) => ({
    name: entry.name,
    tokens: entry.tokens,
    weight: entry.weight ?? DEFAULTS.weight,
    maxQueuedUnits: entry.maxQueuedUnits ?? DEFAULTS.maxQueuedUnits,
    maxBytes: entry.maxBytes ?? DEFAULTS.maxBytes,
  }));
}

/** Returns the tenant of a request, which was authenticated before. */
export function tenantOf(
  { headers }: Pick<FastifyRequest, 'headers'>,
  tenants: readonly GatewayTenant[],
): GatewayTenant {
  const given = bearerOf(headers.authorization);
  const nowMs = Date.now();
  const own = tenants.find(({ tokens }) =>
    tokens.some((token) =>
      given === null ? hasSession(headers.cookie, [token], nowMs) : isSameSecret(given, token),
    ),
  );
  // Without tokens there is one tenant.
  return own ?? tenants[0]!;
}
