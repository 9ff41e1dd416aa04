/**
 * Streams the body of a request to disk, by its content type: a model, a capture or a native frame.
 */
import { extname } from 'node:path';
import type { Readable } from 'node:stream';
import { RenderError } from '@tessera/frame';
import type { FastifyError, FastifyRequest } from 'fastify';
import type { SourceFile, SourceKind } from '../../prepare/frame-source.ts';
import type { BlobStore } from '../../store/blob-store.ts';
import { describeMediaTypes } from '../protocol/problem.ts';
import type { BodyCount, Upload, Uploads } from '../protocol/uploads.ts';

/** Kinds of single-file bodies, by media type. */
export const BODY_KINDS = {
  'model/gltf-binary': 'glb',
  'model/gltf+json': 'gltf',
  'application/vnd.apitrace': 'capture',
  'application/vnd.tessera.frame+msgpack': 'frame-msgpack',
  'application/json': 'frame-json',
} as const satisfies Record<string, SourceKind>;
/** Kinds of files that are sent alone in a form, by file extension. */
const LONE_KINDS: Readonly<Record<string, SourceKind>> = {
  '.trace': 'capture',
  '.msgpack': 'frame-msgpack',
  '.json': 'frame-json',
};
/** Names of frames whose body has no file name. */
const KIND_NAMES: Readonly<Record<SourceKind, string>> = {
  glb: 'glTF model',
  gltf: 'glTF model',
  capture: 'OpenGL capture',
  'frame-msgpack': 'native frame',
  'frame-json': 'native frame',
};
/** Media type of forms. */
export const MULTIPART_MEDIA_TYPE = 'multipart/form-data';

/** Upper bound on files of one form. */
export const MAX_FILES = 256;

/** Body on disk, whose files are held. */
export interface ReceivedBody {
  readonly kind: SourceKind;
  readonly files: readonly SourceFile[];
  /** Name of the model or lone file; its kind if the body has no file name. */
  readonly name: string;
  /** Human-readable kind and size of the body. */
  readonly model: string;
}

/** Services and limits of {@link receiveBody}. */
export interface ReceiveOptions {
  readonly blobs: Pick<BlobStore, 'writeStream' | 'release'>;
  readonly uploads: Uploads;
  /** Counts the bytes of the body for its client. */
  readonly count?: BodyCount | undefined;
  /** Upper bound on the bytes of all files together. */
  readonly maxBytes: number;
}

/**
 * Streams a body to disk.
 *
 * @throws {RenderError} MEDIA_TYPE_UNSUPPORTED, REQUEST_INVALID, LIMIT_EXCEEDED, UPLOADS_FULL,
 *   QUOTA_EXCEEDED, STORAGE_FULL. No file is held then.
 */
export async function receiveBody(
  request: FastifyRequest,
  options: ReceiveOptions,
): Promise<ReceivedBody> {
  const upload = options.uploads.begin(options.count);
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
    throw new RenderError('MEDIA_TYPE_UNSUPPORTED', describeMediaTypes(request));
  }
  // The parser of these types passes the stream through.
  const stream = upload.count(request.body as Readable);
  const file = await receiveFile(stream, mediaType, options);
  if (file.bytes === 0) {
    options.blobs.release([file]);
    throw new RenderError(
      'REQUEST_INVALID',
      'body: empty; expected a model, capture or native frame',
    );
  }
  return {
    kind,
    files: [file],
    name: KIND_NAMES[kind],
    model: `${mediaType}, ${file.bytes} bytes`,
  };
}

/** Returns the bytes that a request announces for its body; 0 if it announces none. */
export function contentLength({ headers }: FastifyRequest): number {
  const bytes = Number(headers['content-length'] ?? 0);
  return Number.isSafeInteger(bytes) && bytes > 0 ? bytes : 0;
}

/** Returns the media type of the body without parameters, in lower case. */
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

/** Receives a form: a .gltf with the files it names, or a single .glb, capture or native frame. */
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
        throw new RenderError('REQUEST_INVALID', `field ${part.fieldname}: is not a file`);
      }
      const name = part.filename?.replaceAll('\\', '/').replace(/^\.\//, '') ?? '';
      if (name === '') {
        throw new RenderError('REQUEST_INVALID', `field ${part.fieldname}: has no file name`);
      }
      if (files.some((file) => file.name === name)) {
        throw new RenderError('REQUEST_INVALID', `${name}: sent twice; send each file once`);
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
 * Passes through the parts of a form. Converts errors of the parser to REQUEST_INVALID, because the
 * form is malformed: no boundary, cut off, or an invalid part header.
 */
async function* blameForm<T>(given: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = given[Symbol.asyncIterator]();
  let isOver = false;
  try {
    for (;;) {
      const next = await iterator.next().catch((error: FastifyError) => {
        isOver = true;
        if (error.statusCode === 413) throw error; // A limit of the parser is exceeded.
        const message = `body: malformed form (${error.message})`;
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
    const { name } = lone;
    return { kind: loneKind, files: [lone], name, model: `${name}, ${totalBytes} bytes` };
  }
  const models = files.filter(({ name }) => /\.(gltf|glb)$/i.test(name));
  const [model, ...others] = models;
  if (model === undefined || others.length > 0) {
    throw new RenderError(
      'REQUEST_INVALID',
      `files: ${models.length} end in .gltf or .glb; send exactly one of these, or a single .trace, .msgpack or .json file`,
    );
  }
  const inFiles = files.length === 1 ? '' : ` in ${files.length} files`;
  // If the model was sent with a folder in its name, its URIs are relative to that folder.
  const folder = model.name.slice(0, model.name.lastIndexOf('/') + 1);
  const named = files
    .filter((file) => file !== model)
    .map((file) => ({
      ...file,
      name: file.name.startsWith(folder) ? file.name.slice(folder.length) : file.name,
    }));
  const kind = /\.glb$/i.test(model.name) ? 'glb' : 'gltf';
  return {
    kind,
    files: [model, ...named],
    name: model.name,
    model: `${model.name}, ${totalBytes} bytes${inFiles}`,
  };
}
