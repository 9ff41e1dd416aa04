/** `POST /v1/frames/{id}/again`: renders a posted frame again with other options. */
import { parseGridRequest, requireTimelineCycles } from '@tessera/frame';
import {
  defineInterconnect,
  parsePlacement,
  refuseManyMachines,
  requireLink,
  requireVisibilityDelivery,
} from '@tessera/multi-chiplet/rendering';
import type { FastifyReply } from 'fastify';
import Type, { type Static } from 'typebox';
import type { ChipletRegistry } from '../../chiplets/chiplet-registry.ts';
import type { Access } from '../../config/access.ts';
import type { Config } from '../../config/config.ts';
import type { FrameQueue } from '../../frames/frame-queue.ts';
import type { FrameStore } from '../../frames/frame-store.ts';
import type { FrameOptions } from '../../prepare/frame-options.ts';
import { requestedSpec } from '../../specs/requested-spec.ts';
import type { SpecStore } from '../../specs/spec-store.ts';
import type { BlobStore } from '../../store/blob-store.ts';
import { clientOf } from '../access/client-of.ts';
import type { App } from '../protocol/app.ts';
import { readEnergyQuery } from '../protocol/energy-choices.ts';
import { traceOf } from '../protocol/request-trace.ts';
import { JSON_TYPE, problems } from '../protocol/response-schemas.ts';
import type { Validated } from '../protocol/validated-request.ts';
import { requireFrame } from './frame-results.ts';
import { FRAME_PARAMS_SCHEMA, FRAME_QUERY_SCHEMA, FRAME_STATUS_REF } from './frame-schemas.ts';
import { frameStatus } from './frame-status.ts';
import { readInterconnect } from './link-options.ts';
import {
  readModelOptions,
  refuseLargeImage,
  refuseModelParameters,
  requireKnownOrganization,
  requireSharedVisibility,
} from './read-frame-options.ts';

/** Services that `POST /v1/frames/{id}/again` uses. */
export interface RerenderOptions {
  readonly access: Access;
  readonly config: Config;
  readonly queue: FrameQueue;
  readonly store: FrameStore;
  readonly blobs: BlobStore;
  readonly registry: ChipletRegistry;
  readonly specs: SpecStore;
}

const { frame: _frame, call: _call, ...CHANGEABLE } = FRAME_QUERY_SCHEMA.properties;
const { policy, bins, visibility, timing, coupling, ...OPTIONAL } = CHANGEABLE;
/** Query without defaults, because options that are left out keep their value. */
const RERENDER_QUERY_SCHEMA = Type.Object(
  {
    ...OPTIONAL,
    policy: Type.Optional(withoutDefault(policy)),
    bins: Type.Optional(withoutDefault(bins)),
    visibility: Type.Optional(withoutDefault(visibility)),
    timing: Type.Optional(withoutDefault(timing)),
    coupling: Type.Optional(withoutDefault(coupling)),
  },
  { additionalProperties: false },
);
type RerenderQuery = Static<typeof RERENDER_QUERY_SCHEMA>;

const RERENDER_SCHEMA = {
  operationId: 'renderFrameAgain',
  summary: 'Render a posted frame again with other options',
  description:
    'Renders the stored body of a frame as a new frame. Omitted options keep their values. This is useful ' +
    'for comparing policies or numbers of chiplets on the same model.',
  tags: ['frames'],
  params: FRAME_PARAMS_SCHEMA,
  querystring: RERENDER_QUERY_SCHEMA,
  response: {
    202: { description: 'Admitted', content: { [JSON_TYPE]: { schema: FRAME_STATUS_REF } } },
    ...problems(400, 404, 413, 422, 429, 503, 507),
  },
};

/** Adds `POST /v1/frames/{id}/again`. */
export function addRerenderFrame(app: App, options: RerenderOptions): void {
  app.post('/v1/frames/:id/again', {
    schema: RERENDER_SCHEMA,
    handler: async (request, reply) => rerenderFrame(request, reply, options),
  });
}

