/**
 * Answers questions about the pixels of a posted frame. A thread prepares the source of the frame
 * again, renders its passes under observation, and writes the answer to an unnamed temporary file.
 */
import { rm } from 'node:fs/promises';
import type { FastifyReply } from 'fastify';
import type { ClientQuotas } from '../../admission/client-quotas.ts';
import type { ComputePool } from '../../compute/compute-pool.ts';
import type { ProbeQuery } from '../../compute/probe-query.ts';
import type { Access } from '../../config/access.ts';
import type { FrameStore } from '../../frames/frame-store.ts';
import type { ModelPreparer } from '../../prepare/model-preparer.ts';
import type { BlobStore } from '../../store/blob-store.ts';
import { clientOf } from '../access/client-of.ts';
import { chooseMediaType } from '../protocol/negotiation.ts';
import { clientSignal, sendFile } from '../protocol/stored-results.ts';
import type { Validated } from '../protocol/validated-request.ts';
import { hasCopy, requireFrame, requireResult } from './frame-results.ts';

/** Services that {@link FrameProbing} uses. */
export interface FrameProbingOptions {
  readonly store: FrameStore;
  readonly blobs: BlobStore;
  /** Pool of the probes, whose thread keeps the frame of the last question. */
  readonly probes: ComputePool;
  readonly access: Access;
  readonly quotas: ClientQuotas;
  readonly preparer: Pick<ModelPreparer, 'requestOf'>;
  /** Whether the visibility chiplet renders bins. */
  readonly isVisibilityChipletRendering: boolean;
}

/** Sends answers to questions about frames. */
export class FrameProbing {
  readonly #options: FrameProbingOptions;

  constructor(options: FrameProbingOptions) {
    this.#options = options;
  }

  /**
   * Sends the answer to a question about the frame of a request.
   *
   * @throws {RenderError} NOT_FOUND, RESULT_NOT_READY, SOURCE_DAMAGED, RESOURCES_MISSING,
   *   LIMIT_EXCEEDED if the answer takes too long, TOO_MANY_COMPUTATIONS, QUOTA_EXCEEDED.
   */
  async send(
    request: Validated<{ params: { id: string } }>,
    reply: FastifyReply,
    query: ProbeQuery,
    mediaType: string,
  ): Promise<FastifyReply> {
    const { store, blobs, probes, preparer, isVisibilityChipletRendering } = this.#options;
    chooseMediaType(request.headers.accept, [mediaType]);
    const record = requireFrame(store, request.params.id);
    requireResult(record);
    const tag = `${record.id}-${Object.values(query).join('-')}`;
    if (hasCopy(request, reply, tag)) return reply.code(304).send(null);
    const client = clientOf(request, this.#options.access);
    this.#options.quotas.refuseSeconds(client, ['prepareSeconds']);
    const { source, options } = record;
    // The frame may be deleted meanwhile.
    blobs.hold(source.files);
    const { path, file } = await blobs.openTemporary();
    try {
      const prepare = preparer.requestOf(source, options);
      const report = store.reports.require(record.id);
      const { spec, policy, interconnect, placement, overlap, organization, splits } = options;
      const link = { interconnect, placement, overlap, organization };
      const gpu = { ...link, policy, splits, isVisibilityChipletRendering };
      const input = { prepare, spec, gpu, query, report, path };
      const bytes = await probes.run('probe-frame', input, clientSignal(reply), client);
      return sendFile(reply, file, bytes, mediaType);
    } catch (error) {
      await file.close();
      throw error;
    } finally {
      blobs.release(source.files);
      // The file exists until it is closed.
      await rm(path, { force: true });
    }
  }
}
