/** The routes of sequences: frames in order, their account, their pictures as one archive. */
import { Readable } from 'node:stream';
import { RenderError, type SequenceReport, type Sha256 } from '@tessera/frame';
import { DEFAULT_OVERLAP, resolvePolicyName } from '@tessera/multi-chiplet/rendering';
import type { FastifyRequest } from 'fastify';
import type { ChipletRegistry } from '../../chiplets/chiplet-registry.ts';
import type { Access } from '../../config/access.ts';
import type { Config } from '../../config/config.ts';
import type { FrameResult } from '../../frames/frame-store.ts';
import type { FrameSource } from '../../prepare/frame-source.ts';
import type {
  SequenceRecord,
  SequenceSimulation,
  SequenceStep,
  Sequences,
} from '../../sequences/sequences.ts';
import type { BlobStore } from '../../store/blob-store.ts';
import { clientOf } from '../access/client-of.ts';
import {
  BODY_KINDS,
  MULTIPART_MEDIA_TYPE,
  mediaTypeOf,
  receiveBody,
} from '../frames/frame-body.ts';
import { readInterconnect } from '../frames/link-options.ts';
import { readOptions } from '../frames/post-frame.ts';
import type { App } from '../protocol/app.ts';
import { chooseMediaType, nextPage, waitSeconds } from '../protocol/negotiation.ts';
import { traceOf } from '../protocol/request-trace.ts';
import {
  binaryContent,
  JSON_TYPE,
  problems,
  TIMELINE_SCHEMA,
} from '../protocol/response-schemas.ts';
import { clientSignal, jsonWithList, sendFile } from '../protocol/stored-results.ts';
import type { Uploads } from '../protocol/uploads.ts';
import {
  SEQUENCE_LIST_QUERY_SCHEMA,
  SEQUENCE_LIST_RESPONSE,
  SEQUENCE_PARAMS_SCHEMA,
  SEQUENCE_QUERY_SCHEMA,
  SEQUENCE_REPORT_SCHEMA,
  SEQUENCE_STATUS_SCHEMA,
  type SequenceQuery,
  type SequenceStatusBody,
} from './sequence-schemas.ts';
import { MAX_ZIP_BYTES, MAX_ZIP_ENTRIES, writeZip, type ZipEntry, zipBytes } from './zip.ts';

export interface SequenceRouteOptions {
  readonly access: Access;
  readonly config: Config;
  readonly sequences: Sequences;
  readonly registry: ChipletRegistry;
  readonly blobs: BlobStore;
  readonly uploads: Uploads;
}

const ZIP_TYPE = 'application/zip';
/** Bytes of a list of frames. */
const MAX_LIST_BYTES = 2 ** 20;
const RESULT_PROBLEMS = problems(400, 404, 406, 409, 410, 413, 422, 500, 503, 504, 507);

