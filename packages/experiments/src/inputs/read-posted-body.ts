/**
 * Reads a file as the body of a request: a model, a capture or a native frame, distinguished by
 * content and name. A scene of the benchmark set is sent as a native frame.
 */
import { extname } from 'node:path';
import type { Operations } from '@tessera/client';
import { benchmarkFrame } from '@tessera/scenes';
import { encodeNativeFrame } from '@tessera/wire/native-frame';
import { benchmarkSceneOf } from './benchmark-scene.ts';
import { isCapture } from './read-capture.ts';
import { readInput } from './read-frame.ts';
import { readModel } from './read-model.ts';

/** Body of the request that posts a frame. */
export type PostedBody = Operations['postFrame']['body'];

const NATIVE_MEDIA_TYPE = 'application/vnd.tessera.frame+msgpack';
const MEDIA_TYPE_BY_ENDING: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
};

/** Size of the image of a scene of the benchmark set, which the frame contains. */
export interface BodySize {
  readonly widthPx: number;
  readonly heightPx: number;
}

/**
 * Reads the body.
 *
 * @param size Size of a scene of the benchmark set.
 * @throws {RenderError} REQUEST_INVALID or MODEL_INVALID for a file that cannot be read.
 */
export async function readPostedBody(path: string, size: BodySize): Promise<PostedBody> {
  const scene = benchmarkSceneOf(path);
  if (scene !== null) {
    const value = encodeNativeFrame(benchmarkFrame(scene, size));
    return { mediaType: NATIVE_MEDIA_TYPE, value };
  }
  if (await isCapture(path)) {
    return { mediaType: 'application/vnd.apitrace', value: await readInput(path) };
  }
  const ending = extname(path).toLowerCase();
  if (ending === '.json') return { mediaType: 'application/json', value: await readInput(path) };
  if (ending === '.msgpack') {
    const value = await readInput(path);
    return { mediaType: NATIVE_MEDIA_TYPE, value };
  }
  const model = await readModel(path);
  if (model.kind === 'glb') return { mediaType: 'model/gltf-binary', value: model.bytes };
  return { mediaType: 'model/gltf+json', value: embedFiles(model.json, model.files) };
}

/** Returns the document of a model with its files as data URIs. */
function embedFiles(json: Uint8Array, files: ReadonlyMap<string, Uint8Array> = new Map()): string {
  const document = JSON.parse(new TextDecoder().decode(json)) as {
    buffers?: { uri?: string }[];
    images?: { uri?: string }[];
  };
  for (const entry of [...(document.buffers ?? []), ...(document.images ?? [])]) {
    const bytes = entry.uri === undefined ? undefined : files.get(entry.uri);
    if (bytes === undefined || entry.uri === undefined) continue;
    const type = MEDIA_TYPE_BY_ENDING[extname(entry.uri).toLowerCase()];
    const data = Buffer.from(bytes).toString('base64');
    entry.uri = `data:${type ?? 'application/octet-stream'};base64,${data}`;
  }
  return JSON.stringify(document);
}
