/** What became of a frame: picture, report, timeline. */
import { rm } from 'node:fs/promises';
import { RenderError } from '@tessera/frame';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ComputePool } from '../../compute/compute-pool.ts';
import type { ComputeInput } from '../../compute/compute-tasks.ts';
import type { FrameRecord, FrameResult, FrameStore } from '../../frames/frame-store.ts';
import type { BlobStore, StoredBlob } from '../../store/blob-store.ts';
import type { App } from '../protocol/app.ts';
import { chooseMediaType, isNotModified } from '../protocol/negotiation.ts';
import {
  binaryContent,
  JSON_TYPE,
  PNG_TYPE,
  problems,
  REPORT_REF,
  TIMELINE_SCHEMA,
} from '../protocol/response-schemas.ts';
import { clientSignal, sendBlob, sendFile, sendReport } from '../protocol/stored-results.ts';
import { FRAME_PARAMS_SCHEMA, IMAGE_QUERY_SCHEMA } from './frame-schemas.ts';

export interface ResultRouteOptions {
  readonly store: FrameStore;
  readonly blobs: BlobStore;
  /** Draws images. */
  readonly images: ComputePool;
}

/** What never changes under its address may be kept by whoever asked. */
const FOR_EVER = 'private, max-age=31536000, immutable';
const RESULT_PROBLEMS = problems(400, 404, 406, 409, 410, 413, 422, 500, 503, 504, 507);

export function addResultRoutes(app: App, { store, blobs, images }: ResultRouteOptions): void {
  /** Draws an image into a file without a name, and sends it. */
  async function sendDrawn(
    reply: FastifyReply,
    drawn: Omit<ComputeInput<'draw-bins'>, 'path'>,
  ): Promise<FastifyReply> {
    const { path, file } = await blobs.openTemporary();
    try {
      const bytes = await images.run('draw-bins', { ...drawn, path }, clientSignal(reply));
      return sendFile(reply, file, bytes, PNG_TYPE);
    } catch (error) {
      await file.close();
      throw error;
    } finally {
      // An open file outlives its name.
      await rm(path, { force: true });
    }
  }

  app.get('/v1/frames/:id/image', {
    schema: {
      operationId: 'getFrameImage',
      summary: 'The picture of a frame, of one of its passes, or of its bins',
      tags: ['frames'],
      params: FRAME_PARAMS_SCHEMA,
      querystring: IMAGE_QUERY_SCHEMA,
      response: {
        200: { description: 'The picture, opaque', content: binaryContent(PNG_TYPE) },
        304: { description: 'The picture is the one of If-None-Match', type: 'null' },
        ...RESULT_PROBLEMS,
      },
    },
    handler: async (request, reply) => {
      chooseMediaType(request.headers.accept, [PNG_TYPE]);
      const { target, bins } = request.query;
      const record = requireFrame(store, request.params.id);
      const image = pictureOf(requireResult(record), target);
      if (bins === undefined) return sendImage(request, reply, blobs, image);
      const tag = `${image.sha256}-${target ?? 'screen'}-${bins}`;
      if (isKnown(request, reply, tag)) return reply.code(304).send(null);
      // The frame may be deleted while its image is drawn.
      blobs.hold([image]);
      try {
        await blobs.verify([image]);
        const pngPath = blobs.pathOf(image.sha256);
        const report = store.reports.json(record.id)!;
        const drawn = { pngPath, report, passIndex: target ?? null, coloring: bins };
        return await sendDrawn(reply, drawn);
      } finally {
        blobs.release([image]);
      }
    },
  });

  app.get('/v1/frames/:id/report', {
    schema: {
      operationId: 'getFrameReport',
      summary: 'The report of a frame',
      tags: ['frames'],
      params: FRAME_PARAMS_SCHEMA,
      response: {
        200: { description: 'The report', content: { [JSON_TYPE]: { schema: REPORT_REF } } },
        304: { description: 'The report is the one of If-None-Match', type: 'null' },
        ...RESULT_PROBLEMS,
      },
    },
    handler: async (request, reply) => {
      chooseMediaType(request.headers.accept, [JSON_TYPE]);
      const record = requireFrame(store, request.params.id);
      requireResult(record);
      // A report belongs to one rendering: wall time differs, so the frame's identity is its tag.
      if (isKnown(request, reply, `${record.id}-report`)) return reply.code(304).send(null);
      return sendReport(reply, store, record.id);
    },
  });

  app.get('/v1/frames/:id/timeline', {
    schema: {
      operationId: 'getFrameTimeline',
      summary:
        'Phases, bins, transfers and how busy units were, as a Chrome trace; opens in Perfetto',
      tags: ['frames'],
      params: FRAME_PARAMS_SCHEMA,
      response: {
        200: {
          description:
            'The trace: process = chiplet, thread = unit, 1 cycle = 1 ns; of a unit one event per interval of 8,192 cycles or more',
          content: { [JSON_TYPE]: { schema: TIMELINE_SCHEMA } },
        },
        304: { description: 'The timeline is the one of If-None-Match', type: 'null' },
        ...RESULT_PROBLEMS,
      },
    },
    handler: async (request, reply) => {
      chooseMediaType(request.headers.accept, [JSON_TYPE]);
      const { timeline } = requireResult(requireFrame(store, request.params.id));
      if (timeline === null) {
        throw new RenderError(
          'NOT_FOUND',
          'the frame has no timeline: it asked for timing=functional',
        );
      }
      if (isKnown(request, reply, timeline.sha256)) return reply.code(304).send(null);
      return sendBlob(reply, blobs, timeline, JSON_TYPE);
    },
  });
}

/** @throws {RenderError} NOT_FOUND. */
export function requireFrame(store: FrameStore, id: string): FrameRecord {
  const record = store.get(id);
  if (record !== undefined) return record;
  throw new RenderError('NOT_FOUND', `no frame ${id}; finished frames are forgotten after a while`);
}

/** @throws {RenderError} RESULT_NOT_READY, or what the frame failed with. */
export function requireResult(record: FrameRecord): FrameResult {
  if (record.error !== null) throw new RenderError(record.error.code, record.error.message);
  if (record.result === null) {
    throw new RenderError('RESULT_NOT_READY', `the frame is ${record.status} (${record.phase})`);
  }
  return record.result;
}

/** Sends an image of the store, or 304 if the client has it. */
export async function sendImage(
  request: FastifyRequest,
  reply: FastifyReply,
  blobs: BlobStore,
  image: StoredBlob,
): Promise<FastifyReply> {
  if (isKnown(request, reply, image.sha256)) return reply.code(304).send(null);
  return sendBlob(reply, blobs, image, PNG_TYPE);
}

/** Sets the headers for caches; tells whether the client holds the content already. */
function isKnown(request: FastifyRequest, reply: FastifyReply, tag: string): boolean {
  const etag = `"${tag}"`;
  reply.header('ETag', etag).header('Cache-Control', FOR_EVER);
  return request.method === 'GET' && isNotModified(request.headers['if-none-match'], etag);
}

function pictureOf({ image, targets }: FrameResult, target: number | undefined): StoredBlob {
  if (target === undefined) return image;
  const picture = targets.length === 0 && target === 0 ? image : targets[target];
  if (picture !== undefined) return picture;
  const passCount = Math.max(1, targets.length);
  throw new RenderError('NOT_FOUND', `query.target: pass ${target}; the frame has ${passCount}`);
}
