/** Reads a posted source, such as a model, and prepares its frame. Runs in threads only. */
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import {
  chooseGridShape,
  type Frame,
  IndexRanges,
  makeCoarseBinGrid,
  type NamedContents,
  type PreparedFrame,
  type ProgramSource,
  RenderError,
  type Sha256,
} from '@tessera/frame';
import { reflectByCompiling } from '@tessera/gl';
import {
  type ChosenFrame,
  DEFAULT_CAPTURE_LIMITS,
  describeReplay,
  findLastFrame,
  readCallStream,
  replayFrameStream,
} from '@tessera/gl/apitrace';
import { ProgramCache, prepareFrame } from '@tessera/multi-chiplet';
import {
  DEFAULT_GLTF_LIMITS,
  type GltfSource,
  importGltf,
  type ModelOptions,
  makeLook,
  parseModelOptions,
} from '@tessera/scenes';
import { EnvironmentFiles } from '@tessera/scenes/environment-files';
import { decodeNativeFrame, parseNativeFrame } from '@tessera/wire/native-frame';
import { openIfWhole, readIfWholeSync, sourceDamaged } from '../store/file-check.ts';
import { ResourceReader } from '../store/resource-reader.ts';
import type { FrameOptions } from './frame-options.ts';
import type { SourceKind, SourceLimits } from './frame-source.ts';
import type { PreparedModel } from './model-preparer.ts';

/** Posted file. The last part of its path is the SHA-256 of its content. */
interface PostedFile {
  readonly name: string;
  readonly path: string;
}

/** Source to prepare. */
export interface PrepareRequest {
  readonly kind: SourceKind;
  /** Files in the order of {@link FrameSource}. */
  readonly files: readonly PostedFile[];
  readonly frameIndex: ChosenFrame;
  /** Folder of the store's files, which a native frame may name. */
  readonly filesFolder: string;
  readonly limits: SourceLimits;
  readonly options: FrameOptions;
}

const programs = new ProgramCache();
/** Bytes of a capture's file per read. */
const CAPTURE_CHUNK_BYTES = 1 << 18;

