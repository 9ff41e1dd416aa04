import type { EnvironmentTable } from '@tessera/wire/environment';

/** Roles of the coordinator's process. */
export const ROLES = ['all', 'gateway', 'cell'] as const;

/** Variables of a cluster of gateways and cells. A service on one machine needs none of them. */
export const CLUSTER_VARIABLES = {
  TESSERA_ROLE: {
    kind: 'choice',
    default: 'all',
    allowed: ROLES,
    meaning:
      '`all` serves clients and renders; in a cluster, a `gateway` serves clients and a `cell` renders',
  },
  TESSERA_ENGINE_URL: {
    kind: 'text',
    default: '',
    meaning:
      'work of the cluster: `postgres://USER:PASSWORD@HOST/DATABASE`, or `sqlite:PATH` for the processes of one machine',
  },
  TESSERA_ENGINE_URL_FILE: {
    kind: 'text',
    default: '',
    meaning:
      'file with the address, which contains a password, used if TESSERA_ENGINE_URL is not set',
  },
  TESSERA_BLOBS_URL: {
    kind: 'text',
    default: '',
    meaning:
      'files of the cluster: `file:/PATH`, `https://HOST/PATH`, `gateway+https://HOST/v1/blobs` or `s3://BUCKET/PREFIX?endpoint=…&region=…`',
  },
  TESSERA_BLOBS_TOKEN: {
    kind: 'text',
    default: '',
    meaning: 'token for the files of the cluster',
  },
  TESSERA_BLOBS_TOKEN_FILE: {
    kind: 'text',
    default: '',
    meaning: 'file with the token, used if TESSERA_BLOBS_TOKEN is not set',
  },
  TESSERA_CELL_NAME: {
    kind: 'text',
    default: '',
    meaning: 'name of the cell in lists; the name of its host and its process id by default',
  },
  TESSERA_CHUNK_SECONDS: {
    kind: 'integer',
    default: 45,
    min: 1,
    max: 3600,
    meaning: 'wall time for which a cell claims units at once',
  },
  TESSERA_BLOB_BYTES: {
    kind: 'integer',
    default: 2 ** 32,
    min: 1024,
    max: 2 ** 42,
    meaning: 'bytes of one file that a client uploads to a gateway, such as a capture',
    refusal: 'LIMIT_EXCEEDED',
  },
  TESSERA_SPOOL_BYTES: {
    kind: 'integer',
    default: 2 ** 34,
    min: 1024,
    max: 2 ** 44,
    meaning: 'bytes of all uploads on their way through a gateway',
    refusal: 'STORAGE_FULL',
  },
  TESSERA_DEFAULT_CHIPLETS: {
    kind: 'integer',
    default: 4,
    min: 1,
    max: 256,
    meaning: 'chiplets of a frame that names no number, at a gateway',
  },
} as const satisfies EnvironmentTable;