async function rerenderFrame(
  request: Validated<{ params: { id: string }; query: RerenderQuery }>,
  reply: FastifyReply,
  { access, config, queue, store, blobs, registry, specs }: RerenderOptions,
): Promise<FastifyReply> {
  const {
    source,
    name,
    tags,
    model: described,
    options: before,
  } = requireFrame(store, request.params.id);
  refuseModelParameters(source.kind, request.query);
  const options = changeOptions(before, request.query, config, specs);
  refuseLargeImage(source.kind, options, config);
  const client = clientOf(request, access);
  const releasePlace = queue.reserve(client);
  // The original frame may be deleted during preparation, so its files are held.
  blobs.hold(source.files);
  try {
    const trace = traceOf(request);
    const startMs = performance.now();
    const signal = AbortSignal.timeout(config.TESSERA_PREPARE_MS);
    const model = await queue.prepare(source, options, signal, client);
    const chipletCount = options.chipletCount ?? registry.countReady();
    trace.span('prepare', startMs, performance.now());
    const admission = { name, tags, model: described, source, idempotency: null, client, trace };
    const record = queue.submit(model, { ...options, chipletCount }, admission);
    reply.header('Location', `/v1/frames/${record.id}`);
    return reply.code(202).type(JSON_TYPE).send(frameStatus(record));
  } finally {
    blobs.release(source.files);
    releasePlace();
  }
}

function changeOptions(
  before: FrameOptions,
  query: RerenderQuery,
  config: Config,
  specs: SpecStore,
): FrameOptions {
  const coupling = query.coupling ?? before.coupling;
  const chipletCount = query.chiplets ?? before.chipletCount;
  const link = before.interconnect ?? readInterconnect({}, config);
  const timing = query.timing ?? before.timing;
  const interconnect = defineInterconnect({
    topology: query.linkTopology ?? link.topology,
    bytesPerCycle: query.linkBytesPerCycle ?? link.bytesPerCycle,
    latencyCycles: query.linkLatencyCycles ?? link.latencyCycles,
  });
  const placement =
    query.placement === undefined ? before.placement : parsePlacement(query.placement);
  requireLink({ timing, coupling, placement, interconnect });
  const visibilityChiplets = query.visibilityChiplets ?? before.visibilityChiplets;
  requireSharedVisibility({ visibilityChiplets, placement }, chipletCount);
  const visibilityDelivery = query.visibilityDelivery ?? before.visibilityDelivery;
  const splits = query.split ?? before.splits;
  requireVisibilityDelivery({ visibilityDelivery, splits, placement });
  const organization = query.organization ?? before.organization;
  const shares = { organization, visibilityChiplets, visibilityDelivery, placement, splits };
  requireKnownOrganization(shares, chipletCount, config);
  // Without machines there is nothing to sample, so the intervals of the original frame are
  // dropped.
  const hasMachines = timing === 'cycle' && coupling === 'exact';
  if (hasMachines) refuseManyMachines(chipletCount ?? 0);
  const timelineCycles = query.timeline ?? (hasMachines ? before.timelineCycles : undefined);
  requireTimelineCycles({ timing, coupling, timelineCycles });
  const grid = query.grid === undefined ? undefined : parseGridRequest(query.grid, 'query.grid');
  return {
    widthPx: query.width ?? before.widthPx,
    heightPx: query.height ?? before.heightPx,
    policy: query.policy ?? before.policy,
    binCount: query.bins ?? before.binCount,
    // A number of bins replaces the grid of the original frame.
    grid: grid ?? (query.bins === undefined ? before.grid : undefined),
    splits,
    cullsOccluded: query.occlusion ?? before.cullsOccluded,
    visibilityShader: query.visibility ?? before.visibilityShader,
    visibilityChiplets,
    visibilityDelivery,
    timing,
    coupling,
    spec: requestedSpec(query, specs, config, before.spec),
    chipletCount,
    interconnect,
    placement,
    overlap: query.overlap ?? before.overlap,
    organization,
    timelineCycles,
    energy: readEnergyQuery(query, before.energy),
    cameraIndex: query.camera ?? before.cameraIndex,
    timeSeconds: query.time ?? before.timeSeconds,
    modelOptions: readModelOptions(query, before.modelOptions ?? {}),
  };
}

function withoutDefault<Schema extends object>(schema: Schema): Schema {
  return { ...schema, default: undefined };
}
