/** Takes the body of a request to disk, by its content type: a model, a capture, a frame in the native form. */
import { extname } from 'node:path';
import type { Readable } from 'node:stream';
import { RenderError } from '@tessera/frame';
import type { FastifyError, FastifyRequest } from 'fastify';
import type { SourceFile, SourceKind } from '../../prepare/frame-source.ts';
import type { BlobStore } from '../../store/blob-store.ts';
import type { Upload, Uploads } from '../protocol/uploads.ts';

/** Bodies of one file, by media type. */
export const BODY_KINDS = {
  'model/gltf-binary': 'glb',
  'model/gltf+json': 'gltf',
  'application/vnd.apitrace': 'capture',
  'application/vnd.tessera.frame+msgpack': 'frame-msgpack',
  'application/json': 'frame-json',
} as const satisfies Record<string, SourceKind>;
/** What a file is that is sent in a form by itself, by the ending of its name. */
const LONE_KINDS: Readonly<Record<string, SourceKind>> = {
  '.trace': 'capture',
  '.msgpack': 'frame-msgpack',
  '.json': 'frame-json',
};
export const MULTIPART_MEDIA_TYPE = 'multipart/form-data';

/** Files of one multipart body at most. */
export const MAX_FILES = 256;

/** A body on disk; its files are held. */
export interface ReceivedBody {
  readonly kind: SourceKind;
  readonly files: readonly SourceFile[];
  /** Kind and size, for people. */
  readonly title: string;
}

export interface ReceiveOptions {
  readonly blobs: BlobStore;
  readonly uploads: Uploads;
  /** Bytes of all files together at most. */
  readonly maxBytes: number;
}

/**
 * Streams a body to disk.
 *
 * @throws {RenderError} MEDIA_TYPE_UNSUPPORTED, REQUEST_INVALID, LIMIT_EXCEEDED, UPLOADS_FULL, STORAGE_FULL; nothing is
 *   held then.
 */
export async function receiveBody(
  request: FastifyRequest,
  options: ReceiveOptions,
): Promise<ReceivedBody> {
  const upload = options.uploads.begin();
  try {
    return request.isMultipart()
      ? await receiveParts(request, options, upload)
      : await receiveLoneFile(request, options, upload);
  } finally {
    upload.close();
  }
}

async function receiveLoneFile(
  request: FastifyRequest,
  options: ReceiveOptions,
  upload: Upload,
): Promise<ReceivedBody> {
  const mediaType = mediaTypeOf(request);
  const kind = Object.entries(BODY_KINDS).find(([type]) => type === mediaType)?.[1];
  if (mediaType === undefined || kind === undefined) {
    throw new RenderError('MEDIA_TYPE_UNSUPPORTED', `Content-Type: '${mediaType ?? ''}'`);
  }
  // The parser of these types hands the stream on as it is.
  const stream = upload.count(request.body as Readable);
  const file = await receiveFile(stream, mediaType, options);
  if (file.bytes === 0) {
    options.blobs.release([file]);
    throw new RenderError(
      'REQUEST_INVALID',
      'body: empty, a model, capture or native frame is expected',
    );
  }
  return { kind, files: [file], title: `${mediaType}, ${file.bytes} bytes` };
}

/** Type of the body without its parameters, in lower case. */
export function mediaTypeOf(request: FastifyRequest): string | undefined {
  return request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
}

async function receiveFile(
  stream: AsyncIterable<Uint8Array>,
  name: string,
  { blobs, maxBytes }: Pick<ReceiveOptions, 'blobs' | 'maxBytes'>,
): Promise<SourceFile> {
  return { name, ...(await blobs.writeStream(stream, maxBytes)) };
}

/** A .gltf and the files that it names, by their file names; or a lone .glb, capture or native frame. */
async function receiveParts(
  request: FastifyRequest,
  { blobs, maxBytes }: ReceiveOptions,
  upload: Upload,
): Promise<ReceivedBody> {
  const files: SourceFile[] = [];
  let totalBytes = 0;
  try {
    const parts = request.parts({ preservePath: true, limits: { files: MAX_FILES } });
    for await (const part of blameForm(parts)) {
      if (part.type !== 'file') {
        throw new RenderError('REQUEST_INVALID', `field ${part.fieldname}: not a file`);
      }
      const name = part.filename?.replaceAll('\\', '/').replace(/^\.\//, '') ?? '';
      if (name === '') {
        throw new RenderError('REQUEST_INVALID', `field ${part.fieldname}: without a file name`);
      }
      if (files.some((file) => file.name === name)) {
        throw new RenderError('REQUEST_INVALID', `${name}: given twice`);
      }
      const left = { blobs, maxBytes: maxBytes - totalBytes };
      const file = await receiveFile(upload.count(blameForm(part.file)), name, left);
      files.push(file);
      totalBytes += file.bytes;
    }
    return orderParts(files, totalBytes);
  } catch (error) {
    blobs.release(files);
    throw error;
  }
}

/**
 * Passes on what the parser of a form gives. Whatever the parser throws is wrong with the form: it has no boundary, is
 * cut off, has a head that is none.
 */
async function* blameForm<T>(given: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = given[Symbol.asyncIterator]();
  let isOver = false;
  try {
    for (;;) {
      const next = await iterator.next().catch((error: FastifyError) => {
        isOver = true;
        if (error.statusCode === 413) throw error; // beyond a limit of the parser
        const message = `body: no form that can be read (${error.message})`;
        throw new RenderError('REQUEST_INVALID', message, { cause: error });
      });
      isOver ||= next.done === true;
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    if (!isOver) iterator.return?.().catch(() => {});
  }
}

function orderParts(files: readonly SourceFile[], totalBytes: number): ReceivedBody {
  const [lone] = files;
  const loneKind = files.length === 1 ? LONE_KINDS[extname(lone!.name).toLowerCase()] : undefined;
  if (lone !== undefined && loneKind !== undefined) {
    return { kind: loneKind, files: [lone], title: `${lone.name}, ${totalBytes} bytes` };
  }
  const models = files.filter(({ name }) => /\.(gltf|glb)$/i.test(name));
  const [model, ...others] = models;
  if (model === undefined || others.length > 0) {
    throw new RenderError(
      'REQUEST_INVALID',
      `files: ${models.length} end in .gltf or .glb, exactly one must, or a lone one in .trace, .msgpack or .json`,
    );
  }
  const inFiles = files.length === 1 ? '' : ` in ${files.length} files`;
  const title = `${model.name}, ${totalBytes} bytes${inFiles}`;
  // Where the model itself was sent with a folder, its URIs count from there.
  const folder = model.name.slice(0, model.name.lastIndexOf('/') + 1);
  const named = files
    .filter((file) => file !== model)
    .map((file) => ({
      ...file,
      name: file.name.startsWith(folder) ? file.name.slice(folder.length) : file.name,
    }));
  const kind = /\.glb$/i.test(model.name) ? 'glb' : 'gltf';
  return { kind, files: [model, ...named], title };
}
