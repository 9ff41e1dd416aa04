/**
 * `POST /v1/frames`: streams the body to disk, prepares the frame and admits it. A mistake in the
 * body is answered with 4xx before admission.
 */
import { RenderError } from '@tessera/frame';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ClientQuotas } from '../../admission/client-quotas.ts';
import type { ChipletRegistry } from '../../chiplets/chiplet-registry.ts';
import type { Access } from '../../config/access.ts';
import type { Config } from '../../config/config.ts';
import type { FrameQueue } from '../../frames/frame-queue.ts';
import type { Admission, FrameRecord, Idempotency } from '../../frames/frame-record.ts';
import type { FrameStore } from '../../frames/frame-store.ts';
import type { FrameOptions } from '../../prepare/frame-options.ts';
import type { FrameSource } from '../../prepare/frame-source.ts';
import type { SpecStore } from '../../specs/spec-store.ts';
import type { BlobStore } from '../../store/blob-store.ts';
import type { ResourceLease, ResourceStore } from '../../store/resource-store.ts';
import { clientOf } from '../access/client-of.ts';
import type { App } from '../protocol/app.ts';
import { readTags } from '../protocol/labels.ts';
import { chooseMediaType, waitSeconds } from '../protocol/negotiation.ts';
import { traceOf } from '../protocol/request-trace.ts';
import { JSON_TYPE, PNG_TYPE } from '../protocol/response-schemas.ts';
import { sendReport } from '../protocol/stored-results.ts';
import type { Uploads } from '../protocol/uploads.ts';
import type { Validated } from '../protocol/validated-request.ts';
import { contentLength, type ReceivedBody, receiveBody } from './frame-body.ts';
import { requireResult, sendImage } from './frame-results.ts';
import type { FrameQuery } from './frame-schemas.ts';
import { frameStatus } from './frame-status.ts';
import type { PostQuery } from './post-frame-schema.ts';
import { POST_FRAME_SCHEMA } from './post-frame-schema.ts';
import {
  isModel,
  readFrameOptions,
  refuseLargeImage,
  refuseModelParameters,
} from './read-frame-options.ts';
import { findRepeated, fingerprintOf } from './repeated-posts.ts';

/** Services that `POST /v1/frames` uses. */
export interface PostFrameOptions {
  readonly access: Access;
  readonly config: Config;
  readonly queue: FrameQueue;
  readonly quotas: ClientQuotas;
  readonly store: FrameStore;
  readonly blobs: BlobStore;
  readonly uploads: Uploads;
  readonly resources: ResourceStore;
  readonly registry: ChipletRegistry;
  readonly specs: SpecStore;
}

type PostRequest = Validated<{
  query: PostQuery;
  headers: { 'idempotency-key'?: string };
}>;

/** Post whose body is on disk. */
interface ReceivedPost {
  readonly request: PostRequest;
  readonly source: FrameSource;
  readonly labels: Pick<Admission, 'name' | 'tags' | 'model'>;
  readonly options: FrameOptions;
  readonly idempotency: Idempotency | null;
  readonly lease: ResourceLease;
}

/** Adds `POST /v1/frames`. */
export function addPostFrame(app: App, options: PostFrameOptions): void {
  const handler = new PostFrameHandler(options);
  app.post('/v1/frames', {
    schema: POST_FRAME_SCHEMA,
    onRequest: async (request) => handler.open(request),
    onRequestAbort: async (request) => handler.abort(request),
    handler: async (request, reply) => handler.handlePost(request, reply),
  });
}

class PostFrameHandler {
  readonly #options: PostFrameOptions;
  /** Aborted when the client of a post disconnects. */
  readonly #abortByRequest = new WeakMap<FastifyRequest, AbortController>();

  constructor(options: PostFrameOptions) {
    this.#options = options;
  }

