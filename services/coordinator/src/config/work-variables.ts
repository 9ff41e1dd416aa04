import { DEFAULT_RECORD_BYTES } from '@tessera/frame';
import type { EnvironmentTable } from '@tessera/wire/environment';

/** Limits of the queue and of the work that frames, sequences and studies cause. */
export const WORK_VARIABLES = {
  TESSERA_QUEUE_FRAMES: {
    kind: 'integer',
    default: 32,
    min: 1,
    max: 10_000,
    meaning:
      'frames that may wait, of which one client may have three quarters; beyond it, requests get 429',
    refusal: 'QUEUE_FULL',
  },
  TESSERA_QUEUE_BYTES: {
    kind: 'integer',
    default: 2 ** 30,
    min: 2 ** 20,
    max: 2 ** 40,
    meaning: 'bytes of buffers and textures of waiting frames; beyond it, requests get 429',
    refusal: 'QUEUE_FULL',
  },
  TESSERA_FRAMES_IN_FLIGHT: {
    kind: 'integer',
    default: 2,
    min: 1,
    max: 16,
    meaning: 'frames rendered concurrently',
  },
  TESSERA_FRAME_MS: {
    kind: 'integer',
    default: 3_600_000,
    min: 100,
    max: 86_400_000,
    meaning: 'time in which a frame must be rendered, including waits for chiplets',
    refusal: 'FRAME_TIMEOUT',
  },
  TESSERA_FRAME_INSTRUCTIONS: {
    kind: 'integer',
    default: 2 ** 38,
    min: 2 ** 20,
    max: 2 ** 50,
    meaning: 'instructions of all shader invocations of a frame',
    refusal: 'SHADER_BUDGET_EXCEEDED',
  },
  TESSERA_INVOCATION_INSTRUCTIONS: {
    kind: 'integer',
    default: 2 ** 20,
    min: 2 ** 20,
    max: 2 ** 30,
    meaning: 'instructions in the loops of one shader invocation that a request may permit',
    refusal: 'LIMIT_EXCEEDED',
  },
  TESSERA_FRAME_ATTEMPTS: {
    kind: 'integer',
    default: 3,
    min: 1,
    max: 100,
    meaning:
      'chiplets that may be lost at the same coarse bin or visibility phase of a frame before the frame fails',
  },
  TESSERA_STUDY_FRAMES: {
    kind: 'integer',
    default: 1000,
    min: 1,
    max: 100_000,
    meaning: 'frames that one study renders',
    refusal: 'LIMIT_EXCEEDED',
  },
  TESSERA_STUDY_ROWS: {
    kind: 'integer',
    default: 100_000,
    min: 1,
    max: 10_000_000,
    meaning: 'rows of the results of one study',
    refusal: 'LIMIT_EXCEEDED',
  },
  TESSERA_SEQUENCE_FRAMES: {
    kind: 'integer',
    default: 1000,
    min: 1,
    max: 100_000,
    meaning: 'frames of one sequence',
    refusal: 'LIMIT_EXCEEDED',
  },
  TESSERA_RUNNING_SEQUENCES: {
    kind: 'integer',
    default: 64,
    min: 1,
    max: 10_000,
    meaning: 'unfinished sequences',
    refusal: 'TOO_MANY_SEQUENCES',
  },
  TESSERA_SIMULATION_STEPS: {
    kind: 'integer',
    default: 2 ** 23,
    min: 1,
    max: 2 ** 40,
    meaning:
      'simulation steps of a frame or sequence: (coarse bins + 4 × passes of all frames) × chiplets, counting at least 32 chiplets',
    refusal: 'LIMIT_EXCEEDED',
  },
  TESSERA_RECORD_BYTES: {
    kind: 'integer',
    default: DEFAULT_RECORD_BYTES,
    min: 2 ** 20,
    max: 2 ** 40,
    meaning:
      'bytes of the records of a frame with `coupling=exact`, or of all frames of such a sequence; they are held in memory',
    refusal: 'LIMIT_EXCEEDED',
  },
  TESSERA_TIMELINE_BYTES: {
    kind: 'integer',
    default: 2 ** 29,
    min: 1024,
    max: 2 ** 40,
    meaning: 'bytes of the timeline of a sequence',
    refusal: 'LIMIT_EXCEEDED',
  },
  TESSERA_COMPUTE_MS: {
    kind: 'integer',
    default: 60_000,
    min: 10,
    max: 3_600_000,
    meaning:
      'time of one computation: report or timeline of a sequence, rows of a study, image with bins, heat map, history of a pixel, costs of shaders',
    refusal: 'LIMIT_EXCEEDED',
  },
  TESSERA_COMPUTE_HEAP_MB: {
    kind: 'integer',
    default: 384,
    min: 64,
    max: 65_536,
    meaning: 'JavaScript heap of a computing thread in MiB',
    refusal: 'LIMIT_EXCEEDED',
  },
  TESSERA_COMPUTE_QUEUE: {
    kind: 'integer',
    default: 32,
    min: 1,
    max: 10_000,
    meaning:
      'requests that may wait for a computation: timelines of sequences, images with bins, heat maps, histories of pixels, costs of shaders',
    refusal: 'TOO_MANY_COMPUTATIONS',
  },
} as const satisfies EnvironmentTable;
