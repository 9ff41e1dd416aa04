/** The thread of {@link ModelPreparer}: files of a model, capture or native frame in, prepared frame out. */
import { createReadStream } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import {
  chooseGridShape,
  type ErrorCode,
  type Frame,
  IndexRanges,
  makeCoarseBinGrid,
  type NamedContents,
  RenderError,
  type Sha256,
} from '@tessera/frame';
import { reflectByCompiling } from '@tessera/gl';
import {
  DEFAULT_CAPTURE_LIMITS,
  describeReplay,
  readCallStream,
  replayFrameStream,
} from '@tessera/gl/apitrace';
import { ProgramCache, prepareFrame } from '@tessera/multi-chiplet';
import { DEFAULT_GLTF_LIMITS, type GltfSource, importGltf } from '@tessera/scenes';
import { decodeNativeFrame, parseNativeFrame } from '@tessera/wire/native-frame';
import { type CopyBytes, postWithCopies } from '@tessera/wire/post-with-copies';
import { openIfWhole, readIfWholeSync, sourceDamaged } from '../store/file-check.ts';
import { MissingResourcesError } from '../store/missing-resources.ts';
import { ResourceReader } from '../store/resource-reader.ts';
import type { FrameOptions } from './frame-options.ts';
import type { SourceKind, SourceLimits } from './frame-source.ts';
import type { PreparedModel } from './model-preparer.ts';

/** A posted file; the last part of its path is the SHA-256 of its content. */
interface PostedFile {
  readonly name: string;
  readonly path: string;
}

export interface PrepareRequest {
  readonly kind: SourceKind;
  /** As {@link FrameSource} has them. */
  readonly files: readonly PostedFile[];
  readonly frameIndex: number;
  /** Of the store's files: a native frame may name them. */
  readonly filesFolder: string;
  readonly limits: SourceLimits;
  readonly options: FrameOptions;
}

/** What the thread says first: its modules are loaded. */
export interface ThreadReady {
  readonly kind: 'ready';
}

export type PrepareAnswer =
  | {
      readonly kind: 'prepared';
      readonly model: PreparedModel;
      /** Whether the thread holds much memory now, garbage included. */
      readonly isLarge: boolean;
    }
  | {
      readonly kind: 'failed';
      /** Null for a bug. */
      readonly code: ErrorCode | null;
      readonly message: string;
      readonly stack: string;
      /** With RESOURCES_MISSING. */
      readonly missing: readonly Sha256[];
    };

const programs = new ProgramCache();
/**
 * Bytes of this thread, garbage included, from which it returns memory by ending. Above what it holds after models of
 * usual size with all programs in its cache, which the next thread has to compile again.
 */
const LARGE_BYTES = 2 ** 27;
/** Bytes of a capture's file that are read at a time. */
const CAPTURE_CHUNK_BYTES = 1 << 18;

interface ReadFrame {
  readonly frame: Frame;
  readonly warnings: readonly string[];
  /** What a native frame named. */
  readonly resources?: readonly Sha256[];
  /** What its indices reach, as far as that is known. */
  readonly indexRanges?: IndexRanges;
}

async function readSource(request: PrepareRequest): Promise<ReadFrame> {
  const [main, ...others] = request.files;
  if (request.kind === 'capture') return readCapture(main!, request);
  const bytes = readPosted(main!);
  switch (request.kind) {
    case 'glb':
      return readModel({ kind: 'glb', bytes }, request);
    case 'gltf': {
      const files = new Map(others.map((file) => [file.name, readPosted(file)]));
      return readModel({ kind: 'gltf', json: bytes, files }, request);
    }
    case 'frame-msgpack':
      return readNative((contents) => decodeNativeFrame(bytes, contents), request);
    case 'frame-json':
      return readNative((contents) => parseNativeFrame(bytes, contents), request);
  }
}

/** @throws {RenderError} SOURCE_DAMAGED. */
function readPosted({ name, path }: PostedFile): Uint8Array {
  const bytes = readIfWholeSync(path);
  if (bytes === null) throw sourceDamaged(name, path);
  return bytes;
}

function readNative(
  decode: (contents: NamedContents) => Frame,
  request: PrepareRequest,
): ReadFrame {
  const reader = new ResourceReader(request.filesFolder, request.limits.maxResourceBytes);
  const frame = decode((sha256) => reader.read(sha256));
  reader.requireAll();
  return withinPixels({ frame, warnings: [], resources: reader.named }, request, 'frame');
}

