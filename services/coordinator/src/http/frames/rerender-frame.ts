/** `POST /v1/frames/{id}/again`: what was posted before, rendered once more with other options. */
import { parseGridRequest, RenderError } from '@tessera/frame';
import { defineInterconnect } from '@tessera/multi-chiplet/rendering';
import Type, { type Static } from 'typebox';
import type { ChipletRegistry } from '../../chiplets/chiplet-registry.ts';
import type { Access } from '../../config/access.ts';
import type { Config } from '../../config/config.ts';
import type { FrameQueue } from '../../frames/frame-queue.ts';
import type { FrameStore } from '../../frames/frame-store.ts';
import type { FrameOptions } from '../../prepare/frame-options.ts';
import type { BlobStore } from '../../store/blob-store.ts';
import { clientOf } from '../access/client-of.ts';
import type { App } from '../protocol/app.ts';
import { traceOf } from '../protocol/request-trace.ts';
import { JSON_TYPE, problems } from '../protocol/response-schemas.ts';
import { FRAME_PARAMS_SCHEMA, FRAME_QUERY_SCHEMA, FRAME_STATUS_REF } from './frame-schemas.ts';
import { frameStatus } from './frame-status.ts';
import { readInterconnect } from './link-options.ts';
import { requireFrame } from './result-routes.ts';

export interface RenderAgainOptions {
  readonly access: Access;
  readonly config: Config;
  readonly queue: FrameQueue;
  readonly store: FrameStore;
  readonly blobs: BlobStore;
  readonly registry: ChipletRegistry;
}

const { frame: _frame, ...CHANGEABLE } = FRAME_QUERY_SCHEMA.properties;
const { policy, bins, visibility, timing, ...OPTIONAL } = CHANGEABLE;
/** Without defaults: what is not given stays as it was. */
const AGAIN_QUERY_SCHEMA = Type.Object(
  {
    ...OPTIONAL,
    policy: Type.Optional(withoutDefault(policy)),
    bins: Type.Optional(withoutDefault(bins)),
    visibility: Type.Optional(withoutDefault(visibility)),
    timing: Type.Optional(withoutDefault(timing)),
  },
  { additionalProperties: false },
);
type AgainQuery = Static<typeof AGAIN_QUERY_SCHEMA>;

export function addRenderAgain(app: App, options: RenderAgainOptions): void {
  const { access, config, queue, store, blobs, registry } = options;

  app.post('/v1/frames/:id/again', {
    schema: {
      operationId: 'renderFrameAgain',
      summary: 'Render what was posted as a frame once more, with other options',
      description:
        'The body of the frame is taken from the store; options that are not given stay as they were. ' +
        'For comparisons: the same model by another policy, on another number of chiplets.',
      tags: ['frames'],
      params: FRAME_PARAMS_SCHEMA,
      querystring: AGAIN_QUERY_SCHEMA,
      response: {
        202: { description: 'Admitted', content: { [JSON_TYPE]: { schema: FRAME_STATUS_REF } } },
        ...problems(400, 404, 413, 422, 429, 503, 507),
      },
    },
    handler: async (request, reply) => {
      const { source, title, options: before } = requireFrame(store, request.params.id);
      const isModel = source.kind === 'glb' || source.kind === 'gltf';
      const strange = (['width', 'height', 'camera', 'time'] as const).find(
        (name) => !isModel && request.query[name] !== undefined,
      );
      if (strange !== undefined) {
        throw new RenderError('REQUEST_INVALID', `query.${strange}: only for a model`);
      }
      const wanted = changeOptions(before, request.query, config);
      const pixels = wanted.widthPx * wanted.heightPx;
      if (isModel && pixels > config.TESSERA_MAX_PIXELS) {
        const limit = config.TESSERA_MAX_PIXELS;
        const message = `query.width × query.height: ${pixels} pixels; at most ${limit}`;
        throw new RenderError('LIMIT_EXCEEDED', message);
      }
      registry.requireSpec(wanted.spec);
      const client = clientOf(request, access);
      const giveBackPlace = queue.reserve(client);
      // The frame may be forgotten while it is prepared anew.
      blobs.hold(source.files);
      try {
        const trace = traceOf(request);
        const startMs = performance.now();
        const model = await queue.prepare(
          source,
          wanted,
          AbortSignal.timeout(config.TESSERA_PREPARE_MS),
          client,
        );
        const chipletCount = wanted.chipletCount ?? registry.countReady(wanted.spec);
        trace.span('prepare', startMs, performance.now());
        const admission = { title, source, idempotency: null, trace };
        const record = queue.submit(model, { ...wanted, chipletCount }, admission, client);
        reply.header('Location', `/v1/frames/${record.id}`);
        return reply.code(202).type(JSON_TYPE).send(frameStatus(record));
      } finally {
        blobs.release(source.files);
        giveBackPlace();
      }
    },
  });
}

function changeOptions(before: FrameOptions, query: AgainQuery, config: Config): FrameOptions {
  const link = before.interconnect ?? readInterconnect({}, config);
  const grid = query.grid === undefined ? undefined : parseGridRequest(query.grid, 'query.grid');
  return {
    widthPx: query.width ?? before.widthPx,
    heightPx: query.height ?? before.heightPx,
    policy: query.policy ?? before.policy,
    binCount: query.bins ?? before.binCount,
    // A number of bins takes the place of another wish.
    grid: grid ?? (query.bins === undefined ? before.grid : undefined),
    splits: query.split ?? before.splits,
    cullsOccluded: query.occlusion ?? before.cullsOccluded,
    visibilityShader: query.visibility ?? before.visibilityShader,
    timing: query.timing ?? before.timing,
    spec: query.spec ?? before.spec,
    chipletCount: query.chiplets ?? before.chipletCount,
    interconnect: defineInterconnect({
      topology: query.linkTopology ?? link.topology,
      bytesPerCycle: query.linkBytesPerCycle ?? link.bytesPerCycle,
      latencyCycles: query.linkLatencyCycles ?? link.latencyCycles,
    }),
    overlap: query.overlap ?? before.overlap,
    cameraIndex: query.camera ?? before.cameraIndex,
    timeSeconds: query.time ?? before.timeSeconds,
  };
}

function withoutDefault<Schema extends object>(schema: Schema): Schema {
  return { ...schema, default: undefined };
}