export function addSequenceRoutes(app: App, options: SequenceRouteOptions): void {
  const { access, config, sequences, registry, blobs, uploads } = options;

  app.post('/v1/sequences', {
    schema: {
      operationId: 'postSequence',
      summary: 'Render frames in order, or account for frames that were rendered',
      description:
        'The body is a model, which is rendered over a range of time, or a capture, of which consecutive frames are ' +
        'rendered; or JSON, `{"frames": ["id", …]}`: frames that were posted before, of which nothing is rendered ' +
        'again. Frames overlap in simulated time: chiplet 0 makes the visibility of the next one while the others ' +
        'render bins. With `Prefer: wait=N` the answer is the report once all is done within N seconds; otherwise ' +
        '202 and where to look.',
      tags: ['sequences'],
      body: {
        content: Object.fromEntries(
          [...Object.keys(BODY_KINDS), MULTIPART_MEDIA_TYPE].map((type) => [type, { schema: {} }]),
        ),
      },
      querystring: SEQUENCE_QUERY_SCHEMA,
      response: {
        200: {
          description: 'Done in time',
          content: { [JSON_TYPE]: { schema: SEQUENCE_REPORT_SCHEMA } },
        },
        202: {
          description: 'Admitted',
          content: { [JSON_TYPE]: { schema: SEQUENCE_STATUS_SCHEMA } },
        },
        ...problems(400, 404, 406, 410, 413, 415, 422, 429, 500, 503, 504, 507),
      },
    },
    // Before the body is read.
    onRequest: async () => sequences.refuseTooMany(),
    handler: async (request, reply) => {
      chooseMediaType(request.headers.accept, [JSON_TYPE]);
      const record =
        mediaTypeOf(request) === JSON_TYPE
          ? await sequences.ofFrames(
              await readFrameList(request, config),
              simulationOf(request.query),
            )
          : await renderBody(request);
      const seconds = waitSeconds(request.headers.prefer);
      if (seconds > 0) {
        await sequences.waitFor(record.id, seconds * 1000);
        reply.header('Preference-Applied', `wait=${seconds}`);
      }
      reply.header('Vary', 'Accept, Prefer');
      reply.header('Location', `/v1/sequences/${record.id}`);
      if (seconds === 0 || record.status === 'running') {
        return reply.code(202).type(JSON_TYPE).send(statusOf(record));
      }
      return reply.type(JSON_TYPE).send(requireReport(record));
    },
  });

  app.get('/v1/sequences', {
    schema: {
      operationId: 'listSequences',
      summary: 'Sequences that are kept, the newest first',
      description: 'A page at a time: `next` is the address of the page after this one.',
      tags: ['sequences'],
      querystring: SEQUENCE_LIST_QUERY_SCHEMA,
      response: { 200: SEQUENCE_LIST_RESPONSE, ...problems(400, 406) },
    },
    handler: async (request, reply) => {
      chooseMediaType(request.headers.accept, [JSON_TYPE]);
      const { limit, cursor } = request.query;
      const page = sequences.list({ limit, beforeNumber: cursor });
      const next = nextPage(request.url, page.nextBefore);
      const statuses = page.sequences.values().map((record) => JSON.stringify(statusOf(record)));
      return reply.type(JSON_TYPE).send(jsonWithList({ next }, 'sequences', statuses));
    },
  });

  app.get('/v1/sequences/:id', {
    schema: {
      operationId: 'getSequence',
      summary: 'How far a sequence is',
      tags: ['sequences'],
      params: SEQUENCE_PARAMS_SCHEMA,
      response: { 200: SEQUENCE_STATUS_SCHEMA, ...problems(404, 406) },
    },
    handler: async (request) => {
      chooseMediaType(request.headers.accept, [JSON_TYPE]);
      return statusOf(requireSequence(request.params.id));
    },
  });

  app.get('/v1/sequences/:id/report', {
    schema: {
      operationId: 'getSequenceReport',
      summary: 'Latency of each frame, frames per time, idle time that overlap filled',
      tags: ['sequences'],
      params: SEQUENCE_PARAMS_SCHEMA,
      response: {
        200: {
          description: 'The report',
          content: { [JSON_TYPE]: { schema: SEQUENCE_REPORT_SCHEMA } },
        },
        ...RESULT_PROBLEMS,
      },
    },
    handler: async (request, reply) => {
      chooseMediaType(request.headers.accept, [JSON_TYPE]);
      const report = requireReport(requireSequence(request.params.id));
      return reply.type(JSON_TYPE).send(JSON.stringify(report));
    },
  });

  app.get('/v1/sequences/:id/timeline', {
    schema: {
      operationId: 'getSequenceTimeline',
      summary: 'Phases, bins and transfers of all frames as a Chrome trace; opens in Perfetto',
      tags: ['sequences'],
      params: SEQUENCE_PARAMS_SCHEMA,
      response: {
        200: {
          description: 'The trace: process = chiplet or link, 1 cycle = 1 ns',
          content: { [JSON_TYPE]: { schema: TIMELINE_SCHEMA } },
        },
        ...RESULT_PROBLEMS,
      },
    },
    handler: async (request, reply) => {
      chooseMediaType(request.headers.accept, [JSON_TYPE]);
      const record = requireSequence(request.params.id);
      requireReport(record);
      const timeline = await sequences.openTimeline(record.id, clientSignal(reply));
      if (timeline === null) {
        const message = 'the sequence has no timeline: it asked for timing=functional';
        throw new RenderError('NOT_FOUND', message);
      }
      return sendFile(reply, timeline.file, timeline.bytes, JSON_TYPE);
    },
  });

  app.get('/v1/sequences/:id/images', {
    schema: {
      operationId: 'getSequenceImages',
      summary: 'The pictures of all frames and the report in one archive',
      tags: ['sequences'],
      params: SEQUENCE_PARAMS_SCHEMA,
      response: {
        200: {
          description: 'frame-0000.png, … and report.json',
          content: binaryContent(ZIP_TYPE),
        },
        ...RESULT_PROBLEMS,
      },
    },
    handler: async (request, reply) => {
      chooseMediaType(request.headers.accept, [ZIP_TYPE]);
      const record = requireSequence(request.params.id);
      const report = requireReport(record);
      const entries = listEntries(await sequences.results(record), report);
      refuseLargeArchive(entries);
      reply.header('Content-Disposition', `attachment; filename="${record.id}.zip"`);
      reply.header('Content-Length', zipBytes(entries));
      return reply.type(ZIP_TYPE).send(Readable.from(writeZip(entries), { highWaterMark: 1 }));
    },
  });

  app.delete('/v1/sequences/:id', {
    schema: {
      operationId: 'deleteSequence',
      summary: 'Cancel a sequence that is not finished, forget one that is; its frames stay',
      tags: ['sequences'],
      params: SEQUENCE_PARAMS_SCHEMA,
      response: { 204: { description: 'Done', type: 'null' }, ...problems(404) },
    },
    handler: async (request, reply) => {
      sequences.delete(requireSequence(request.params.id).id);
      return reply.code(204).send(null);
    },
  });

  async function renderBody(
    request: FastifyRequest & { readonly query: SequenceQuery },
  ): Promise<SequenceRecord> {
    const { query } = request;
    const { kind, files, title } = await receiveBody(request, {
      blobs,
      uploads,
      maxBytes: config.TESSERA_MAX_BODY_BYTES,
    });
    const release = () => blobs.release(files);
    let steps: SequenceStep[];
    try {
      registry.requireSpec(query.spec ?? null);
      steps = listSteps({ kind, files, frameIndex: 0 }, query, title, config);
    } catch (error) {
      release();
      throw error;
    }
    const { chipletCount } = simulationOf(query);
    const trace = traceOf(request);
    const client = clientOf(request, access);
    const settled = steps.map((step) => ({
      ...step,
      options: { ...step.options, chipletCount },
      trace,
      client,
    }));
    return sequences.render(title, settled, simulationOf(query), release);
  }

  function listEntries(results: readonly FrameResult[], report: SequenceReport): ZipEntry[] {
    const reportJson = Buffer.from(JSON.stringify(report, null, 2));
    const entries = results.map(({ image: { sha256, bytes } }, index) => ({
      name: `frame-${String(index).padStart(4, '0')}.png`,
      key: sha256,
      bytes,
      read: () => readBlob(sha256),
    }));
    const key = 'report.json';
    return [...entries, { name: key, key, bytes: reportJson.length, read: () => [reportJson] }];
  }

  async function* readBlob(sha256: Sha256): AsyncGenerator<Uint8Array, void> {
    yield* (await blobs.openVerified(sha256)).createReadStream();
  }

  function simulationOf(query: SequenceQuery): SequenceSimulation {
    const chipletCount = query.chiplets ?? registry.countReady(query.spec ?? null);
    if (chipletCount === null) {
      const message =
        'query.chiplets: none is connected, so it must be said how many are simulated';
      throw new RenderError('NO_CHIPLETS', message);
    }
    return {
      chipletCount,
      isVisibilityChipletRendering: config.TESSERA_VISIBILITY_RENDERS,
      policy: resolvePolicyName(query.policy),
      interconnect: readInterconnect(query, config),
      overlap: query.overlap ?? DEFAULT_OVERLAP,
      framesInFlight: query.inFlight,
    };
  }

  function requireSequence(id: string): SequenceRecord {
    const record = sequences.get(id);
    if (record === undefined) {
      throw new RenderError(
        'NOT_FOUND',
        `no sequence ${id}; sequences are forgotten after a while`,
      );
    }
    return record;
  }
}

