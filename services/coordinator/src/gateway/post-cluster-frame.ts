/** `POST /v1/frames` at a gateway: stores the files of a frame and submits its unit. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { RenderError } from '@tessera/frame';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type FrameWork, frameUnit } from '../cluster/cluster-work.ts';
import { receiveBody } from '../http/frames/frame-body.ts';
import { completeSource } from '../http/frames/post-frame.ts';
import type { PostQuery } from '../http/frames/post-frame-schema.ts';
import { readFrameOptions, refuseLargeImage } from '../http/frames/read-frame-options.ts';
import { readTags } from '../http/protocol/labels.ts';
import { chooseMediaType, waitSeconds } from '../http/protocol/negotiation.ts';
import { JSON_TYPE, PNG_TYPE } from '../http/protocol/response-schemas.ts';
import type { Validated } from '../http/protocol/validated-request.ts';
import { PRESET_SPECS } from '../specs/spec-store.ts';
import { ArrivingFiles } from './arriving-files.ts';
import { requireClusterFrame, requireFiles, sendClusterFile } from './cluster-frames.ts';
import type { GatewayServices } from './gateway-services.ts';
import { statusOfFrame } from './statuses.ts';

/** Interval between two looks at a frame that a client waits for. */
const LOOK_MS = 100;

type PostRequest = Validated<{ query: PostQuery; headers: { 'idempotency-key'?: string } }>;

/** Handler of `POST /v1/frames`. */
export class PostClusterFrame {
  readonly #services: GatewayServices;

  constructor(services: GatewayServices) {
    this.#services = services;
  }

  async handle(request: PostRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { config, uploads, tenantOf } = this.#services;
    const { query, headers } = request;
    const mediaType = chooseMediaType(headers.accept, [JSON_TYPE, PNG_TYPE]);
    const read = readFrameOptions(query, config, PRESET_SPECS);
    const options = {
      ...read,
      chipletCount: read.chipletCount ?? config.TESSERA_DEFAULT_CHIPLETS,
    };
    const tenant = tenantOf(request);
    const blobs = new ArrivingFiles(this.#services, tenant);
    const maxBytes = config.TESSERA_MAX_BODY_BYTES;
    const body = await receiveBody(request, { blobs, uploads, maxBytes });
    const source = completeSource(body, query);
    refuseLargeImage(source.kind, options, config);
    const { name = body.name, tags } = query;
    const work: FrameWork = {
      kind: 'frame',
      name,
      tags: readTags(tags),
      model: body.model,
      source,
      options,
    };
    const idempotencyKey = headers['idempotency-key'] ?? null;
    const id = await this.#submitOnce(request, work, idempotencyKey);
    return this.#answer(request, reply, id, mediaType);
  }

  /** Submits a frame. Returns the id of its batch, or of the one that an equal request created. */
  async #submitOnce(
    request: FastifyRequest,
    work: FrameWork,
    idempotencyKey: string | null,
  ): Promise<string> {
    const { withEngine, tenantOf, version } = this.#services;
    const tenant = tenantOf(request);
    const unit = frameUnit(version, work);
    return withEngine(async (engine) => {
      const repeated = async () => {
        if (idempotencyKey === null) return null;
        const known = await engine.findByKey(tenant.name, idempotencyKey);
        if (known === null) return null;
        const [knownUnit] = await engine.units(known.id, { from: 0, limit: 1 });
        if (knownUnit?.key === unit.key) return known.id;
        const message = `Idempotency-Key: '${idempotencyKey}' was used for another request`;
        throw new RenderError('IDEMPOTENCY_KEY_REUSED', message);
      };
      const earlier = await repeated();
      if (earlier !== null) return earlier;
      const id = randomUUID();
      try {
        await engine.submit({
          id,
          tenant,
          workClass: 'interactive',
          version,
          title: work.name,
          request: work,
          idempotencyKey,
          units: [unit],
        });
        return id;
      } catch (error) {
        // An equal request may have come first.
        const concurrent = await repeated();
        if (concurrent === null) throw error;
        return concurrent;
      }
    });
  }

  async #answer(
    request: FastifyRequest,
    reply: FastifyReply,
    id: string,
    mediaType: typeof JSON_TYPE | typeof PNG_TYPE,
  ): Promise<FastifyReply> {
    const seconds = waitSeconds(request.headers.prefer);
    const endMs = performance.now() + seconds * 1000;
    let frame = await requireClusterFrame(this.#services, request, id);
    while (frame.batch.state === 'open' && performance.now() < endMs && !reply.raw.destroyed) {
      await sleep(LOOK_MS);
      frame = await requireClusterFrame(this.#services, request, id);
    }
    if (seconds > 0) reply.header('Preference-Applied', `wait=${seconds}`);
    reply.header('Vary', 'Accept, Prefer').header('Location', `/v1/frames/${id}`);
    if (seconds === 0 || frame.batch.state === 'open') {
      return reply.code(202).type(JSON_TYPE).send(statusOfFrame(frame.batch, frame.unit));
    }
    const { image, report } = requireFiles(frame);
    if (mediaType === PNG_TYPE)
      return sendClusterFile(this.#services, request, reply, image, PNG_TYPE);
    return sendClusterFile(this.#services, request, reply, report, JSON_TYPE);
  }
}
