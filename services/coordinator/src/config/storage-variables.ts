import type { EnvironmentTable } from '@tessera/wire/environment';

/** Variables of the data folder and limits of what it keeps. */
export const STORAGE_VARIABLES = {
  TESSERA_DATA_DIR: {
    kind: 'text',
    default: 'out/data',
    meaning:
      'folder of the journal, posted files and results; only one coordinator may use it at a time',
  },
  TESSERA_STORED_FRAMES: {
    kind: 'integer',
    default: 10_000,
    min: 1,
    max: 1_000_000,
    meaning: 'finished frames that are kept; beyond it, the oldest is deleted',
  },
  TESSERA_STORED_BYTES: {
    kind: 'integer',
    default: 4 * 2 ** 30,
    min: 2 ** 20,
    max: 2 ** 44,
    meaning:
      'bytes of posted files, resources, images, timelines and reports that are kept; beyond it, the oldest frame is deleted',
  },
  TESSERA_STORED_HOURS: {
    kind: 'integer',
    default: 30 * 24,
    min: 1,
    max: 1_000_000,
    meaning: 'age at which a finished frame is deleted',
  },
  TESSERA_RESOURCE_BYTES: {
    kind: 'integer',
    default: 2 ** 30,
    min: 1024,
    max: 2 ** 44,
    meaning:
      'bytes of resources that clients upload for their frames; beyond it, the least recently used resource is deleted',
    refusal: 'LIMIT_EXCEEDED',
  },
  TESSERA_MAX_BODY_BYTES: {
    kind: 'integer',
    default: 256 * 2 ** 20,
    min: 1024,
    max: 2 ** 32,
    meaning:
      'bytes of a request body, including the resources that a frame names; bodies are streamed to disk',
    refusal: 'LIMIT_EXCEEDED',
  },
} as const satisfies EnvironmentTable;
