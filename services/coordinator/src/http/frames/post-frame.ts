/** `POST /v1/frames`: a body goes to disk, is prepared, and is admitted; a mistake in it gets its 4xx at once. */
import { createHash } from 'node:crypto';
import { parseGridRequest, RenderError, type Sha256 } from '@tessera/frame';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ChipletRegistry } from '../../chiplets/chiplet-registry.ts';
import type { Access } from '../../config/access.ts';
import type { Config } from '../../config/config.ts';
import type { FrameQueue } from '../../frames/frame-queue.ts';
import type { FrameRecord, FrameStore, Idempotency } from '../../frames/frame-store.ts';
import type { FrameOptions } from '../../prepare/frame-options.ts';
import type { FrameSource } from '../../prepare/frame-source.ts';
import type { BlobStore } from '../../store/blob-store.ts';
import type { ResourceLease, ResourceStore } from '../../store/resource-store.ts';
import { clientOf } from '../access/client-of.ts';
import type { App } from '../protocol/app.ts';
import { chooseMediaType, waitSeconds } from '../protocol/negotiation.ts';
import { traceOf } from '../protocol/request-trace.ts';
import {
  binaryContent,
  JSON_TYPE,
  PNG_TYPE,
  problems,
  REPORT_REF,
} from '../protocol/response-schemas.ts';
import { sendReport } from '../protocol/stored-results.ts';
import type { Uploads } from '../protocol/uploads.ts';
import { BODY_KINDS, MULTIPART_MEDIA_TYPE, type ReceivedBody, receiveBody } from './frame-body.ts';
import {
  FRAME_QUERY_SCHEMA,
  FRAME_STATUS_REF,
  type FrameQuery,
  IDEMPOTENCY_HEADERS_SCHEMA,
} from './frame-schemas.ts';
import { frameStatus } from './frame-status.ts';
import { readInterconnect } from './link-options.ts';
import { requireResult, sendImage } from './result-routes.ts';

export interface PostFrameOptions {
  readonly access: Access;
  readonly config: Config;
  readonly queue: FrameQueue;
  readonly store: FrameStore;
  readonly blobs: BlobStore;
  readonly uploads: Uploads;
  readonly resources: ResourceStore;
  readonly registry: ChipletRegistry;
}

/** Of a model's picture. */
const DEFAULT_WIDTH_PX = 1280;
const DEFAULT_HEIGHT_PX = 720;
/** For the document: bodies are checked when they are read. */
const FRAME_BODY_SCHEMA = {
  content: Object.fromEntries(
    [...Object.keys(BODY_KINDS), MULTIPART_MEDIA_TYPE].map((type) => [type, { schema: {} }]),
  ),
};

