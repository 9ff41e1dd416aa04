import type { EnvironmentTable } from '@tessera/wire/environment';

/** Limits of HTTP connections and requests. */
export const CONNECTION_VARIABLES = {
  TESSERA_REQUESTS_PER_MINUTE: {
    kind: 'integer',
    default: 6000,
    min: 1,
    max: 1_000_000_000,
    meaning: 'requests per minute from one address; this machine and health routes are exempt',
    refusal: 'RATE_LIMITED',
  },
  TESSERA_MAX_CONNECTIONS: {
    kind: 'integer',
    default: 1024,
    min: 8,
    max: 1_000_000,
    meaning:
      'open connections, including those of chiplets; beyond it, a new connection replaces the one that has been idle longest. At most seven eighths of them may have a request in progress',
    refusal: 'TOO_MANY_CONNECTIONS',
  },
  TESSERA_CONNECTIONS_PER_ADDRESS: {
    kind: 'integer',
    default: 256,
    min: 1,
    max: 1_000_000,
    meaning:
      'connections of one address with a request in progress; this machine and health routes are exempt',
    refusal: 'TOO_MANY_CONNECTIONS',
  },
  TESSERA_MAX_STREAMS: {
    kind: 'integer',
    default: 256,
    min: 1,
    max: 100_000,
    meaning: 'concurrently open event streams',
    refusal: 'TOO_MANY_STREAMS',
  },
  TESSERA_MAX_HEADER_BYTES: {
    kind: 'integer',
    default: 16_384,
    min: 4096,
    max: 2 ** 20,
    meaning: 'bytes of a request’s head, including its URL',
    refusal: 'HEADERS_TOO_LARGE',
  },
  TESSERA_HEADERS_MS: {
    kind: 'integer',
    default: 15_000,
    min: 100,
    max: 600_000,
    meaning: 'time in which a client must send the head of a request',
    refusal: 'REQUEST_TIMEOUT',
  },
  TESSERA_REQUEST_MS: {
    kind: 'integer',
    default: 300_000,
    min: 100,
    max: 3_600_000,
    meaning: 'time in which a client must send a request including its body',
    refusal: 'REQUEST_TIMEOUT',
  },
  TESSERA_WRITE_STALL_MS: {
    kind: 'integer',
    default: 30_000,
    min: 100,
    max: 3_600_000,
    meaning:
      'period in which a client must receive everything that waited for it at the start of the period, or 64 KiB of it; otherwise its connection is closed',
    refusal: 'connection closed',
  },
  TESSERA_BODY_BYTES_PER_SECOND: {
    kind: 'integer',
    default: 1024,
    min: 1,
    max: 2 ** 30,
    meaning: 'minimum average rate of a body, measured from TESSERA_HEADERS_MS after its head',
    refusal: 'REQUEST_TIMEOUT',
  },
  TESSERA_UPLOAD_BYTES: {
    kind: 'integer',
    default: 2 ** 30,
    min: 1024,
    max: 2 ** 44,
    meaning:
      'bytes of all bodies that are being received; beyond it, the largest of them is refused',
    refusal: 'UPLOADS_FULL',
  },
} as const satisfies EnvironmentTable;
