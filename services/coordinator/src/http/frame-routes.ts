/** The routes of frames: post a model or capture, ask how far it is, fetch picture and report, forget it. */
import { RenderError } from '@tessera/frame';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import type { FrameOptions } from '../frame-options.ts';
import type { FrameQueue } from '../frame-queue.ts';
import type { FrameSource } from '../frame-source.ts';
import type { FrameRecord, FrameResult, FrameStore } from '../frame-store.ts';
import type { App } from './app.ts';
import {
  FRAME_PARAMS_SCHEMA,
  FRAME_QUERY_SCHEMA,
  FRAME_STATUS_REF,
  type FrameQuery,
  type FrameStatusBody,
} from './frame-schemas.ts';
import {
  CAPTURE_MEDIA_TYPE,
  GLB_MEDIA_TYPE,
  GLTF_MEDIA_TYPE,
  mediaTypeOf,
  type PostedModel,
  readModelBody,
} from './model-body.ts';
import { chooseMediaType, isNotModified, waitSeconds } from './negotiation.ts';
import { binaryContent, problems, REPORT_REF, TIMELINE_SCHEMA } from './response-schemas.ts';

export interface FrameRouteOptions {
  readonly config: Config;
  readonly queue: FrameQueue;
  readonly store: FrameStore;
}

interface Admission {
  readonly giveBackPlace: () => void;
  readonly abort: AbortController;
}

const JSON_TYPE = 'application/json';
const PNG_TYPE = 'image/png';
/** For the document: bodies are checked when they are read. */
const FRAME_BODY_SCHEMA = {
  content: Object.fromEntries(
    [GLB_MEDIA_TYPE, GLTF_MEDIA_TYPE, 'multipart/form-data', CAPTURE_MEDIA_TYPE].map((type) => [
      type,
      { schema: {} },
    ]),
  ),
};
/** Of a model's picture. */
const DEFAULT_WIDTH_PX = 1280;
const DEFAULT_HEIGHT_PX = 720;