interface ReadFrame {
  readonly frame: Frame;
  readonly warnings: readonly string[];
  /** Hashes of the resources that a native frame or the options of a model named. */
  readonly resources?: readonly Sha256[];
  /** Ranges of the indices, if known. */
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

async function readModel(source: GltfSource, request: PrepareRequest): Promise<ReadFrame> {
  const { options, limits, filesFolder } = request;
  const { widthPx, heightPx, cameraIndex, timeSeconds } = options;
  const modelOptions = parseModelOptions(options.modelOptions ?? {});
  const reader = new ResourceReader(filesFolder, limits.maxResourceBytes);
  const look = await lookOf(modelOptions, reader, filesFolder);
  const indexRanges = new IndexRanges();
  const model = await importGltf(source, {
    widthPx,
    heightPx,
    timeSeconds,
    indexRanges,
    look,
    framing: modelOptions,
    variant: modelOptions.variant,
    limits: {
      maxDraws: limits.frame.maxDraws,
      maxTriangles: Math.min(DEFAULT_GLTF_LIMITS.maxTriangles, limits.frame.maxPrimitives),
      maxTextureEdgePx: limits.frame.maxTextureEdgePx,
    },
    ...(cameraIndex === null ? {} : { cameraIndex }),
  });
  return { ...model, indexRanges, resources: reader.named };
}

/** Makes the look of a model. Its environment may be the hash of a resource. */
function lookOf(options: ModelOptions, reader: ResourceReader, filesFolder: string) {
  return makeLook(options, {
    loadRenderer: async () => (await import('@tessera/local-gpu/feedback')).makeFeedbackRenderer(),
    store: new EnvironmentFiles(join(filesFolder, '..', 'environments')),
    readPanorama: (sha256) => {
      const file = reader.read(sha256);
      reader.requireAll();
      return file;
    },
  });
}

/**
 * Replays a capture. Only the objects that the requested frame needs are held in memory, however
 * long the capture is.
 */
async function readCapture(
  { name, path }: PostedFile,
  request: PrepareRequest,
): Promise<ReadFrame> {
  const checked = await openIfWhole(path);
  if (checked === null) throw sourceDamaged(name, path);
  await checked.close();
  const { maxCaptureBytes, maxCaptureObjectBytes, maxCaptureCalls } = request.limits;
  const readCallsAgain = () =>
    readCallStream(createReadStream(path, { highWaterMark: CAPTURE_CHUNK_BYTES }), {
      ...DEFAULT_CAPTURE_LIMITS,
      maxDecompressedBytes: maxCaptureBytes,
      maxCalls: maxCaptureCalls,
    });
  const reflection = reflectByCompiling(programs);
  // Few threads prepare captures, so only they load a GPU, which transform feedback may need.
  const { makeFeedbackRenderer } = await import('@tessera/local-gpu/feedback');
  const { frameIndex: chosen } = request;
  const frame = chosen === 'last' ? await findLastFrame(readCallsAgain()) : chosen;
  const replayed = await replayFrameStream(readCallsAgain(), {
    reflection,
    feedbackRenderer: makeFeedbackRenderer(),
    frame,
    maxBytes: maxCaptureObjectBytes,
  });
  return withinPixels(
    { frame: replayed.frame, warnings: describeReplay(replayed) },
    request,
    "capture's window",
  );
}

/**
 * Checks the image size of sources that define it themselves. The size of a model is checked in its
 * query.
 *
 * @throws {RenderError} LIMIT_EXCEEDED.
 */
function withinPixels(read: ReadFrame, { limits }: PrepareRequest, what: string): ReadFrame {
  const { widthPx, heightPx } = read.frame;
  const pixels = widthPx * heightPx;
  if (pixels <= limits.maxPixels) return read;
  throw new RenderError(
    'LIMIT_EXCEEDED',
    `the ${what}: ${widthPx}×${heightPx}, ${pixels} pixels; at most ${limits.maxPixels}`,
  );
}

/**
 * Prepares the frame of a source.
 *
 * @throws {RenderError} MODEL_INVALID and others of the importer; FRAME_INVALID and others of the
 *   replay of a capture; SOURCE_DAMAGED; RESOURCES_MISSING.
 */
export async function prepareSource(request: PrepareRequest): Promise<PreparedModel> {
  const startMs = performance.now();
  const read = await readSource(request);
  const { warnings, resources = [] } = read;
  const frame = prepareRead(read, request);
  return { frame, warnings, resources, prepareMs: performance.now() - startMs };
}

/**
 * Prepares the frame of a source for a probe, with the sources of its programs.
 *
 * @throws {RenderError} As {@link prepareSource}.
 */
export async function prepareForProbe(
  request: PrepareRequest,
): Promise<{ readonly frame: PreparedFrame; readonly sources: readonly ProgramSource[] }> {
  const read = await readSource(request);
  return { frame: prepareRead(read, request), sources: read.frame.programs };
}

function prepareRead({ frame, indexRanges }: ReadFrame, request: PrepareRequest): PreparedFrame {
  const { options } = request;
  const { widthPx, heightPx } = frame;
  const { columns, rows } = chooseGridShape(options.binCount, widthPx, heightPx);
  return prepareFrame(frame, {
    grid: makeCoarseBinGrid(widthPx, heightPx, columns, rows),
    visibilityShader: options.visibilityShader,
    visibilitySwitches: { cullsOccluded: options.cullsOccluded ?? false },
    visibilityChiplets: options.visibilityChiplets,
    organization: options.organization,
    visibilityDelivery: options.visibilityDelivery,
    timing: options.timing,
    coupling: options.coupling,
    programs,
    limits: request.limits.frame,
    indexRanges,
  });
}
