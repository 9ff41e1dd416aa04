/** The thread of {@link ModelPreparer}: model in, prepared frame out. */
import { parentPort } from 'node:worker_threads';
import {
  chooseGridShape,
  type ErrorCode,
  makeCoarseBinGrid,
  type PreparedFrame,
  RenderError,
} from '@tessera/frame';
import { ProgramCache, prepareFrame } from '@tessera/multi-chiplet';
import { type GltfSource, importGltf } from '@tessera/scenes';
import type { FrameOptions } from './frame-options.ts';
import type { PreparedModel } from './model-preparer.ts';

export interface PrepareRequest {
  readonly source: GltfSource;
  readonly options: FrameOptions;
}

export type PrepareAnswer =
  | { readonly kind: 'prepared'; readonly model: PreparedModel }
  | {
      readonly kind: 'failed';
      /** Null for a bug. */
      readonly code: ErrorCode | null;
      readonly message: string;
      readonly stack: string;
    };

const programs = new ProgramCache();

async function prepare(request: PrepareRequest): Promise<PreparedModel> {
  const startMs = performance.now();
  const { options } = request;
  const { widthPx, heightPx, cameraIndex, timeSeconds } = options;
  const { frame, warnings } = await importGltf(request.source, {
    widthPx,
    heightPx,
    timeSeconds,
    ...(cameraIndex === null ? {} : { cameraIndex }),
  });
  const { columns, rows } = chooseGridShape(options.binCount, widthPx, heightPx);
  const prepared = prepareFrame(frame, {
    grid: makeCoarseBinGrid(widthPx, heightPx, columns, rows),
    visibilityShader: options.visibilityShader,
    timing: options.timing,
    programs,
  });
  return { frame: prepared, warnings, prepareMs: performance.now() - startMs };
}

/** Memory that belongs to one array of the frame alone, which is moved instead of copied. */
function listOwnBuffers(frame: PreparedFrame): ArrayBuffer[] {
  const arrays = [
    ...frame.buffers.map(({ bytes }) => bytes),
    ...frame.textures.flatMap(({ levels }) => levels),
  ];
  const uses = new Map<ArrayBufferLike, number>();
  for (const { buffer } of arrays) uses.set(buffer, (uses.get(buffer) ?? 0) + 1);
  return arrays
    .filter(({ buffer, byteLength }) => uses.get(buffer) === 1 && byteLength === buffer.byteLength)
    .map(({ buffer }) => buffer)
    .filter((buffer) => buffer instanceof ArrayBuffer);
}

parentPort?.on('message', async (request: PrepareRequest) => {
  try {
    const model = await prepare(request);
    const answer: PrepareAnswer = { kind: 'prepared', model };
    parentPort?.postMessage(answer, listOwnBuffers(model.frame));
  } catch (error) {
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    const code = error instanceof RenderError ? error.code : null;
    const answer: PrepareAnswer = { kind: 'failed', code, message, stack: stack ?? message };
    parentPort?.postMessage(answer);
  }
});
