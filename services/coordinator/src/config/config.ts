/** Configuration of the coordinator, from its environment variables. One file, because it is one table. */
import { DEFAULT_FRAME_LIMITS, type FrameLimits } from '@tessera/frame';
import {
  DEFAULT_INTERCONNECT,
  INTERCONNECT_FIELDS,
  TOPOLOGY_NAMES,
} from '@tessera/multi-chiplet/rendering';
import {
  CHIPLET_SECRET_VARIABLE,
  type EnvironmentTable,
  type EnvironmentValues,
  HEARTBEAT_VARIABLE,
  INSECURE_CHIPLETS_VARIABLE,
  LOG_LEVEL_VARIABLE,
  readEnvironment,
  TLS_CERT_VARIABLE,
  TLS_KEY_VARIABLE,
  WATCHDOG_VARIABLE,
} from '@tessera/wire/environment';

export const ENVIRONMENT = {
  TESSERA_HOST: { kind: 'text', default: '127.0.0.1', meaning: 'address to listen on' },
  TESSERA_PORT: {
    kind: 'integer',
    default: 8080,
    min: 0,
    max: 65_535,
    meaning: 'port of the HTTP interface and of the chiplets’ WebSocket; 0 picks a free one',
  },
  TESSERA_LOG_LEVEL: LOG_LEVEL_VARIABLE,
  TESSERA_WATCHDOG_MS: WATCHDOG_VARIABLE,
  TESSERA_OTLP_ENDPOINT: {
    kind: 'url',
    default: '',
    schemes: ['http:', 'https:'],
    meaning:
      'where spans are posted (OpenTelemetry, OTLP over HTTP), such as `http://127.0.0.1:4318/v1/traces`; without it nowhere',
  },
  TESSERA_HTTP_TOKENS: {
    kind: 'text',
    default: '',
    meaning: 'tokens of clients, between commas; a request needs one of them',
  },
  TESSERA_HTTP_TOKENS_FILE: {
    kind: 'text',
    default: '',
    meaning: 'file of the tokens, one a line, where TESSERA_HTTP_TOKENS is not set',
  },
  TESSERA_INSECURE_HTTP: {
    kind: 'boolean',
    default: false,
    meaning: 'lets other machines send requests without a token',
  },
  TESSERA_CHIPLET_SECRET: CHIPLET_SECRET_VARIABLE,
  TESSERA_CHIPLET_SECRET_FILE: {
    kind: 'text',
    default: '',
    meaning:
      'file of the secret, where TESSERA_CHIPLET_SECRET is not set; made with a fresh one if it is missing',
  },
  TESSERA_INSECURE_CHIPLETS: INSECURE_CHIPLETS_VARIABLE,
  TESSERA_TLS_CERT: TLS_CERT_VARIABLE,
  TESSERA_TLS_KEY: TLS_KEY_VARIABLE,
  TESSERA_ALLOWED_HOSTS: {
    kind: 'text',
    default: '',
    meaning:
      'names, between commas, under which the service may be asked beside addresses and localhost',
  },
  TESSERA_TRUST_PROXY: {
    kind: 'text',
    default: '',
    meaning:
      'whose X-Forwarded headers say client, host and scheme: addresses and networks of proxies, between commas, or the number of proxies that every request passes',
  },
  TESSERA_REQUESTS_PER_MINUTE: {
    kind: 'integer',
    default: 6000,
    min: 1,
    max: 1_000_000_000,
    meaning: 'requests of one address a minute; this machine and health routes are not counted',
    refusal: 'RATE_LIMITED',
  },
  TESSERA_MAX_CONNECTIONS: {
    kind: 'integer',
    default: 1024,
    min: 8,
    max: 1_000_000,
    meaning:
      'connections at once, those of chiplets included; beyond, a new one takes the place of the longest idle one. Requests in progress have seven eighths of them at most',
    refusal: 'TOO_MANY_CONNECTIONS',
  },
  TESSERA_CONNECTIONS_PER_ADDRESS: {
    kind: 'integer',
    default: 256,
    min: 1,
    max: 1_000_000,
    meaning:
      'connections of one address that have a request in progress; this machine and health routes are not counted',
    refusal: 'TOO_MANY_CONNECTIONS',
  },
  TESSERA_MAX_STREAMS: {
    kind: 'integer',
    default: 256,
    min: 1,
    max: 100_000,
    meaning: 'streams of events that are open at once',
    refusal: 'TOO_MANY_STREAMS',
  },
  TESSERA_MAX_HEADER_BYTES: {
    kind: 'integer',
    default: 16_384,
    min: 4096,
    max: 2 ** 20,
    meaning: 'largest head of a request, its address included',
    refusal: 'HEADERS_TOO_LARGE',
  },
  TESSERA_HEADERS_MS: {
    kind: 'integer',
    default: 15_000,
    min: 100,
    max: 600_000,
    meaning: 'longest time that a client may take to send the head of a request',
    refusal: 'REQUEST_TIMEOUT',
  },
  TESSERA_REQUEST_MS: {
    kind: 'integer',
    default: 300_000,
    min: 100,
    max: 3_600_000,
    meaning: 'longest time that a client may take to send a request with its body',
    refusal: 'REQUEST_TIMEOUT',
  },
  TESSERA_WRITE_STALL_MS: {
    kind: 'integer',
    default: 30_000,
    min: 100,
    max: 3_600_000,
    meaning:
      'period in which a client has to take what waits for it at its start, or 64 KiB of it; else its connection is closed',
    refusal: 'connection closed',
  },
  TESSERA_BODY_BYTES_PER_SECOND: {
    kind: 'integer',
    default: 1024,
    min: 1,
    max: 2 ** 30,
    meaning:
      'least average rate at which a body arrives, once TESSERA_HEADERS_MS are over since its head',
    refusal: 'REQUEST_TIMEOUT',
  },
  TESSERA_UPLOAD_BYTES: {
    kind: 'integer',
    default: 2 ** 30,
    min: 1024,
    max: 2 ** 44,
    meaning:
      'bytes of bodies that are on their way to disk, all together; beyond, the largest of them is refused',
    refusal: 'UPLOADS_FULL',
  },
  TESSERA_QUEUE_FRAMES: {
    kind: 'integer',
    default: 32,
    min: 1,
    max: 10_000,
    meaning:
      'frames that may wait, three quarters of them of one client; beyond, a request gets 429',
    refusal: 'QUEUE_FULL',
  },
  TESSERA_QUEUE_BYTES: {
    kind: 'integer',
    default: 2 ** 30,
    min: 2 ** 20,
    max: 2 ** 40,
    meaning:
      'bytes of buffers and textures that waiting frames may hold; beyond, a request gets 429',
    refusal: 'QUEUE_FULL',
  },
  TESSERA_FRAMES_IN_FLIGHT: {
    kind: 'integer',
    default: 2,
    min: 1,
    max: 16,
    meaning: 'frames that are worked at, at once',
  },
  TESSERA_DATA_DIR: {
    kind: 'text',
    default: 'out/data',
    meaning:
      'folder of the journal, of what was posted and of results; one coordinator at a time uses it',
  },
  TESSERA_STORED_FRAMES: {
    kind: 'integer',
    default: 10_000,
    min: 1,
    max: 1_000_000,
    meaning: 'finished frames that are kept; beyond, the oldest is forgotten',
  },
  TESSERA_STORED_BYTES: {
    kind: 'integer',
    default: 4 * 2 ** 30,
    min: 2 ** 20,
    max: 2 ** 44,
    meaning:
      'bytes of posted files, resources, pictures, timelines and reports that are kept; beyond, the oldest frame is forgotten',
  },
  TESSERA_STORED_HOURS: {
    kind: 'integer',
    default: 30 * 24,
    min: 1,
    max: 1_000_000,
    meaning: 'age at which a finished frame is forgotten',
  },
  TESSERA_RESOURCE_BYTES: {
    kind: 'integer',
    default: 2 ** 30,
    min: 1024,
    max: 2 ** 44,
    meaning:
      'bytes of resources that clients put for their frames to name; beyond, the longest unused is removed',
    refusal: 'LIMIT_EXCEEDED',
  },
  TESSERA_MAX_BODY_BYTES: {
    kind: 'integer',
    default: 256 * 2 ** 20,
    min: 1024,
    max: 2 ** 32,
    meaning:
      'largest request body; it is taken to disk, not to memory. What a frame names counts as such too',
    refusal: 'LIMIT_EXCEEDED',
  },
  TESSERA_MAX_PIXELS: {
    kind: 'integer',
    default: 4096 * 4096,
    min: 1,
    max: 8192 * 8192,
    meaning: 'largest picture, width × height',
    refusal: 'LIMIT_EXCEEDED',
  },
  TESSERA_MAX_PASSES: {
    kind: 'integer',
    default: 256,
    min: 1,
    max: 65_536,
    meaning: 'passes of a frame',
    refusal: 'LIMIT_EXCEEDED',
  },
  TESSERA_MAX_DRAWS: {
    kind: 'integer',
    default: 20_000,
    min: 1,
    max: 1_000_000,
    meaning: 'draws of one pass; of a model, of all',
    refusal: 'LIMIT_EXCEEDED',
  },
  TESSERA_MAX_PRIMITIVES: {
    kind: 'integer',
    default: 20_000_000,
    min: 1,
    max: 1_000_000_000,
    meaning: 'points, lines and triangles of all draws and instances',
    refusal: 'LIMIT_EXCEEDED',
  },
  TESSERA_MAX_TARGET_PIXELS: {
    kind: 'integer',
    default: 2 ** 28,
    min: 1,
    max: 2 ** 34,
    meaning: 'pixels of the targets of all passes',
    refusal: 'LIMIT_EXCEEDED',
  },
  TESSERA_MAX_TEXTURE_EDGE_PX: {
    kind: 'integer',
    default: 8192,
    min: 1,
    max: 8192,
    meaning: 'edge of a texture',
    refusal: 'LIMIT_EXCEEDED',
  },
  TESSERA_MAX_TEXTURE_BYTES: {
    kind: 'integer',
    default: 2 ** 31,
    min: 1024,
    max: 2 ** 36,
    meaning: 'bytes of all textures of a frame, made levels included',
    refusal: 'LIMIT_EXCEEDED',
  },
  TESSERA_FRAME_MS: {
    kind: 'integer',
    default: 3_600_000,
    min: 100,
    max: 86_400_000,
    meaning: 'longest time that a frame may be worked at, waits for chiplets included',
    refusal: 'FRAME_TIMEOUT',
  },
  TESSERA_FRAME_INSTRUCTIONS: {
    kind: 'integer',
    default: 2 ** 38,
    min: 2 ** 20,
    max: 2 ** 50,
    meaning: 'instructions that all shader invocations of a frame may take together',
    refusal: 'SHADER_BUDGET_EXCEEDED',
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
    meaning: 'sequences that are not finished',
    refusal: 'TOO_MANY_SEQUENCES',
  },
  TESSERA_SIMULATION_STEPS: {
    kind: 'integer',
    default: 2 ** 23,
    min: 1,
    max: 2 ** 40,
    meaning:
      'steps of simulating a frame or sequence: (coarse bins + 4 × passes, of all frames) × chiplets, at least 32',
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
      'longest time that one computation may take: report or timeline of a sequence, rows of a study, image with bins',
    refusal: 'LIMIT_EXCEEDED',
  },
  TESSERA_COMPUTE_HEAP_MB: {
    kind: 'integer',
    default: 384,
    min: 64,
    max: 65_536,
    meaning: 'JavaScript heap of a thread that computes',
    refusal: 'LIMIT_EXCEEDED',
  },
  TESSERA_COMPUTE_QUEUE: {
    kind: 'integer',
    default: 32,
    min: 1,
    max: 10_000,
    meaning: 'requests that may wait for a computation: timelines of sequences, images with bins',
    refusal: 'TOO_MANY_COMPUTATIONS',
  },
  TESSERA_CAPTURE_BYTES: {
    kind: 'integer',
    default: 4 * 2 ** 30,
    min: 2 ** 16,
    max: 2 ** 40,
    meaning:
      'decompressed bytes of a capture that may be read, up to the end of the frame that is asked for; they pass by and are not held',
    refusal: 'LIMIT_EXCEEDED',
  },
  TESSERA_CAPTURE_OBJECT_BYTES: {
    kind: 'integer',
    default: 512 * 2 ** 20,
    min: 2 ** 16,
    max: 2 ** 31,
    meaning: 'bytes of buffers and textures that a capture may make, which are in memory',
    refusal: 'LIMIT_EXCEEDED',
  },
  TESSERA_CAPTURE_CALLS: {
    kind: 'integer',
    default: 50_000_000,
    min: 1,
    max: 2 ** 31,
    meaning: 'calls of a capture that may be read, up to the end of the frame that is asked for',
    refusal: 'LIMIT_EXCEEDED',
  },
  TESSERA_PREPARE_MS: {
    kind: 'integer',
    default: 60_000,
    min: 10,
    max: 3_600_000,
    meaning: 'longest time that reading and preparing a model or capture may take',
    refusal: 'LIMIT_EXCEEDED',
  },
  TESSERA_PREPARE_HEAP_MB: {
    kind: 'integer',
    default: 2048,
    min: 64,
    max: 65_536,
    meaning:
      'JavaScript heap of each thread that reads and prepares models and captures; there are at most three',
    refusal: 'LIMIT_EXCEEDED',
  },
  TESSERA_CHIPLET_ANSWER_MS: {
    kind: 'integer',
    default: 120_000,
    min: 100,
    max: 3_600_000,
    meaning: 'longest time between two answers of a chiplet that has work',
    refusal: 'CHIPLET_TIMEOUT',
  },
  TESSERA_CHIPLET_WAIT_MS: {
    kind: 'integer',
    default: 600_000,
    min: 0,
    max: 86_400_000,
    meaning: 'how long a frame whose turn it is waits for chiplets; then it fails',
    refusal: 'NO_CHIPLETS',
  },
  TESSERA_REJOIN_MS: {
    kind: 'integer',
    default: 5000,
    min: 0,
    max: 3_600_000,
    meaning:
      'how long a frame that is begun again, and was admitted when there were no chiplets, waits for as many as it had',
  },
  TESSERA_FRAME_ATTEMPTS: {
    kind: 'integer',
    default: 3,
    min: 1,
    max: 100,
    meaning:
      'how many chiplets may be lost at one piece of work of a frame (a visibility phase, a coarse bin) until the frame fails',
  },
  TESSERA_MIN_WORKERS: {
    kind: 'integer',
    default: 0,
    min: 0,
    max: 10_000,
    meaning: 'workers that must be connected for the service to be ready',
  },
  TESSERA_VISIBILITY_RENDERS: {
    kind: 'boolean',
    default: true,
    meaning: 'whether the visibility chiplet renders bins too',
  },
  TESSERA_LINK_TOPOLOGY: {
    kind: 'choice',
    default: DEFAULT_INTERCONNECT.topology,
    allowed: TOPOLOGY_NAMES,
    meaning: 'how the simulated chiplets are joined where a query does not say it',
  },
  TESSERA_LINK_BYTES_PER_CYCLE: {
    kind: 'integer',
    default: DEFAULT_INTERCONNECT.bytesPerCycle,
    min: INTERCONNECT_FIELDS.bytesPerCycle.min,
    max: INTERCONNECT_FIELDS.bytesPerCycle.max,
    meaning:
      'bytes per simulated cycle of a channel of the crosslink where a query does not say it',
  },
  TESSERA_LINK_LATENCY_CYCLES: {
    kind: 'integer',
    default: DEFAULT_INTERCONNECT.latencyCycles,
    min: INTERCONNECT_FIELDS.latencyCycles.min,
    max: INTERCONNECT_FIELDS.latencyCycles.max,
    meaning: 'simulated cycles over a channel of the crosslink where a query does not say it',
  },
  TESSERA_HEARTBEAT_MS: HEARTBEAT_VARIABLE,
  TESSERA_SILENT_MS: {
    kind: 'integer',
    default: 5000,
    min: 20,
    max: 3_600_000,
    meaning: 'a chiplet from which nothing came for this long is lost',
  },
  TESSERA_SET_ASIDE_MS: {
    kind: 'integer',
    default: 60_000,
    min: 0,
    max: 86_400_000,
    meaning: 'how long a worker gets no bins after three faults, unless it connects anew',
  },
  TESSERA_CHECKED_BINS: {
    kind: 'integer',
    default: 1,
    min: 0,
    max: 100,
    meaning:
      'percentage of the bins of trusted chiplets that two of them render, to compare; the first bins of a chiplet that connects are always compared',
  },
  TESSERA_QUARANTINE_MS: {
    kind: 'integer',
    default: 3_600_000,
    min: 0,
    max: 86_400_000,
    meaning:
      'how long a worker gets no bins after a result that others prove wrong, unless it connects anew',
  },
  TESSERA_SHUTDOWN_MS: {
    kind: 'integer',
    default: 5000,
    min: 0,
    max: 600_000,
    meaning: 'how long a stop waits for the frames that are worked at',
  },
} as const satisfies EnvironmentTable;

export type Config = EnvironmentValues<typeof ENVIRONMENT>;

/** @throws {EnvironmentError} If a variable has a wrong value. */
export function readConfig(variables: Readonly<Record<string, string | undefined>>): Config {
  return readEnvironment(ENVIRONMENT, variables);
}

/** What one frame may hold. */
export function frameLimits(config: Config): FrameLimits {
  return {
    ...DEFAULT_FRAME_LIMITS,
    maxPasses: config.TESSERA_MAX_PASSES,
    maxDraws: config.TESSERA_MAX_DRAWS,
    maxPrimitives: config.TESSERA_MAX_PRIMITIVES,
    maxTargetPixels: config.TESSERA_MAX_TARGET_PIXELS,
    maxTextureEdgePx: config.TESSERA_MAX_TEXTURE_EDGE_PX,
    maxTextureBytes: config.TESSERA_MAX_TEXTURE_BYTES,
  };
}
