/**
 * The validation boundary of every process: converts a decoded value to a {@link Message} or
 * rejects it. Code behind it trusts the message. Everything is checked: types, ranges, lengths,
 * sizes that must agree, and whether this endpoint accepts such a message at all.
 */
import {
  type BinResult,
  COUNTER_NAMES,
  ERROR_CODES,
  type ErrorCode,
  MAX_ALTERNATIVE_SPECS,
  MAX_CHIPLETS,
  MAX_COLOR_TARGETS,
  MAX_PASS_QUERIES,
  MAX_UNIT_SPANS,
  MAX_VISIBILITY_SEGMENTS,
  SAMPLE_COUNTS,
} from '@tessera/frame';
import {
  CHIPLET_ROLES,
  type Endpoint,
  MESSAGES,
  type Message,
  type MessageOf,
  type MessageType,
} from '../messages/messages.ts';
import {
  array,
  boolean,
  bytes,
  type Check,
  finiteNumber,
  integer,
  MalformedError,
  nullable,
  object,
  oneOf,
  optional,
  partialRecord,
  pattern,
  string,
  variant,
} from './field-checks.ts';
import { binId, frameCommands, MAX_TARGET_PX, passIndex, sha256 } from './validate-commands.ts';
import { recordedRun } from './validate-records.ts';
import { resourceMessage } from './validate-resource.ts';

const MAX_BINS = 1024;
const MAX_HELD_RESOURCES = 1_000_000;
const MAX_ERROR_LENGTH = 65_536;

const safeInteger = integer(0, Number.MAX_SAFE_INTEGER);
const requestId = safeInteger;
const protocolVersion = integer(0, 65_535);
const chipletId = integer(0, 65_535);
const frameId = string(1, 200);
const crosslinkUrl = nullable(pattern(/^wss?:\/\/[^\s]{1,500}$/, 'a WebSocket address'));
/** Id of the trace that the frame belongs to (W3C Trace Context). */
const traceId = optional(pattern(/^[0-9a-f]{32}$/, 'the id of a trace'));
const counters = partialRecord(COUNTER_NAMES, safeInteger);
const error = object({
  code: oneOf(Object.keys(ERROR_CODES) as ErrorCode[]),
  message: string(0, MAX_ERROR_LENGTH),
});
const estimate: Check<number> = (value) => {
  const checked = finiteNumber(value);
  if (checked < 0) throw new MalformedError('', `${checked} is negative`);
  return checked;
};

const cycles = nullable(safeInteger);
const alternativeCycles = optional(array(safeInteger, MAX_ALTERNATIVE_SPECS));
const spans = array(
  object({
    unit: string(1, 100),
    startCycle: safeInteger,
    endCycle: safeInteger,
    busyCycles: safeInteger,
    starvedCycles: safeInteger,
    stalledCycles: safeInteger,
  }),
  MAX_UNIT_SPANS,
);
const rect = object({
  x: integer(0, MAX_TARGET_PX - 1),
  y: integer(0, MAX_TARGET_PX - 1),
  width: integer(1, MAX_TARGET_PX),
  height: integer(1, MAX_TARGET_PX),
});

/** Size of a texel in the widest format, with all its samples. */
const MAX_TEXEL_BYTES = 16 * Math.max(...SAMPLE_COUNTS);

const binResultFields = object({
  frameId,
  passIndex,
  binId,
  rect,
  counters,
  queryCounts: optional(array(safeInteger, MAX_PASS_QUERIES)),
  shaderInstructions: optional(safeInteger),
  cycles,
  alternativeCycles,
  spans,
  records: optional(recordedRun),
  colors: array(bytes(MAX_TARGET_PX * MAX_TARGET_PX * 4), MAX_COLOR_TARGETS),
  depthStencil: nullable(bytes(MAX_TARGET_PX * MAX_TARGET_PX * 4)),
});
const binResult: Check<BinResult> = (value) => {
  const checked = binResultFields(value);
  const wanted = checked.rect.width * checked.rect.height * 4;
  const pixels = wanted / 4;
  checked.colors.forEach(({ length }, i) => {
    // Only the requester of the bin knows the format of a color and its number of samples.
    if (length % pixels === 0 && length / pixels <= MAX_TEXEL_BYTES) return;
    throw new MalformedError(`colors[${i}]`, `${length} bytes do not fit ${pixels} pixels`);
  });
  const { depthStencil } = checked;
  if (depthStencil !== null && !SAMPLE_COUNTS.includes(depthStencil.length / wanted)) {
    const found = `${depthStencil.length} bytes instead of ${wanted} per sample`;
    throw new MalformedError('depthStencil', found);
  }
  return checked;
};

/** Index of a timing of the copy engine's work; −1 for no work. */
const timingIndices = array(integer(-1, MAX_HELD_RESOURCES), MAX_HELD_RESOURCES);
const copyWork = object({
  timings: array(object({ cycles: safeInteger, alternativeCycles, counters }), MAX_HELD_RESOURCES),
  stores: timingIndices,
  mipmaps: timingIndices,
  copies: timingIndices,
  resolve: optional(integer(0, MAX_HELD_RESOURCES)),
});

