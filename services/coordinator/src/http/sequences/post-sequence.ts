/**
 * `POST /v1/sequences`: starts a sequence from a model, a capture, or frames that were posted
 * before.
 */
import { RenderError } from '@tessera/frame';
import {
  DEFAULT_OVERLAP,
  parsePlacement,
  resolvePolicyName,
} from '@tessera/multi-chiplet/rendering';
import { turnCamera } from '@tessera/scenes';
import type { FastifyReply } from 'fastify';
import type { ClientQuotas } from '../../admission/client-quotas.ts';
import type { ChipletRegistry } from '../../chiplets/chiplet-registry.ts';
import type { Access } from '../../config/access.ts';
import type { Config } from '../../config/config.ts';
import type { FrameSource } from '../../prepare/frame-source.ts';
import type {
  SequenceRecord,
  SequenceSimulation,
  SequenceStep,
  Sequences,
} from '../../sequences/sequences.ts';
import type { SpecStore } from '../../specs/spec-store.ts';
import type { BlobStore } from '../../store/blob-store.ts';
import { clientOf } from '../access/client-of.ts';
import {
  contentLength,
  mediaTypeOf,
  type ReceivedBody,
  receiveBody,
} from '../frames/frame-body.ts';
import { readInterconnect } from '../frames/link-options.ts';
import {
  isModel,
  readFrameOptions,
  refuseLargeImage,
  requireKnownOrganization,
} from '../frames/read-frame-options.ts';
import { readTags } from '../protocol/labels.ts';
import { chooseMediaType, waitSeconds } from '../protocol/negotiation.ts';
import { traceOf } from '../protocol/request-trace.ts';
import { JSON_TYPE } from '../protocol/response-schemas.ts';
import type { Uploads } from '../protocol/uploads.ts';
import type { Validated } from '../protocol/validated-request.ts';
import { readFrameList, refuseLongSequence } from './frame-list.ts';
import type { SequenceQuery } from './sequence-schemas.ts';
import { requireReport, sequenceStatus } from './sequence-status.ts';

/** Services that `POST /v1/sequences` uses. */
export interface PostSequenceOptions {
  readonly access: Access;
  readonly config: Config;
  readonly sequences: Sequences;
  readonly quotas: ClientQuotas;
  readonly registry: ChipletRegistry;
  readonly specs: SpecStore;
  readonly blobs: BlobStore;
  readonly uploads: Uploads;
}

type PostRequest = Validated<{ query: SequenceQuery }>;

/** Handler of `POST /v1/sequences`. */
export class PostSequenceHandler {
  readonly #options: PostSequenceOptions;

  constructor(options: PostSequenceOptions) {
    this.#options = options;
  }

  async handlePost(request: PostRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { sequences } = this.#options;
    chooseMediaType(request.headers.accept, [JSON_TYPE]);
    const record =
      mediaTypeOf(request) === JSON_TYPE
        ? await this.#simulateFrames(request)
        : await this.#renderBody(request);
    const seconds = waitSeconds(request.headers.prefer);
    if (seconds > 0) {
      await sequences.waitFor(record.id, seconds * 1000);
      reply.header('Preference-Applied', `wait=${seconds}`);
    }
    reply.header('Vary', 'Accept, Prefer');
    reply.header('Location', `/v1/sequences/${record.id}`);
    if (seconds === 0 || record.status === 'running') {
      return reply.code(202).type(JSON_TYPE).send(sequenceStatus(record));
    }
    return reply.type(JSON_TYPE).send(requireReport(record));
  }

  async #simulateFrames(request: PostRequest): Promise<SequenceRecord> {
    const { access, sequences, quotas, config } = this.#options;
    const tags = readTags(request.query.tags);
    const frameIds = await readFrameList(request, config);
    const { name = `${frameIds.length} frames` } = request.query;
    const client = clientOf(request, access);
    quotas.refuseSeconds(client, ['prepareSeconds']);
    return sequences.ofFrames({ name, tags }, frameIds, this.#simulationOf(request.query), client);
  }

  async #renderBody(request: PostRequest): Promise<SequenceRecord> {
    const { access, config, sequences, quotas, blobs, uploads } = this.#options;
    const { query } = request;
    const client = clientOf(request, access);
    quotas.refuseFrame(client);
    quotas.refuseBytes(client, contentLength(request));
    const tags = readTags(query.tags);
    const body = await receiveBody(request, {
      blobs,
      uploads,
      count: quotas.beginBody(client),
      maxBytes: config.TESSERA_MAX_BODY_BYTES,
    });
    const { kind, files, model } = body;
    const { name = body.name } = query;
    const release = () => blobs.release(files);
    let steps: SequenceStep[];
    try {
      steps = listSteps({ kind, files, frameIndex: 0 }, query, { name, model }, this.#options);
    } catch (error) {
      release();
      throw error;
    }
    const simulation = this.#simulationOf(query);
    const { chipletCount } = simulation;
    const trace = traceOf(request);
    const complete = steps.map((step) => ({
      ...step,
      options: { ...step.options, chipletCount },
      trace,
    }));
    return sequences.render({ name, tags }, complete, simulation, release, client);
  }

  /**
   * @throws {RenderError} NO_CHIPLETS if neither the query nor the connections give a number of
   *   chiplets.
   */
  #simulationOf(query: SequenceQuery): SequenceSimulation {
    const { config, registry } = this.#options;
    const chipletCount = query.chiplets ?? registry.countReady();
    if (chipletCount === null) {
      throw new RenderError(
        'NO_CHIPLETS',
        'query.chiplets: required while no chiplet is connected; it is the number of simulated chiplets',
      );
    }
    const placement = query.placement === undefined ? undefined : parsePlacement(query.placement);
    const { organization, visibilityChiplets, visibilityDelivery, split: splits } = query;
    const shares = { organization, visibilityChiplets, visibilityDelivery, placement, splits };
    requireKnownOrganization(shares, chipletCount, config);
    return {
      chipletCount,
      isVisibilityChipletRendering: config.TESSERA_VISIBILITY_RENDERS,
      policy: resolvePolicyName(query.policy),
      interconnect: readInterconnect(query, config),
      placement,
      overlap: query.overlap ?? DEFAULT_OVERLAP,
      organization,
      timelineCycles: query.timeline,
      framesInFlight: query.inFlight,
    };
  }
}

/** Returns the frames of a model over time, or the consecutive frames of a capture. */
function listSteps(
  source: FrameSource,
  query: SequenceQuery,
  { name, model }: Pick<ReceivedBody, 'name' | 'model'>,
  { config, specs }: PostSequenceOptions,
): SequenceStep[] {
  const { frames, from, to, turn } = query;
  refuseLongSequence(frames, config);
  const isOfModel = isModel(source.kind);
  if (!isOfModel && source.kind !== 'capture') {
    throw new RenderError('REQUEST_INVALID', 'body: a sequence needs a model or a capture');
  }
  const options = readFrameOptions(query, config, specs);
  refuseLargeImage(source.kind, options, config);
  const texts = options.modelOptions ?? {};
  const modelOptions = (index: number) => turnCamera(texts, turn, index, frames);
  return Array.from({ length: frames }, (_, index) => {
    const timeSeconds = frames === 1 ? from : from + ((to - from) * index) / (frames - 1);
    return {
      name: `${name}, frame ${index} of ${frames}`,
      model,
      source: isOfModel ? source : { ...source, frameIndex: (query.frame ?? 0) + index },
      options: isOfModel ? { ...options, timeSeconds, modelOptions: modelOptions(index) } : options,
    };
  });
}