export function addFrameRoutes(app: App, { config, queue, store }: FrameRouteOptions): void {
  /** Frames that are not admitted yet: the place that is reserved, and how to give up when the client goes. */
  const admissionByRequest = new WeakMap<FastifyRequest, Admission>();
  const giveBack = (request: FastifyRequest) => admissionByRequest.get(request)?.giveBackPlace();

  app.post('/v1/frames', {
    schema: {
      operationId: 'postFrame',
      summary: 'Render a model, or a frame of an OpenGL program',
      description:
        'The body is a glTF 2.0 model: a .glb, a .gltf whose files are data URIs, or a multipart form of a .gltf ' +
        'and the files that it names (field names are free, file names are the URIs). ' +
        'Or it is an apitrace capture of an OpenGL program, of which one frame is rendered in the size of its window. ' +
        'With `Prefer: wait=N` the answer comes when the frame is done, within N seconds: the PNG under ' +
        '`Accept: image/png`, else the report. Otherwise 202 and where to look. ' +
        'What is posted is read and checked before it is admitted: a mistake gets its 4xx at once, which names the place or the call.',
      tags: ['frames'],
      body: FRAME_BODY_SCHEMA,
      querystring: FRAME_QUERY_SCHEMA,
      response: {
        200: {
          description: 'Done in time: picture or report',
          content: { ...binaryContent(PNG_TYPE), [JSON_TYPE]: { schema: REPORT_REF } },
        },
        202: { description: 'Admitted', content: { [JSON_TYPE]: { schema: FRAME_STATUS_REF } } },
        ...problems(400, 406, 413, 415, 422, 429, 500, 503, 504),
      },
    },
    // Before the body is read.
    onRequest: async (request) => {
      const giveBackPlace = queue.reserve();
      admissionByRequest.set(request, { giveBackPlace, abort: new AbortController() });
    },
    onResponse: async (request) => giveBack(request),
    onRequestAbort: async (request) => {
      admissionByRequest.get(request)?.abort.abort();
      giveBack(request);
    },
    handler: async (request, reply) => {
      const mediaType = chooseMediaType(request.headers.accept, [JSON_TYPE, PNG_TYPE]);
      const isModel = mediaTypeOf(request) !== CAPTURE_MEDIA_TYPE;
      const maxPixels = isModel ? config.TESSERA_MAX_PIXELS : Infinity;
      const options = readOptions(request.query, maxPixels);
      const posted = await readModelBody(request, config.TESSERA_MAX_BODY_BYTES);
      const source = completeSource(posted, request.query, config);
      const { signal } = admissionByRequest.get(request)!.abort;
      const model = await queue.prepare(source, options, signal);
      const record = queue.submit(model, options, posted.title);
      giveBack(request);
      const seconds = waitSeconds(request.headers.prefer);
      if (seconds > 0) {
        await queue.waitFor(record.id, seconds * 1000);
        reply.header('Preference-Applied', `wait=${seconds}`);
      }
      reply.header('Vary', 'Accept, Prefer');
      reply.header('Location', `/v1/frames/${record.id}`);
      if (seconds === 0 || record.phase !== 'over') {
        return reply.code(202).type(JSON_TYPE).send(statusBody(record));
      }
      const result = finishedResult(record);
      if (mediaType === PNG_TYPE) return sendImage(request, reply, result);
      return reply.type(JSON_TYPE).send(result.report);
    },
  });

  app.get('/v1/frames/:id', {
    schema: {
      operationId: 'getFrame',
      summary: 'How far a frame is',
      tags: ['frames'],
      params: FRAME_PARAMS_SCHEMA,
      response: { 200: FRAME_STATUS_REF, ...problems(404, 406) },
    },
    handler: async (request) => {
      chooseMediaType(request.headers.accept, [JSON_TYPE]);
      return statusBody(knownRecord(request.params.id));
    },
  });

  app.get('/v1/frames/:id/image', {
    schema: {
      operationId: 'getFrameImage',
      summary: 'The picture of a frame',
      tags: ['frames'],
      params: FRAME_PARAMS_SCHEMA,
      response: {
        200: { description: 'The picture, opaque', content: binaryContent(PNG_TYPE) },
        304: { description: 'The picture is the one of If-None-Match', type: 'null' },
        ...problems(400, 404, 406, 409, 410, 413, 422, 500, 503, 504),
      },
    },
    handler: async (request, reply) => {
      chooseMediaType(request.headers.accept, [PNG_TYPE]);
      return sendImage(request, reply, finishedResult(knownRecord(request.params.id)));
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
        ...problems(400, 404, 406, 409, 410, 413, 422, 500, 503, 504),
      },
    },
    handler: async (request, reply) => {
      chooseMediaType(request.headers.accept, [JSON_TYPE]);
      const { report } = finishedResult(knownRecord(request.params.id));
      return reply.type(JSON_TYPE).send(report);
    },
  });

  app.get('/v1/frames/:id/timeline', {
    schema: {
      operationId: 'getFrameTimeline',
      summary: 'What each unit of each chiplet did when, as a Chrome trace; opens in Perfetto',
      tags: ['frames'],
      params: FRAME_PARAMS_SCHEMA,
      response: {
        200: {
          description: 'The trace: process = chiplet, thread = unit, 1 cycle = 1 ns',
          content: { [JSON_TYPE]: { schema: TIMELINE_SCHEMA } },
        },
        ...problems(400, 404, 406, 409, 410, 413, 422, 500, 503, 504),
      },
    },
    handler: async (request, reply) => {
      chooseMediaType(request.headers.accept, [JSON_TYPE]);
      const { timeline } = finishedResult(knownRecord(request.params.id));
      if (timeline === null) {
        throw new RenderError(
          'NOT_FOUND',
          'the frame has no timeline: it asked for timing=functional',
        );
      }
      return reply.type(JSON_TYPE).send(timeline);
    },
  });

  app.delete('/v1/frames/:id', {
    schema: {
      operationId: 'deleteFrame',
      summary: 'Cancel a frame that is not finished, forget one that is',
      tags: ['frames'],
      params: FRAME_PARAMS_SCHEMA,
      response: { 204: { description: 'Done', type: 'null' }, ...problems(404) },
    },
    handler: async (request, reply) => {
      const { id } = knownRecord(request.params.id);
      if (!queue.cancel(id)) store.forget(id);
      return reply.code(204).send(null);
    },
  });

  function knownRecord(id: string): FrameRecord {
    const record = store.get(id);
    if (record === undefined) {
      throw new RenderError(
        'NOT_FOUND',
        `no frame ${id}; finished frames are forgotten after a while`,
      );
    }
    return record;
  }
}

