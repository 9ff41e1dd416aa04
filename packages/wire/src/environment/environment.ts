/**
 * Environment variables of a service: a table of them, read once at the start. A value that breaks its
 * row stops the service before it does anything.
 */

import type { ErrorCode } from '@tessera/frame';

/** A variable: its kind, range, default and meaning. docs/configuration.md lists the same. */
export type VariableInfo =
  | {
      readonly kind: 'integer';
      readonly default: number;
      readonly min: number;
      readonly max: number;
      readonly meaning: string;
      /** For a limit: what one gets who goes beyond. docs/limits.md lists these. */
      readonly refusal?: ErrorCode | 'connection closed';
    }
  | { readonly kind: 'boolean'; readonly default: boolean; readonly meaning: string }
  | {
      readonly kind: 'choice';
      readonly default: string;
      readonly allowed: readonly string[];
      readonly meaning: string;
    }
  /** An address that starts with one of `schemes`, or nothing where the default is empty. */
  | {
      readonly kind: 'url';
      readonly default: string;
      readonly schemes: readonly string[];
      readonly meaning: string;
    }
  | { readonly kind: 'text'; readonly default: string; readonly meaning: string };

export type EnvironmentTable = Readonly<Record<string, VariableInfo>>;

interface ValueOfKind {
  integer: number;
  boolean: boolean;
  choice: string;
  url: string;
  text: string;
}

/** The values of a table's variables. */
export type EnvironmentValues<Table extends EnvironmentTable> = {
  readonly [Name in keyof Table]: ValueOfKind[Table[Name]['kind']];
};

/** Variables break their table; the message has a line for each. */
export class EnvironmentError extends Error {
  override readonly name = 'EnvironmentError';
}

/** `TESSERA_LOG_LEVEL`, the same in every service. */
export const LOG_LEVEL_VARIABLE = {
  kind: 'choice',
  default: 'info',
  allowed: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
  meaning: 'least severity of log lines',
} as const;

/** `TESSERA_COORDINATOR_URL`, the same in every service that hosts a chiplet. */
export const COORDINATOR_URL_VARIABLE = {
  kind: 'url',
  default: 'ws://127.0.0.1:8080/chiplets',
  schemes: ['ws:', 'wss:'],
  meaning: 'where to register',
} as const;

/** `TESSERA_RESOURCE_CACHE_BYTES`, the same in every service that hosts a chiplet. */
/**
 * How far the thread that renders stands back behind all that answers: sockets, HTTP. Behind other programs of the machine, too:
 * 5 is a third of their share of a busy core, 10 a tenth.
 */
export const RENDER_NICENESS_VARIABLE = {
  kind: 'integer',
  default: 5,
  min: 0,
  max: 19,
  meaning:
    'niceness of the thread that renders, so that sockets are served first; 0 is as all others',
} as const;

export const RESOURCE_CACHE_VARIABLE = {
  kind: 'integer',
  default: 2 ** 30,
  min: 0,
  max: 2 ** 40,
  meaning: 'bytes of buffers, textures and programs that are kept between frames',
} as const;

/** `TESSERA_HEARTBEAT_MS`, the same in every service. */
export const HEARTBEAT_VARIABLE = {
  kind: 'integer',
  default: 1000,
  min: 10,
  max: 600_000,
  meaning: 'time between two pings on a link; both ends ping',
} as const;

/** `TESSERA_SILENT_MS`, the same in every service that hosts a chiplet. */
export const CHIPLET_SILENT_VARIABLE = {
  kind: 'integer',
  default: 10_000,
  min: 20,
  max: 3_600_000,
  meaning: 'a link on which nothing came for this long is closed and opened again',
} as const;

/** `TESSERA_WATCHDOG_MS`, the same in every service. */
export const WATCHDOG_VARIABLE = {
  kind: 'integer',
  default: 60_000,
  min: 0,
  max: 3_600_000,
  meaning:
    'how long the event loop may stand still until the process ends itself (SIGALRM, exit status 142), so that it is restarted; 0 for ever',
} as const;

/** `TESSERA_CHIPLET_SECRET`, the same in every service. */
export const CHIPLET_SECRET_VARIABLE = {
  kind: 'text',
  default: '',
  meaning: 'secret that chiplets and coordinator share; all processes of a service have the same',
} as const;

/** `TESSERA_CHIPLET_SECRET_FILE`, the same in every service that hosts a chiplet. */
export const CHIPLET_SECRET_FILE_VARIABLE = {
  kind: 'text',
  default: '',
  meaning: 'file that holds the secret, where TESSERA_CHIPLET_SECRET is not set',
} as const;

/** `TESSERA_INSECURE_CHIPLETS`, the same in every service on which chiplets connect. */
export const INSECURE_CHIPLETS_VARIABLE = {
  kind: 'boolean',
  default: false,
  meaning: 'lets chiplets connect without a secret from other machines',
} as const;

/** `TESSERA_TLS_CERT`, the same in every service that listens. */
export const TLS_CERT_VARIABLE = {
  kind: 'text',
  default: '',
  meaning: 'file of the certificate and its chain (PEM); with it the port speaks TLS',
} as const;

/** `TESSERA_TLS_KEY`, the same in every service that listens. */
export const TLS_KEY_VARIABLE = {
  kind: 'text',
  default: '',
  meaning: 'file of the certificate’s private key (PEM)',
} as const;

/** `TESSERA_TLS_CA`, the same in every service that connects. */
export const TLS_CA_VARIABLE = {
  kind: 'text',
  default: '',
  meaning: 'file of certificates (PEM) that are trusted beside those of Node for wss: addresses',
} as const;

/**
 * Reads the variables of a table.
 *
 * @param variables Usually `process.env`. An empty value counts as missing.
 * @throws {EnvironmentError} If a value breaks its row.
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
  return values as EnvironmentValues<Table>; // each value was read by its row
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
        problems.push(`${name}: '${text}' is none of ${info.allowed.join(', ')}`);
      }
      return text;
    case 'url':
      if (!URL.canParse(text) || !info.schemes.includes(new URL(text).protocol)) {
        problems.push(
          `${name}: '${text}' is no address that starts with ${info.schemes.join(' or ')}`,
        );
      }
      return text;
    case 'text':
      return text;
  }
}