const segments = optional(
  array(
    object({
      bytes: safeInteger,
      binEntries: array(safeInteger, 2 * MAX_BINS),
      endCycle: cycles,
      alternativeEndCycles: alternativeCycles,
    }),
    MAX_VISIBILITY_SEGMENTS,
  ),
);

const visibilityPart = object({
  counters,
  cycles,
  alternativeCycles,
  spans,
  records: optional(recordedRun),
  streamBytes: safeInteger,
  segments,
});

const summary = object({
  passIndex,
  bins: array(
    object({
      binId,
      primitives: safeInteger,
      streamBytes: safeInteger,
      estimatedFragments: estimate,
      estimatedFragmentInstructions: estimate,
      estimatedVertexInstructions: estimate,
    }),
    MAX_BINS,
  ),
  counters,
  shaderInstructions: optional(safeInteger),
  cycles,
  alternativeCycles,
  copyWork: optional(copyWork),
  spans,
  records: optional(recordedRun),
  segments,
  parts: optional(array(visibilityPart, MAX_CHIPLETS)),
  earlyBin: nullable(binResult),
});

const resourceNames = array(
  object({ kind: oneOf(['buffer', 'texture', 'program']), sha256 }),
  MAX_HELD_RESOURCES,
);

/** Checks by type of message. */
const CHECKS: { readonly [Type in MessageType]: Check<MessageOf<Type>> } = {
  hello: object({
    type: oneOf(['hello']),
    protocolVersion,
    role: oneOf(CHIPLET_ROLES),
    crosslinkUrl,
    instance: string(1, 200),
  }),
  welcome: object({ type: oneOf(['welcome']), chipletId, crosslinkUrl }),
  crosslinkAddress: object({ type: oneOf(['crosslinkAddress']), crosslinkUrl }),
  ready: object({ type: oneOf(['ready']), isReady: boolean }),
  computeVisibility: object({
    type: oneOf(['computeVisibility']),
    traceId,
    requestId,
    frameId,
    passIndex,
    commands: frameCommands,
  }),
  visibilityDone: object({ type: oneOf(['visibilityDone']), traceId, requestId, summary }),
  visibilityFailed: object({ type: oneOf(['visibilityFailed']), traceId, requestId, error }),
  renderBin: object({
    type: oneOf(['renderBin']),
    traceId,
    requestId,
    request: object({ frameId, passIndex, binId, rect: optional(rect) }),
  }),
  binDone: object({ type: oneOf(['binDone']), traceId, requestId, result: binResult }),
  binFailed: object({ type: oneOf(['binFailed']), traceId, requestId, error }),
  releaseFrame: object({ type: oneOf(['releaseFrame']), traceId, frameId }),
  resource: resourceMessage,
  resourcesMissing: object({ type: oneOf(['resourcesMissing']), resources: resourceNames }),
  crosslinkHello: object({
    type: oneOf(['crosslinkHello']),
    protocolVersion,
    chipletId,
    held: resourceNames,
  }),
  crosslinkWelcome: object({
    type: oneOf(['crosslinkWelcome']),
    frameIds: array(frameId, 1024),
  }),
  frameBroadcast: object({
    type: oneOf(['frameBroadcast']),
    traceId,
    frameId,
    commands: frameCommands,
    visibility: object({ passIndex, bins: array(bytes(2 ** 30), MAX_BINS) }),
  }),
  broadcastHeld: object({ type: oneOf(['broadcastHeld']), traceId, frameId, passIndex }),
  ping: object({ type: oneOf(['ping']), sequence: safeInteger }),
  pong: object({ type: oneOf(['pong']), sequence: safeInteger }),
};

const anyMessage: Check<Message> = variant('type', CHECKS);

/**
 * Checks a decoded message.
 *
 * @param receiver Endpoint that received it.
 * @throws {MalformedError} If it is malformed, or this endpoint does not accept it.
 */
export function validateMessage(value: unknown, receiver: Endpoint): Message {
  const message = anyMessage(value);
  const { receivers }: { receivers: readonly Endpoint[] } = MESSAGES[message.type];
  if (!receivers.includes(receiver)) {
    throw new MalformedError('type', `${message.type} is not accepted by the ${receiver}`);
  }
  if (message.type === 'frameBroadcast') checkBroadcast(message);
  if (message.type === 'computeVisibility') {
    checkPass('passIndex', message.passIndex, message.commands.passes.length);
  }
  return message;
}

function checkBroadcast({ commands, visibility }: MessageOf<'frameBroadcast'>): void {
  checkPass('visibility.passIndex', visibility.passIndex, commands.passes.length);
  const binCount = commands.grid.columns * commands.grid.rows;
  if (visibility.bins.length !== binCount) {
    throw new MalformedError(
      'visibility.bins',
      `${visibility.bins.length} bins instead of ${binCount}`,
    );
  }
}

function checkPass(path: string, index: number, passCount: number): void {
  if (index >= passCount)
    throw new MalformedError(
      path,
      `pass ${index} does not exist; the frame has ${passCount} passes`,
    );
}