/** The frames of a model over time, or of a capture one after the other. */
function listSteps(
  source: FrameSource,
  query: SequenceQuery,
  title: string,
  config: Config,
): SequenceStep[] {
  const { frames, from, to } = query;
  refuseLongSequence(frames, config);
  const isModel = source.kind === 'glb' || source.kind === 'gltf';
  if (!isModel && source.kind !== 'capture') {
    throw new RenderError('REQUEST_INVALID', 'body: a sequence is made of a model or capture');
  }
  const options = readOptions(query, config);
  const maxPixels = config.TESSERA_MAX_PIXELS;
  if (isModel && options.widthPx * options.heightPx > maxPixels) {
    const pixels = options.widthPx * options.heightPx;
    const message = `query.width × query.height: ${pixels} pixels; at most ${maxPixels}`;
    throw new RenderError('LIMIT_EXCEEDED', message);
  }
  return Array.from({ length: frames }, (_, index) => {
    const timeSeconds = frames === 1 ? from : from + ((to - from) * index) / (frames - 1);
    return {
      title: `${title}, frame ${index} of ${frames}`,
      source: isModel ? source : { ...source, frameIndex: (query.frame ?? 0) + index },
      options: isModel ? { ...options, timeSeconds } : options,
    };
  });
}

/** Before a file is read. @throws {RenderError} LIMIT_EXCEEDED. */
function refuseLargeArchive(entries: readonly ZipEntry[]): void {
  const bytes = zipBytes(entries);
  if (entries.length <= MAX_ZIP_ENTRIES && bytes <= MAX_ZIP_BYTES) return;
  throw new RenderError(
    'LIMIT_EXCEEDED',
    `the archive of ${entries.length} files would have ${bytes} bytes; at most ${MAX_ZIP_ENTRIES} files and ` +
      `${MAX_ZIP_BYTES} bytes. Every image is at /v1/frames/{id}/image`,
  );
}

