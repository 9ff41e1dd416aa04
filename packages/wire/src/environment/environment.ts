/**
 * Environment variables of a service, described by a table and read once at startup. An invalid
 * value stops the service before it does anything.
 */

import type { ErrorCode } from '@tessera/frame';

/** Kind, range, default and meaning of a variable. docs/configuration.md lists the same. */
export type VariableInfo =
  | {
      readonly kind: 'integer';
      readonly default: number;
      readonly min: number;
      readonly max: number;
      readonly meaning: string;
      /**
       * Error that a client receives when it exceeds the limit that the variable sets.
       * docs/limits.md lists these.
       */
      readonly refusal?: ErrorCode | 'connection closed';
    }
  | { readonly kind: 'boolean'; readonly default: boolean; readonly meaning: string }
  | {
      readonly kind: 'choice';
      readonly default: string;
      readonly allowed: readonly string[];
      readonly meaning: string;
    }
  /** A URL with one of `schemes`, or nothing if the default is empty. */
  | {
      readonly kind: 'url';
      readonly default: string;
      readonly schemes: readonly string[];
      readonly meaning: string;
    }
  | { readonly kind: 'text'; readonly default: string; readonly meaning: string };

/** Variables by name. */
export type EnvironmentTable = Readonly<Record<string, VariableInfo>>;

interface ValueOfKind {
  integer: number;
  boolean: boolean;
  choice: string;
  url: string;
  text: string;
}

/** Values of a table's variables. */
export type EnvironmentValues<Table extends EnvironmentTable> = {
  readonly [Name in keyof Table]: ValueOfKind[Table[Name]['kind']];
};

/** Error for invalid variables; its message has a line for each. */
export class EnvironmentError extends Error {
  override readonly name = 'EnvironmentError';
}

/** Definition of `TESSERA_LOG_LEVEL`, shared by every service. */
export const LOG_LEVEL_VARIABLE = {
  kind: 'choice',
  default: 'info',
  allowed: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
  meaning: 'minimum severity of log lines',
} as const;

/** Definition of `TESSERA_COORDINATOR_URL`, shared by every service that hosts a chiplet. */
export const COORDINATOR_URL_VARIABLE = {
  kind: 'url',
  default: 'ws://127.0.0.1:8080/chiplets',
  schemes: ['ws:', 'wss:'],
  meaning: 'address at which the chiplet registers',
} as const;

/**
 * Definition of `TESSERA_RENDER_NICENESS`, shared by every service that hosts a chiplet. Lowers the
 * priority of the rendering thread below all threads that answer requests, and below other
 * programs. With 5 it gets a third of their share of a busy core, with 10 a tenth.
 */
export const RENDER_NICENESS_VARIABLE = {
  kind: 'integer',
  default: 5,
  min: 0,
  max: 19,
  meaning:
    'niceness of the rendering thread, so that sockets are served first; 0 gives it normal priority',
} as const;

/** Definition of `TESSERA_RESOURCE_CACHE_BYTES`, shared by every service that hosts a chiplet. */
export const RESOURCE_CACHE_VARIABLE = {
  kind: 'integer',
  default: 2 ** 30,
  min: 0,
  max: 2 ** 40,
  meaning: 'bytes of buffers, textures and programs that are cached between frames',
} as const;

/** Definition of `TESSERA_HEARTBEAT_MS`, shared by every service. */
export const HEARTBEAT_VARIABLE = {
  kind: 'integer',
  default: 1000,
  min: 10,
  max: 600_000,
  meaning: 'interval between pings on a link; both ends ping',
} as const;

/** Definition of `TESSERA_SILENT_MS`, shared by every service that hosts a chiplet. */
export const CHIPLET_SILENT_VARIABLE = {
  kind: 'integer',
  default: 10_000,
  min: 20,
  max: 3_600_000,
  meaning: 'time without incoming bytes after which a link is closed and reopened',
} as const;

/** Definition of `TESSERA_WATCHDOG_MS`, shared by every service. */
export const WATCHDOG_VARIABLE = {
  kind: 'integer',
  default: 60_000,
  min: 0,
  max: 3_600_000,
  meaning:
    'maximum stall of the event loop before the process ends itself (SIGALRM, exit status 142) in order to be restarted; 0 disables the watchdog',
} as const;

/** Definition of `TESSERA_CHIPLET_SECRET`, shared by every service. */
export const CHIPLET_SECRET_VARIABLE = {
  kind: 'text',
  default: '',
  meaning: 'secret shared by chiplets and coordinator; the same in all processes of a service',
} as const;

/** Definition of `TESSERA_CHIPLET_SECRET_FILE`, shared by every service that hosts a chiplet. */
export const CHIPLET_SECRET_FILE_VARIABLE = {
  kind: 'text',
  default: '',
  meaning: 'file with the secret, used if TESSERA_CHIPLET_SECRET is not set',
} as const;

/** Definition of `TESSERA_INSECURE_CHIPLETS`, shared by every service that chiplets connect to. */
export const INSECURE_CHIPLETS_VARIABLE = {
  kind: 'boolean',
  default: false,
  meaning: 'allows chiplets on other machines to connect without a secret',
} as const;

/** Definition of `TESSERA_TLS_CERT`, shared by every service that listens. */
export const TLS_CERT_VARIABLE = {
  kind: 'text',
  default: '',
  meaning: 'file with the certificate and its chain (PEM); enables TLS on the port',
} as const;

/** Definition of `TESSERA_TLS_KEY`, shared by every service that listens. */
export const TLS_KEY_VARIABLE = {
  kind: 'text',
  default: '',
  meaning: 'file with the private key of the certificate (PEM)',
} as const;

/** Definition of `TESSERA_TLS_CA`, shared by every service that connects. */
export const TLS_CA_VARIABLE = {
  kind: 'text',
  default: '',
  meaning: 'file with certificates (PEM) to trust for wss: addresses, in addition to those of Node',
} as const;

/**
 * Reads the variables of a table.
 *
 * @param variables Usually `process.env`. An empty value counts as missing.
 * @throws {EnvironmentError} If a value is invalid.
 */
export function readEnvironment<Table extends EnvironmentTable>(
  table: Table,
  variables: Readonly<Record<string, string | undefined>>,
): EnvironmentValues<Table> {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, info] of Object.entries(table)) {
    const text = variables[name];
    if (text === undefined || text === '') values[name] = info.default;
    else values[name] = readValue(name, info, text, problems);
  }
  if (problems.length > 0) throw new EnvironmentError(problems.join('\n'));
  return values as EnvironmentValues<Table>; // each value was read according to its entry
}

function readValue(
  name: string,
  info: VariableInfo,
  text: string,
  problems: string[],
): number | boolean | string {
  switch (info.kind) {
    case 'integer': {
      const value = Number(text);
      if (!/^-?\d+$/.test(text) || value < info.min || value > info.max) {
        problems.push(`${name}: '${text}' is not an integer from ${info.min} to ${info.max}`);
      }
      return value;
    }
    case 'boolean':
      if (text !== 'true' && text !== 'false')
        problems.push(`${name}: '${text}' is not true or false`);
      return text === 'true';
    case 'choice':
      if (!info.allowed.includes(text)) {
        problems.push(`${name}: '${text}' is not one of ${info.allowed.join(', ')}`);
      }
      return text;
    case 'url':
      if (!URL.canParse(text) || !info.schemes.includes(new URL(text).protocol)) {
        problems.push(
          `${name}: '${text}' is not an address that starts with ${info.schemes.join(' or ')}`,
        );
      }
      return text;
    case 'text':
      return text;
  }
}