export function addPostFrame(app: App, options: PostFrameOptions): void {
  const { access, config, queue, store, blobs, uploads, resources, registry } = options;
  /** Aborted when the client of a post goes. */
  const goneByRequest = new WeakMap<FastifyRequest, AbortController>();

  app.post('/v1/frames', {
    schema: {
      operationId: 'postFrame',
      summary: 'Render a model, a frame of an OpenGL program, or a native frame',
      description:
        'The body is a glTF 2.0 model: a .glb, a .gltf whose files are data URIs, or a multipart form of a .gltf ' +
        'and the files that it names (field names are free, file names are the URIs). ' +
        'Or it is an apitrace capture of an OpenGL program, of which one frame is rendered in the size of its window. ' +
        'Or it is a frame in the native form, as MessagePack or JSON (docs/frame-format.md); it may name resources that ' +
        'were put before, and a 409 lists those that are not there. ' +
        'Captures and native frames may come in a form too, which gives them the name of their file. ' +
        'With `Prefer: wait=N` the answer comes when the frame is done, within N seconds: the PNG under ' +
        '`Accept: image/png`, else the report. Otherwise 202 and where to look. ' +
        'What is posted is read and checked before it is admitted: a mistake gets its 4xx at once, which names the place or the call. ' +
        'An admitted frame is on disk: it is rendered even if the service is killed and started again. ' +
        'With an `Idempotency-Key` a request that is sent twice is one frame.',
      tags: ['frames'],
      headers: IDEMPOTENCY_HEADERS_SCHEMA,
      body: FRAME_BODY_SCHEMA,
      querystring: FRAME_QUERY_SCHEMA,
      response: {
        200: {
          description: 'Done in time: picture or report',
          content: { ...binaryContent(PNG_TYPE), [JSON_TYPE]: { schema: REPORT_REF } },
        },
        202: { description: 'Admitted', content: { [JSON_TYPE]: { schema: FRAME_STATUS_REF } } },
        ...problems(400, 406, 409, 410, 413, 415, 422, 429, 500, 503, 504, 507),
      },
    },
    onRequest: async (request) => {
      // Where the queue is full the body is not read. A place is taken only once it has arrived: bodies are slow.
      queue.reserve(clientOf(request, access))();
      goneByRequest.set(request, new AbortController());
    },
    onRequestAbort: async (request) => goneByRequest.get(request)?.abort(),
    handler: async (request, reply) => {
      const mediaType = chooseMediaType(request.headers.accept, [JSON_TYPE, PNG_TYPE]);
      const frameOptions = readOptions(request.query, config);
      const key = request.headers['idempotency-key'] ?? null;
      const maxBytes = config.TESSERA_MAX_BODY_BYTES;
      const body = await receiveBody(request, { blobs, uploads, maxBytes });
      let record: FrameRecord;
      let giveBackPlace = () => {};
      const lease = resources.lease();
      try {
        giveBackPlace = queue.reserve(clientOf(request, access));
        const source = completeSource(body, request.query);
        const idempotency = key === null ? null : { key, fingerprint: hashOf(source, request) };
        const { signal } = goneByRequest.get(request)!;
        record =
          findTwin(idempotency) ??
          (await admit(source, frameOptions, body.title, idempotency, signal, request, lease));
      } finally {
        giveBackPlace();
        lease.close();
        blobs.release(body.files);
      }
      return answer(request, reply, record, mediaType);
    },
  });

  async function admit(
    source: FrameSource,
    frameOptions: FrameOptions,
    title: string,
    idempotency: Idempotency | null,
    signal: AbortSignal,
    request: FastifyRequest,
    lease: ResourceLease,
  ): Promise<FrameRecord> {
    const trace = traceOf(request);
    const client = clientOf(request, access);
    if (source.kind === 'glb' || source.kind === 'gltf') {
      const pixels = frameOptions.widthPx * frameOptions.heightPx;
      if (pixels > config.TESSERA_MAX_PIXELS) {
        throw new RenderError(
          'LIMIT_EXCEEDED',
          `query.width × query.height: ${pixels} pixels; at most ${config.TESSERA_MAX_PIXELS}`,
        );
      }
    }
    registry.requireSpec(frameOptions.spec);
    const startMs = performance.now();
    const model = await queue.prepare(source, frameOptions, signal, client);
    trace.span('prepare', startMs, performance.now());
    // The same request may have been admitted while this one was prepared.
    const twin = findTwin(idempotency);
    if (twin !== null) return twin;
    // Settled here, so that chiplets that come and go do not change what the frame is.
    const chipletCount = frameOptions.chipletCount ?? registry.countReady(frameOptions.spec);
    const named = lease
      .take(model.resources)
      .map((file) => ({ name: `resource ${file.sha256}`, ...file }));
    return queue.submit(
      model,
      { ...frameOptions, chipletCount },
      { title, source: { ...source, files: [...source.files, ...named] }, idempotency, trace },
      client,
    );
  }

  /** The frame that an equal request made; `null` without one. @throws {RenderError} IDEMPOTENCY_KEY_REUSED. */
  function findTwin(idempotency: Idempotency | null): FrameRecord | null {
    const found = idempotency === null ? null : store.findByKey(idempotency.key);
    if (found === null) return null;
    if (found.fingerprint !== idempotency?.fingerprint) {
      throw new RenderError(
        'IDEMPOTENCY_KEY_REUSED',
        `Idempotency-Key: frame ${found.record.id} was posted under it with another body or query`,
      );
    }
    return found.record;
  }

  async function answer(
    request: FastifyRequest,
    reply: FastifyReply,
    admitted: FrameRecord,
    mediaType: typeof JSON_TYPE | typeof PNG_TYPE,
  ): Promise<FastifyReply> {
    const { id } = admitted;
    const seconds = waitSeconds(request.headers.prefer);
    if (seconds > 0) {
      await queue.waitFor(id, seconds * 1000);
      reply.header('Preference-Applied', `wait=${seconds}`);
    }
    reply.header('Vary', 'Accept, Prefer');
    reply.header('Location', `/v1/frames/${id}`);
    if (seconds === 0 || admitted.phase !== 'over') {
      return reply.code(202).type(JSON_TYPE).send(frameStatus(admitted));
    }
    const result = requireResult(admitted);
    if (mediaType === PNG_TYPE) return sendImage(request, reply, blobs, result.image);
    return sendReport(reply, store, id);
  }
}

/** What a query says of a frame. */
export function readOptions(query: FrameQuery, config: Config): FrameOptions {
  return {
    widthPx: query.width ?? DEFAULT_WIDTH_PX,
    heightPx: query.height ?? DEFAULT_HEIGHT_PX,
    policy: query.policy,
    binCount: query.bins,
    grid: query.grid === undefined ? undefined : parseGridRequest(query.grid, 'query.grid'),
    splits: query.split,
    cullsOccluded: query.occlusion,
    visibilityShader: query.visibility,
    timing: query.timing,
    spec: query.spec ?? null,
    chipletCount: query.chiplets ?? null,
    interconnect: readInterconnect(query, config),
    overlap: query.overlap,
    cameraIndex: query.camera ?? null,
    timeSeconds: query.time ?? 0,
  };
}

/** What was posted together with what the query says about it. */
function completeSource({ kind, files }: ReceivedBody, query: FrameQuery): FrameSource {
  const isModel = kind === 'glb' || kind === 'gltf';
  const strange = isModel ? [] : (['width', 'height', 'camera', 'time'] as const);
  for (const name of strange) {
    if (query[name] === undefined) continue;
    const what = kind === 'capture' ? 'capture' : 'native frame';
    const message = `query.${name}: a ${what} says its own size, view and time`;
    throw new RenderError('REQUEST_INVALID', message);
  }
  if (kind !== 'capture' && query.frame !== undefined) {
    const what = isModel ? 'model' : 'native frame';
    throw new RenderError('REQUEST_INVALID', `query.frame: a ${what} has no frames`);
  }
  return { kind, files, frameIndex: query.frame ?? 0 };
}

/** Of all that makes a request what it is: the body's content and the query. */
function hashOf(source: FrameSource, request: FastifyRequest): Sha256 {
  const files = source.files.map(({ name, sha256 }) => [name, sha256]);
  const query = Object.entries(request.query as object).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([source.kind, files, query]))
    .digest('hex');
}
