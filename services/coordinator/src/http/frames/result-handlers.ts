/** Handlers of a frame's image, report, timeline and measurement. */
import { rm } from 'node:fs/promises';
import { RenderError } from '@tessera/frame';
import { DEFAULT_OVERLAP } from '@tessera/multi-chiplet/rendering';
import type { FastifyReply } from 'fastify';
import type { ClientQuotas } from '../../admission/client-quotas.ts';
import type { ComputePool } from '../../compute/compute-pool.ts';
import type { ComputeInput } from '../../compute/compute-tasks.ts';
import type { Access } from '../../config/access.ts';
import type { Config } from '../../config/config.ts';
import type { FrameResult } from '../../frames/frame-record.ts';
import type { FrameStore } from '../../frames/frame-store.ts';
import type { BlobStore, StoredBlob } from '../../store/blob-store.ts';
import { clientOf } from '../access/client-of.ts';
import { chooseMediaType } from '../protocol/negotiation.ts';
import { JSON_TYPE, PNG_TYPE } from '../protocol/response-schemas.ts';
import {
  clientSignal,
  sendBlob,
  sendFile,
  sendJsonWith,
  sendReport,
} from '../protocol/stored-results.ts';
import type { Validated } from '../protocol/validated-request.ts';
import type { FrameProbing } from './frame-probing.ts';
import { hasCopy, requireFrame, requireResult, sendImage } from './frame-results.ts';
import type { ImageQuery } from './frame-schemas.ts';

/** Services that the result routes use. */
export interface ResultRouteOptions {
  readonly config: Config;
  readonly store: FrameStore;
  readonly blobs: BlobStore;
  /** Pool that draws bins over images. */
  readonly images: ComputePool;
  readonly access: Access;
  readonly quotas: ClientQuotas;
  /** Renders the image after a draw. */
  readonly probing: FrameProbing;
}

type FrameRequest = Validated<{ params: { id: string } }>;

/** Handlers of the result routes. */
export class ResultHandlers {
  readonly #options: ResultRouteOptions;

  constructor(options: ResultRouteOptions) {
    this.#options = options;
  }

  async sendImage(
    request: FrameRequest & Validated<{ query: ImageQuery }>,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const { store, blobs } = this.#options;
    chooseMediaType(request.headers.accept, [PNG_TYPE]);
    const { target, bins, draw } = request.query;
    if (draw !== undefined) {
      if (bins !== undefined) {
        const message = 'query.bins: bins are not drawn over the image after a draw';
        throw new RenderError('REQUEST_INVALID', message);
      }
      const query = { kind: 'image-after', pass: target, draw } as const;
      return this.#options.probing.send(request, reply, query, PNG_TYPE);
    }
    const record = requireFrame(store, request.params.id);
    const image = imageOf(requireResult(record), target);
    if (bins === undefined) return sendImage(request, reply, blobs, image);
    const tag = `${image.sha256}-${target ?? 'screen'}-${bins}`;
    if (hasCopy(request, reply, tag)) return reply.code(304).send(null);
    // The frame may be deleted while its bins are drawn, so the image is held.
    blobs.hold([image]);
    try {
      await blobs.verify([image]);
      const pngPath = blobs.pathOf(image.sha256);
      const report = store.reports.require(record.id);
      const drawn = { pngPath, report, passIndex: target ?? null, coloring: bins };
      return await this.#sendDrawn(request, reply, drawn);
    } finally {
      blobs.release([image]);
    }
  }

  sendReport(request: FrameRequest, reply: FastifyReply): FastifyReply {
    const { store } = this.#options;
    chooseMediaType(request.headers.accept, [JSON_TYPE]);
    const record = requireFrame(store, request.params.id);
    requireResult(record);
    // Wall times differ between renderings of equal frames, so the tag is the frame's id and not a
    // hash.
    if (hasCopy(request, reply, `${record.id}-report`)) return reply.code(304).send(null);
    return sendReport(reply, store, record.id);
  }

  async sendTimeline(request: FrameRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { store, blobs } = this.#options;
    chooseMediaType(request.headers.accept, [JSON_TYPE]);
    const { timeline } = requireResult(requireFrame(store, request.params.id));
    if (timeline === null) {
      throw new RenderError(
        'NOT_FOUND',
        'the frame has no timeline because it was posted with timing=functional',
      );
    }
    if (hasCopy(request, reply, timeline.sha256)) return reply.code(304).send(null);
    return sendBlob(reply, blobs, timeline, JSON_TYPE);
  }

  async sendMeasurement(request: FrameRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { store, blobs, config } = this.#options;
    chooseMediaType(request.headers.accept, [JSON_TYPE]);
    const record = requireFrame(store, request.params.id);
    const { measurement } = requireResult(record);
    const { timing, coupling, overlap = DEFAULT_OVERLAP, organization } = record.options;
    if (timing === 'cycle' && coupling === 'exact') {
      throw new RenderError(
        'MEASUREMENT_MISSING',
        `frame ${record.id} has coupling=exact and so records instead of a measurement; POST /v1/frames/${record.id}/again?coupling=none measures it`,
      );
    }
    if (organization === 'sort-last') {
      throw new RenderError(
        'MEASUREMENT_MISSING',
        `frame ${record.id} has organization=sort-last, whose measurement holds for its number of chiplets; POST /v1/frames/${record.id}/again?organization=binned measures it`,
      );
    }
    const isVisibilityChipletRendering = config.TESSERA_VISIBILITY_RENDERS;
    const tag = `${measurement.sha256}-${overlap}-${isVisibilityChipletRendering}`;
    if (hasCopy(request, reply, tag)) return reply.code(304).send(null);
    return sendJsonWith(reply, blobs, measurement, { overlap, isVisibilityChipletRendering });
  }

  /** Draws bins over an image into an unnamed temporary file, and sends it. */
  async #sendDrawn(
    request: FrameRequest,
    reply: FastifyReply,
    drawn: Omit<ComputeInput<'draw-bins'>, 'path'>,
  ): Promise<FastifyReply> {
    const { blobs, images, access, quotas } = this.#options;
    const client = clientOf(request, access);
    quotas.refuseSeconds(client, ['prepareSeconds']);
    const { path, file } = await blobs.openTemporary();
    try {
      const bytes = await images.run('draw-bins', { ...drawn, path }, clientSignal(reply), client);
      return sendFile(reply, file, bytes, PNG_TYPE);
    } catch (error) {
      await file.close();
      throw error;
    } finally {
      // The file exists until it is closed.
      await rm(path, { force: true });
    }
  }
}

function imageOf({ image, targets }: FrameResult, target: number | undefined): StoredBlob {
  if (target === undefined) return image;
  const targetImage = targets.length === 0 && target === 0 ? image : targets[target];
  if (targetImage !== undefined) return targetImage;
  const passCount = Math.max(1, targets.length);
  throw new RenderError(
    'NOT_FOUND',
    `query.target: there is no pass ${target}; the frame has passes 0 to ${passCount - 1}`,
  );
}