/** @throws {RenderError} LIMIT_EXCEEDED. */
function refuseLongSequence(frames: number, { TESSERA_SEQUENCE_FRAMES: limit }: Config): void {
  if (frames <= limit) return;
  throw new RenderError('LIMIT_EXCEEDED', `frames: ${frames}; a sequence has at most ${limit}`);
}

async function readFrameList(request: FastifyRequest, config: Config): Promise<string[]> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request.body as Readable) {
    bytes += (chunk as Buffer).length;
    if (bytes > MAX_LIST_BYTES) {
      throw new RenderError('LIMIT_EXCEEDED', `body: more than ${MAX_LIST_BYTES} bytes`);
    }
    chunks.push(chunk as Buffer);
  }
  const list = parseList(Buffer.concat(chunks).toString());
  const ids = list.filter((id) => typeof id === 'string');
  if (ids.length !== list.length || list.length === 0) {
    throw new RenderError('REQUEST_INVALID', "body.frames: no list of frames' ids");
  }
  refuseLongSequence(ids.length, config);
  return ids;
}

/** `frames` of a JSON object; empty if that is no list. */
function parseList(text: string): readonly unknown[] {
  let body: { readonly frames?: unknown } | null;
  try {
    body = JSON.parse(text);
  } catch (error) {
    throw new RenderError('REQUEST_INVALID', `body: ${(error as Error).message}`, { cause: error });
  }
  return Array.isArray(body?.frames) ? body.frames : [];
}

function statusOf(record: SequenceRecord): SequenceStatusBody {
  const { id, status, title, frameCount, frameIds, error } = record;
  const self = `/v1/sequences/${id}`;
  return {
    id,
    status,
    submittedAt: record.submittedAt.toISOString(),
    title,
    frameCount,
    frames: frameIds.map((frameId) => `/v1/frames/${frameId}`),
    error,
    links: {
      self,
      report: `${self}/report`,
      timeline: `${self}/timeline`,
      images: `${self}/images`,
    },
  };
}

/** @throws {RenderError} RESULT_NOT_READY, or what the sequence failed with. */
function requireReport({ id, error, report, status }: SequenceRecord): SequenceReport {
  if (error !== null) throw new RenderError(error.code, error.message);
  if (report === null) throw new RenderError('RESULT_NOT_READY', `sequence ${id} is ${status}`);
  return report;
}
