/** Reads the model or capture of a request, by its content type. */
import { RenderError } from '@tessera/frame';
import type { GltfSource } from '@tessera/scenes';
import type { FastifyRequest } from 'fastify';

export const GLB_MEDIA_TYPE = 'model/gltf-binary';
export const GLTF_MEDIA_TYPE = 'model/gltf+json';
export const CAPTURE_MEDIA_TYPE = 'application/vnd.apitrace';
/** Files of one multipart body at most. */
export const MAX_FILES = 256;

export interface PostedModel {
  readonly source: GltfSource | PostedCapture;
  /** Kind and size, for people. */
  readonly title: string;
}

/** Type of the body without its parameters, in lower case. */
export function mediaTypeOf(request: FastifyRequest): string | undefined {
  return request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
}

/** A capture, before the query said which frame. */
export interface PostedCapture {
  readonly kind: 'capture';
  readonly bytes: Uint8Array;
}

/**
 * @param maxBytes Bytes of all files together at most.
 * @throws {RenderError} MEDIA_TYPE_UNSUPPORTED, REQUEST_INVALID, LIMIT_EXCEEDED.
 */
export async function readModelBody(
  request: FastifyRequest,
  maxBytes: number,
): Promise<PostedModel> {
  if (request.isMultipart()) return readParts(request, maxBytes);
  const { body } = request;
  if (!(body instanceof Buffer) || body.length === 0) {
    throw new RenderError('REQUEST_INVALID', 'body: empty, a model or capture is expected');
  }
  const mediaType = mediaTypeOf(request);
  const title = `${mediaType}, ${body.length} bytes`;
  if (mediaType === GLB_MEDIA_TYPE) return { source: { kind: 'glb', bytes: body }, title };
  if (mediaType === CAPTURE_MEDIA_TYPE) return { source: { kind: 'capture', bytes: body }, title };
  return { source: { kind: 'gltf', json: body, files: new Map() }, title };
}

/** A .gltf and the files that it names, by their file names; or a lone .glb. */
async function readParts(request: FastifyRequest, maxBytes: number): Promise<PostedModel> {
  const files = new Map<string, Uint8Array>();
  let totalBytes = 0;
  for await (const part of request.parts({ preservePath: true, limits: { files: MAX_FILES } })) {
    if (part.type !== 'file') {
      throw new RenderError('REQUEST_INVALID', `field ${part.fieldname}: not a file`);
    }
    const name = part.filename?.replaceAll('\\', '/').replace(/^\.\//, '') ?? '';
    if (name === '') {
      throw new RenderError('REQUEST_INVALID', `field ${part.fieldname}: without a file name`);
    }
    if (files.has(name)) throw new RenderError('REQUEST_INVALID', `${name}: given twice`);
    const bytes = await part.toBuffer();
    totalBytes += bytes.length;
    if (totalBytes > maxBytes) {
      throw new RenderError('LIMIT_EXCEEDED', `files: more than ${maxBytes} bytes together`);
    }
    files.set(name, bytes);
  }
  const models = [...files.keys()].filter((name) => /\.(gltf|glb)$/i.test(name));
  const [model, ...others] = models;
  if (model === undefined || others.length > 0) {
    throw new RenderError(
      'REQUEST_INVALID',
      `files: ${models.length} end in .gltf or .glb, exactly one must`,
    );
  }
  const bytes = files.get(model)!;
  const title = `${model}, ${totalBytes} bytes in ${files.size} files`;
  if (/\.glb$/i.test(model)) return { source: { kind: 'glb', bytes }, title };
  files.delete(model);
  return { source: { kind: 'gltf', json: bytes, files: relativeTo(model, files) }, title };
}

/** Where the model itself was sent with a folder, its URIs count from there. */
function relativeTo(model: string, files: Map<string, Uint8Array>): Map<string, Uint8Array> {
  const folder = model.slice(0, model.lastIndexOf('/') + 1);
  const relative = new Map<string, Uint8Array>();
  for (const [name, bytes] of files) {
    relative.set(name.startsWith(folder) ? name.slice(folder.length) : name, bytes);
  }
  return relative;
}
