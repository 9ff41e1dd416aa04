/** Routes of frames at a gateway: a posted frame is a batch of one interactive unit. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Batch, BatchUnit } from '@tessera/engine';
import { type ErrorCode, RenderError } from '@tessera/frame';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FrameFiles } from '../cluster/cluster-results.ts';
import { type FrameWork, frameUnit } from '../cluster/cluster-work.ts';
import { receiveBody } from '../http/frames/frame-body.ts';
import { hasCopy } from '../http/frames/frame-results.ts';
import { FRAME_PARAMS_SCHEMA, FRAME_STATUS_REF } from '../http/frames/frame-schemas.ts';
import { completeSource } from '../http/frames/post-frame.ts';
import { POST_FRAME_SCHEMA } from '../http/frames/post-frame-schema.ts';
import { readFrameOptions, refuseLargeImage } from '../http/frames/read-frame-options.ts';
import type { App } from '../http/protocol/app.ts';
import { readTags } from '../http/protocol/labels.ts';
import { chooseMediaType, waitSeconds } from '../http/protocol/negotiation.ts';
import {
  binaryContent,
  JSON_TYPE,
  PNG_TYPE,
  problems,
  REPORT_REF,
} from '../http/protocol/response-schemas.ts';
import { PRESET_SPECS } from '../specs/spec-store.ts';
import type { StoredBlob } from '../store/blob-store.ts';
import { ArrivingFiles } from './arriving-files.ts';
import { asProblem } from './blob-problems.ts';
import { streamStatus } from './cluster-events.ts';
import type { GatewayServices } from './gateway-services.ts';
import { statusOfFrame } from './statuses.ts';

/** Interval between two looks at a frame that a client waits for. */
const LOOK_MS = 100;
/** Length of the list of frames. */
const LISTED_FRAMES = 100;

/** Batch of a frame with its unit. */
interface ClusterFrame {
  readonly batch: Batch;
  readonly unit: BatchUnit;
}