async function readModel(
  source: GltfSource,
  { options, limits }: PrepareRequest,
): Promise<ReadFrame> {
  const { widthPx, heightPx, cameraIndex, timeSeconds } = options;
  const indexRanges = new IndexRanges();
  const model = await importGltf(source, {
    widthPx,
    heightPx,
    timeSeconds,
    indexRanges,
    limits: {
      maxDraws: limits.frame.maxDraws,
      maxTriangles: Math.min(DEFAULT_GLTF_LIMITS.maxTriangles, limits.frame.maxPrimitives),
      maxTextureEdgePx: limits.frame.maxTextureEdgePx,
    },
    ...(cameraIndex === null ? {} : { cameraIndex }),
  });
  return { ...model, indexRanges };
}

/** Only what the wanted frame needs comes to be in memory, however long the capture is. */
async function readCapture(
  { name, path }: PostedFile,
  request: PrepareRequest,
): Promise<ReadFrame> {
  const checked = await openIfWhole(path);
  if (checked === null) throw sourceDamaged(name, path);
  await checked.close();
  const { maxCaptureBytes, maxCaptureObjectBytes, maxCaptureCalls } = request.limits;
  const calls = readCallStream(createReadStream(path, { highWaterMark: CAPTURE_CHUNK_BYTES }), {
    ...DEFAULT_CAPTURE_LIMITS,
    maxDecompressedBytes: maxCaptureBytes,
    maxCalls: maxCaptureCalls,
  });
  const reflection = reflectByCompiling((program) => programs.compile(program));
  const { frameIndex } = request;
  const replayed = await replayFrameStream(calls, {
    reflection,
    frameIndex,
    maxBytes: maxCaptureObjectBytes,
  });
  const { frame } = replayed;
  return withinPixels({ frame, warnings: describeReplay(replayed) }, request, "capture's window");
}

/** @throws {RenderError} LIMIT_EXCEEDED: a model's size is asked for, all others say their own. */
function withinPixels(read: ReadFrame, { limits }: PrepareRequest, what: string): ReadFrame {
  const { widthPx, heightPx } = read.frame;
  const pixels = widthPx * heightPx;
  if (pixels <= limits.maxPixels) return read;
  throw new RenderError(
    'LIMIT_EXCEEDED',
    `the ${what}: ${widthPx}×${heightPx}, ${pixels} pixels; at most ${limits.maxPixels}`,
  );
}

async function prepare(request: PrepareRequest): Promise<PreparedModel> {
  const startMs = performance.now();
  const { options } = request;
  const { frame, warnings, resources = [], indexRanges } = await readSource(request);
  const { widthPx, heightPx } = frame;
  const { columns, rows } = chooseGridShape(options.binCount, widthPx, heightPx);
  const prepared = prepareFrame(frame, {
    grid: makeCoarseBinGrid(widthPx, heightPx, columns, rows),
    visibilityShader: options.visibilityShader,
    visibilitySwitches: { cullsOccluded: options.cullsOccluded ?? false },
    timing: options.timing,
    programs,
    limits: request.limits.frame,
    indexRanges,
  });
  return { frame: prepared, warnings, resources, prepareMs: performance.now() - startMs };
}

/** The model with its bulk in memory of its own. */
function copyBulk(model: PreparedModel, copy: CopyBytes): PreparedModel {
  const { buffers, textures } = model.frame;
  return {
    ...model,
    frame: {
      ...model.frame,
      buffers: buffers.map((buffer) => ({ ...buffer, bytes: copy(buffer.bytes) })),
      textures: textures.map((texture) => ({ ...texture, levels: texture.levels.map(copy) })),
    },
  };
}

function holdsMuch(): boolean {
  const { heapTotal, external } = process.memoryUsage();
  return heapTotal + external > LARGE_BYTES;
}

parentPort?.on('message', async (request: PrepareRequest) => {
  try {
    const model = await prepare(request);
    postWithCopies(
      parentPort!, // whose message this is
      (copy): PrepareAnswer => ({
        kind: 'prepared',
        model: copyBulk(model, copy),
        isLarge: holdsMuch(),
      }),
    );
  } catch (error) {
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    const code = error instanceof RenderError ? error.code : null;
    const missing = error instanceof MissingResourcesError ? error.missing : [];
    const answer: PrepareAnswer = {
      kind: 'failed',
      code,
      message,
      stack: stack ?? message,
      missing,
    };
    parentPort?.postMessage(answer);
  }
});
parentPort?.postMessage({ kind: 'ready' } satisfies ThreadReady);
