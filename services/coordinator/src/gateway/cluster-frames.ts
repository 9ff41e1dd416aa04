/** Frames of a cluster by their ids, and answers with their files. */
import type { Batch, BatchUnit } from '@tessera/engine';
import { type ErrorCode, RenderError } from '@tessera/frame';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FrameFiles } from '../cluster/cluster-results.ts';
import { hasCopy } from '../http/frames/frame-results.ts';
import type { StoredBlob } from '../store/blob-store.ts';
import { asProblem } from './blob-problems.ts';
import type { GatewayServices } from './gateway-services.ts';

/** Batch of a frame with its unit. */
export interface ClusterFrame {
  readonly batch: Batch;
  readonly unit: BatchUnit;
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

/**
 * Returns the files of a frame.
 *
 * @throws {RenderError} RESULT_NOT_READY, or the error that the frame failed with.
 */
export function requireFiles({ unit }: ClusterFrame): FrameFiles {
  const { state, error, result } = unit;
  if (error !== null) throw new RenderError(error.code as ErrorCode, error.message);
  if (state === 'cancelled') throw new RenderError('FRAME_CANCELLED', 'the frame was cancelled');
  if (result === null) throw new RenderError('RESULT_NOT_READY', 'the frame is not rendered yet');
  return result.summary as FrameFiles; // A cell of this version wrote it.
}

/** Sends a file of the cluster, or 304 if the client has a copy. */
export async function sendClusterFile(
  { blobs }: Pick<GatewayServices, 'blobs'>,
  request: FastifyRequest,
  reply: FastifyReply,
  { sha256, bytes }: StoredBlob,
  type: string,
): Promise<FastifyReply> {
  if (hasCopy(request, reply, sha256)) return reply.code(304).send(null);
  const content = await asProblem(blobs.get(sha256));
  // If the client disconnected meanwhile, nothing else ends the stream.
  if (reply.raw.destroyed) content.destroy();
  return reply.type(type).header('Content-Length', bytes).send(content);
}