/** @param maxPixels Of a model's picture; a capture says its size only when it is read. */
function readOptions(query: FrameQuery, maxPixels: number): FrameOptions {
  const { width = DEFAULT_WIDTH_PX, height = DEFAULT_HEIGHT_PX } = query;
  if (width * height > maxPixels) {
    throw new RenderError(
      'LIMIT_EXCEEDED',
      `query.width × query.height: ${width * height} pixels; at most ${maxPixels}`,
    );
  }
  return {
    widthPx: width,
    heightPx: height,
    policy: query.policy,
    binCount: query.bins,
    visibilityShader: query.visibility,
    timing: query.timing,
    maxChiplets: query.chiplets,
    cameraIndex: query.camera ?? null,
    timeSeconds: query.time ?? 0,
  };
}

/** What was posted together with what the query says about it. */
function completeSource({ source }: PostedModel, query: FrameQuery, config: Config): FrameSource {
  if (source.kind !== 'capture') {
    if (query.frame !== undefined) {
      throw new RenderError('REQUEST_INVALID', 'query.frame: a model has no frames');
    }
    return source;
  }
  for (const name of ['width', 'height', 'camera', 'time'] as const) {
    if (query[name] !== undefined) {
      throw new RenderError(
        'REQUEST_INVALID',
        `query.${name}: a capture says its own size, view and time`,
      );
    }
  }
  return {
    ...source,
    frameIndex: query.frame ?? 0,
    limits: {
      maxBytes: config.TESSERA_CAPTURE_BYTES,
      maxCalls: config.TESSERA_CAPTURE_CALLS,
      maxPixels: config.TESSERA_MAX_PIXELS,
    },
  };
}

function statusBody(record: FrameRecord): FrameStatusBody {
  const self = `/v1/frames/${record.id}`;
  return {
    id: record.id,
    status: record.status,
    submittedAt: record.submittedAt.toISOString(),
    model: record.title,
    progress: { phase: record.phase, binsDone: record.binsDone, binCount: record.binCount },
    warnings: [...record.warnings],
    error: record.error,
    links: {
      self,
      image: `${self}/image`,
      report: `${self}/report`,
      timeline: `${self}/timeline`,
    },
  };
}

/** @throws {RenderError} RESULT_NOT_READY, or what the frame failed with. */
function finishedResult(record: FrameRecord): FrameResult {
  if (record.error !== null) throw new RenderError(record.error.code, record.error.message);
  if (record.result === null) {
    throw new RenderError('RESULT_NOT_READY', `the frame is ${record.status} (${record.phase})`);
  }
  return record.result;
}

function sendImage(
  request: FastifyRequest,
  reply: FastifyReply,
  { png, report }: FrameResult,
): FastifyReply {
  const etag = `"${report.image.sha256}"`;
  reply.header('ETag', etag).header('Cache-Control', 'private, max-age=31536000, immutable');
  if (request.method === 'GET' && isNotModified(request.headers['if-none-match'], etag)) {
    return reply.code(304).send();
  }
  return reply.type(PNG_TYPE).send(png);
}