/** Adds the routes of frames. */
export function addClusterFrames(app: App, services: GatewayServices): void {
  const { config, uploads, withEngine, tenantOf, version } = services;

  app.post('/v1/frames', {
    schema: POST_FRAME_SCHEMA,
    handler: async (request, reply) => {
      const { query, headers } = request;
      const mediaType = chooseMediaType(headers.accept, [JSON_TYPE, PNG_TYPE]);
      const read = readFrameOptions(query, config, PRESET_SPECS);
      const options = {
        ...read,
        chipletCount: read.chipletCount ?? config.TESSERA_DEFAULT_CHIPLETS,
      };
      const tenant = tenantOf(request);
      const blobs = new ArrivingFiles(services, tenant);
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
      const id = await submitOnce(services, request, work, idempotencyKey);
      return answer(request, reply, id, mediaType);
    },
  });

  /** Submits a frame. Returns the id of its batch, or of the one that an equal request created. */
  async function submitOnce(
    { withEngine }: GatewayServices,
    request: FastifyRequest,
    work: FrameWork,
    idempotencyKey: string | null,
  ): Promise<string> {
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

  async function answer(
    request: FastifyRequest,
    reply: FastifyReply,
    id: string,
    mediaType: typeof JSON_TYPE | typeof PNG_TYPE,
  ): Promise<FastifyReply> {
    const seconds = waitSeconds(request.headers.prefer);
    const endMs = performance.now() + seconds * 1000;
    let frame = await requireClusterFrame(services, request, id);
    while (frame.batch.state === 'open' && performance.now() < endMs && !reply.raw.destroyed) {
      await sleep(LOOK_MS);
      frame = await requireClusterFrame(services, request, id);
    }
    if (seconds > 0) reply.header('Preference-Applied', `wait=${seconds}`);
    reply.header('Vary', 'Accept, Prefer').header('Location', `/v1/frames/${id}`);
    if (seconds === 0 || frame.batch.state === 'open') {
      return reply.code(202).type(JSON_TYPE).send(statusOfFrame(frame.batch, frame.unit));
    }
    const { image, report } = requireFiles(frame);
    if (mediaType === PNG_TYPE) return sendFile(request, reply, image, PNG_TYPE);
    return sendFile(request, reply, report, JSON_TYPE);
  }

  app.get('/v1/frames', {
    schema: {
      operationId: 'listFrames',
      summary: 'List the newest frames of the tenant',
      tags: ['frames'],
    },
    handler: async (request) => {
      const filter = { tenant: tenantOf(request).name, limit: LISTED_FRAMES };
      return withEngine(async (engine) => {
        const batches = await engine.batches({ ...filter, workClass: 'interactive' });
        const frames = [];
        for (const batch of batches) {
          const [unit] = await engine.units(batch.id, { from: 0, limit: 1 });
          frames.push(statusOfFrame(batch, unit!));
        }
        return { frames };
      });
    },
  });

  app.get('/v1/frames/:id', {
    schema: {
      operationId: 'getFrame',
      summary: 'Get the status of a frame',
      tags: ['frames'],
      params: FRAME_PARAMS_SCHEMA,
      response: { 200: FRAME_STATUS_REF, ...problems(404, 503) },
    },
    handler: async (request) => {
      const { batch, unit } = await requireClusterFrame(services, request, request.params.id);
      return statusOfFrame(batch, unit);
    },
  });

  app.delete('/v1/frames/:id', {
    schema: {
      operationId: 'deleteFrame',
      summary: 'Cancel an unfinished frame',
      tags: ['frames'],
      params: FRAME_PARAMS_SCHEMA,
      response: { 204: { description: 'Done', type: 'null' }, ...problems(404, 503) },
    },
    handler: async (request, reply) => {
      const { id } = request.params;
      await requireClusterFrame(services, request, id);
      await withEngine((engine) => engine.cancel(id));
      return reply.code(204).send(null);
    },
  });

  app.get('/v1/frames/:id/events', {
    schema: {
      operationId: 'watchFrame',
      summary: 'Follow a frame (server-sent events)',
      tags: ['frames'],
      params: FRAME_PARAMS_SCHEMA,
    },
    handler: async (request, reply) => {
      const { id } = request.params;
      await requireClusterFrame(services, request, id);
      return streamStatus(reply, 'frame', async () => {
        const { batch, unit } = await requireClusterFrame(services, request, id);
        return { status: statusOfFrame(batch, unit), isOver: batch.state !== 'open' };
      });
    },
  });

  const results = [
    {
      path: 'image',
      type: PNG_TYPE,
      content: binaryContent(PNG_TYPE),
      of: ({ image }: FrameFiles) => image,
    },
    {
      path: 'report',
      type: JSON_TYPE,
      content: { [JSON_TYPE]: { schema: REPORT_REF } },
      of: ({ report }: FrameFiles) => report,
    },
    {
      path: 'timeline',
      type: JSON_TYPE,
      content: binaryContent(JSON_TYPE),
      of: ({ timeline }: FrameFiles) => timeline,
    },
    {
      path: 'measurement',
      type: 'application/octet-stream',
      content: binaryContent('application/octet-stream'),
      of: ({ measurement }: FrameFiles) => measurement,
    },
  ];
  for (const { path, type, content, of } of results) {
    app.get(`/v1/frames/:id/${path}`, {
      schema: {
        operationId: `getFrame${path[0]!.toUpperCase()}${path.slice(1)}`,
        summary: `Get the ${path} of a frame`,
        tags: ['frames'],
        params: FRAME_PARAMS_SCHEMA,
        response: { 200: { description: 'Result', content }, ...problems(404, 409, 503) },
      },
      handler: async (request, reply) => {
        const { id } = request.params;
        const blob = of(requireFiles(await requireClusterFrame(services, request, id)));
        if (blob === null) throw new RenderError('NOT_FOUND', `the frame has no ${path}`);
        return sendFile(request, reply, blob, type);
      },
    });
  }

  async function sendFile(
    request: FastifyRequest,
    reply: FastifyReply,
    { sha256, bytes }: StoredBlob,
    type: string,
  ): Promise<FastifyReply> {
    if (hasCopy(request, reply, sha256)) return reply.code(304).send(null);
    const content = await asProblem(services.blobs.get(sha256));
    // If the client disconnected meanwhile, nothing else ends the stream.
    if (reply.raw.destroyed) content.destroy();
    return reply.type(type).header('Content-Length', bytes).send(content);
  }
}

/**
 * Returns a frame of the tenant of a request.
 *
 * @throws {RenderError} NOT_FOUND, also for frames of other tenants.
 */
export async function requireClusterFrame(
  { withEngine, tenantOf }: GatewayServices,
  request: FastifyRequest,
  id: string,
): Promise<ClusterFrame> {
  const tenant = tenantOf(request).name;
  return withEngine(async (engine) => {
    const batch = await engine.batch(id);
    if (batch?.tenant !== tenant || batch.workClass !== 'interactive') {
      throw new RenderError('NOT_FOUND', `no frame ${id}`);
    }
    const [unit] = await engine.units(id, { from: 0, limit: 1 });
    return { batch, unit: unit! };
  });
}

/** @throws {RenderError} RESULT_NOT_READY, or the error that the frame failed with. */
function requireFiles({ unit }: ClusterFrame): FrameFiles {
  const { state, error, result } = unit;
  if (error !== null) throw new RenderError(error.code as ErrorCode, error.message);
  if (state === 'cancelled') throw new RenderError('FRAME_CANCELLED', 'the frame was cancelled');
  if (result === null) throw new RenderError('RESULT_NOT_READY', 'the frame is not rendered yet');
  return result.summary as FrameFiles; // A cell of this version wrote it.
}
