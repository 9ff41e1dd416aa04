/** Tenants of a gateway: their tokens, shares and quotas. */
import type { Tenant } from '@tessera/engine';
import { bearerOf, checkSecret, isSameSecret, readTextFile } from '@tessera/wire';
import { EnvironmentError } from '@tessera/wire/environment';
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { Value } from 'typebox/value';
import { hasSession } from '../http/access/session.ts';

/** Tenant with the limit of its files. */
export interface GatewayTenant extends Tenant {
  readonly tokens: readonly string[];
  /** Upper bound on the bytes of the tenant's blobs. */
  readonly maxBytes: number;
}

/** Name of the tenant of all clients if there is no file. */
const DEFAULT_TENANT = 'default';
const DEFAULTS = { weight: 1, maxQueuedUnits: 1_000_000, maxBytes: 2 ** 40 };

const FILE_SCHEMA = Type.Array(
  Type.Object(
    {
      name: Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,39}$' }),
      tokens: Type.Array(Type.String(), { minItems: 1 }),
      weight: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1000 })),
      maxQueuedUnits: Type.Optional(Type.Integer({ minimum: 1 })),
      maxBytes: Type.Optional(Type.Integer({ minimum: 1 })),
    },
    { additionalProperties: false },
  ),
  { minItems: 1 },
);

/**
 * Reads the tenants of a file.
 *
 * @param path Path of the file; empty for one tenant with the tokens `tokens`.
 * @throws {EnvironmentError} If the file is not valid. The message names the place.
 */
export function readTenants(path: string, tokens: readonly string[]): GatewayTenant[] {
  if (path === '') return [{ name: DEFAULT_TENANT, tokens, ...DEFAULTS }];
  const refuse = (why: string) => new EnvironmentError(`TESSERA_TENANTS_FILE: ${why}`);
  let list: unknown;
  try {
    list = JSON.parse(readTextFile('TESSERA_TENANTS_FILE', path));
  } catch (error) {
    if (error instanceof EnvironmentError) throw error;
    throw refuse(`${path} is not JSON: ${(error as Error).message}`);
  }
  if (!Value.Check(FILE_SCHEMA, list)) {
    const [first] = Value.Errors(FILE_SCHEMA, list);
    throw refuse(`${first?.instancePath || '/'} ${first?.message}`);
  }
  const names = list.map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw refuse(`the tenant ${twice} appears twice`);
  return list.map((tenant) => ({
    ...DEFAULTS,
    ...tenant,
    tokens: tenant.tokens.map((token) => checkSecret('TESSERA_TENANTS_FILE', token)),
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
