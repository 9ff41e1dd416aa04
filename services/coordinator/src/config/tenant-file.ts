/** Reads the file of tenants: the names of clients, their tokens, weights and quotas. */
import { checkSecret, readTextFile } from '@tessera/wire';
import { EnvironmentError } from '@tessera/wire/environment';
import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';

const VARIABLE = 'TESSERA_TENANTS_FILE';
/** Upper bound on the tenants of a file. */
const MAX_TENANTS = 1000;
/** Longest period of quotas of time: 31 days. */
export const MAX_PERIOD_SECONDS = 31 * 86_400;
/** Upper bound on counts and bytes. */
const most = Number.MAX_SAFE_INTEGER;

const TENANT_SCHEMA = Type.Object(
  {
    name: Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,39}$' }),
    tokens: Type.Array(Type.String(), { minItems: 1 }),
    /** Turns and share of cells relative to other tenants with waiting work. */
    weight: Type.Optional(Type.Number({ minimum: 0.001, maximum: 1000 })),
    /** Open units of a cluster. */
    maxQueuedUnits: Type.Optional(Type.Integer({ minimum: 1, maximum: most })),
    /** Bytes of stored files. */
    maxBytes: Type.Optional(Type.Integer({ minimum: 1, maximum: most })),
    /** Frames that wait in the queue of a service. */
    maxPlaces: Type.Optional(Type.Integer({ minimum: 1, maximum: most })),
    /** Connections with a request in progress, including event streams. */
    maxConnections: Type.Optional(Type.Integer({ minimum: 1, maximum: most })),
    /** Seconds of preparation in a period. */
    maxPrepareSeconds: Type.Optional(Type.Number({ minimum: 0.001, maximum: most })),
    /** Seconds of chiplets in a period. */
    maxChipletSeconds: Type.Optional(Type.Number({ minimum: 0.001, maximum: most })),
    /** Length of the period. */
    periodSeconds: Type.Optional(Type.Integer({ minimum: 60, maximum: MAX_PERIOD_SECONDS })),
  },
  { additionalProperties: false },
);
const FILE_SCHEMA = Type.Array(TENANT_SCHEMA, { minItems: 1, maxItems: MAX_TENANTS });

/** Tenant as its file has it. */
export type TenantEntry = Static<typeof TENANT_SCHEMA>;

/**
 * Reads the tenants of a file.
 *
 * @throws {EnvironmentError} If the file is not valid. The message names the place.
 */
export function readTenantFile(path: string): readonly TenantEntry[] {
  const refuse = (why: string) => new EnvironmentError(`${VARIABLE}: ${path}: ${why}`);
  let list: unknown;
  try {
    list = JSON.parse(readTextFile(VARIABLE, path));
  } catch (error) {
    if (error instanceof EnvironmentError) throw error;
    throw refuse(`not JSON: ${(error as Error).message}`);
  }
  if (!Value.Check(FILE_SCHEMA, list)) throw refuse(describeFault(list));
  const names = new Set<string>();
  const placeByToken = new Map<string, string>();
  for (const [index, { name, tokens }] of list.entries()) {
    if (names.has(name)) throw refuse(`/${index}/name: the tenant ${name} appears twice`);
    names.add(name);
    for (const [position, token] of tokens.entries()) {
      const place = `/${index}/tokens/${position}`;
      checkSecret(`${VARIABLE}: ${path}: ${place}`, token);
      const other = placeByToken.get(token);
      if (other !== undefined) throw refuse(`${place}: the same token as ${other}`);
      placeByToken.set(token, place);
    }
  }
  return list;
}

/** Returns the first fault of a list with its place. */
function describeFault(list: unknown): string {
  const [first] = Value.Errors(FILE_SCHEMA, list);
  const place = first?.instancePath || '/';
  const [, index, field] = place.split('/');
  const isField = field !== undefined && field in TENANT_SCHEMA.properties;
  if (index !== undefined && field !== undefined && !isField) {
    return `${place}: unknown field; a tenant has ${Object.keys(TENANT_SCHEMA.properties).join(', ')}`;
  }
  return `${place}: ${first?.message}`;
}