  /**
   * Rejects a post before its body is read if the queue is full or a quota of its client is used
   * up. Does not keep the place, because a body may take long to arrive.
   */
  open(request: FastifyRequest): void {
    const { queue, quotas, access } = this.#options;
    const client = clientOf(request, access);
    const release = queue.reserve(client);
    release();
    quotas.refuseBytes(client, contentLength(request));
    this.#abortByRequest.set(request, new AbortController());
  }

  abort(request: FastifyRequest): void {
    this.#abortByRequest.get(request)?.abort();
  }

  async handlePost(request: PostRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { access, config, queue, quotas, blobs, uploads, resources, specs } = this.#options;
    const mediaType = chooseMediaType(request.headers.accept, [JSON_TYPE, PNG_TYPE]);
    const options = readFrameOptions(request.query, config, specs);
    const key = request.headers['idempotency-key'] ?? null;
    const maxBytes = config.TESSERA_MAX_BODY_BYTES;
    const count = quotas.beginBody(clientOf(request, access));
    const body = await receiveBody(request, { blobs, uploads, count, maxBytes });
    const lease = resources.lease();
    let releasePlace = () => {};
    let record: FrameRecord;
    try {
      releasePlace = queue.reserve(clientOf(request, access));
      const source = completeSource(body, request.query);
      const idempotency =
        key === null ? null : { key, fingerprint: fingerprintOf(source, request.query) };
      const { name = body.name, tags } = request.query;
      const labels = { name, tags: readTags(tags), model: body.model };
      record = await this.#admit({ request, source, labels, options, idempotency, lease });
    } finally {
      releasePlace();
      lease.close();
      blobs.release(body.files);
    }
    return this.#answer(request, reply, record, mediaType);
  }

  /** Returns the frame of an equal post, or prepares and queues a new one. */
  async #admit(post: ReceivedPost): Promise<FrameRecord> {
    const { access, config, queue, store, registry } = this.#options;
    const { request, source, labels, options, idempotency, lease } = post;
    const repeated = findRepeated(store, idempotency);
    if (repeated !== null) return repeated;
    const trace = traceOf(request);
    const client = clientOf(request, access);
    refuseLargeImage(source.kind, options, config);
    const startMs = performance.now();
    const { signal } = this.#abortByRequest.get(request)!;
    const model = await queue.prepare(source, options, signal, client);
    trace.span('prepare', startMs, performance.now());
    // An equal post may have been admitted while this one was prepared.
    const concurrent = findRepeated(store, idempotency);
    if (concurrent !== null) return concurrent;
    // Fixed at admission, so that chiplets that connect or disconnect later do not change the
    // frame.
    const chipletCount = options.chipletCount ?? registry.countReady();
    const named = lease
      .take(model.resources)
      .map((file) => ({ name: `resource ${file.sha256}`, ...file }));
    return queue.submit(
      model,
      { ...options, chipletCount },
      {
        ...labels,
        source: { ...source, files: [...source.files, ...named] },
        idempotency,
        client,
        trace,
      },
    );
  }

  async #answer(
    request: FastifyRequest,
    reply: FastifyReply,
    admitted: FrameRecord,
    mediaType: typeof JSON_TYPE | typeof PNG_TYPE,
  ): Promise<FastifyReply> {
    const { queue, store, blobs } = this.#options;
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

/**
 * Returns the source that a body and its query define.
 *
 * @throws {RenderError} REQUEST_INVALID for a parameter that the kind of source does not have.
 */
export function completeSource({ kind, files }: ReceivedBody, query: FrameQuery): FrameSource {
  refuseModelParameters(kind, query);
  const { frame, call } = query;
  for (const [name, value] of Object.entries({ frame, call })) {
    if (kind === 'capture' || value === undefined) continue;
    const source = isModel(kind) ? 'model' : 'native frame';
    throw new RenderError(
      'REQUEST_INVALID',
      `query.${name}: a ${source} has one frame; only a capture has several`,
    );
  }
  if (frame !== undefined && call !== undefined) {
    throw new RenderError('REQUEST_INVALID', 'query.call: does not apply together with frame');
  }
  return { kind, files, frameIndex: call === undefined ? (frame ?? 0) : { call } };
}
