/** Renders a posted frame of a cluster and copies its result to the cluster. */
import { createHash } from 'node:crypto';
import type { UnitResult } from '@tessera/engine';
import { RenderError, type Report } from '@tessera/frame';
import { type FrameFiles, frameDigest } from '../cluster/cluster-results.ts';
import type { FrameWork } from '../cluster/cluster-work.ts';
import type { CellServices } from './cell-services.ts';

/**
 * Returns the result of a frame.
 *
 * @throws {RenderError} The error that the frame failed with.
 */
export async function renderFrameUnit(
  { renderer, files, store }: CellServices,
  key: string,
  work: FrameWork,
  signal: AbortSignal,
): Promise<UnitResult> {
  return files.keep(work.source.files, signal, async () => {
    const { source, options, name, tags, model } = work;
    const record = await renderer.render({ source, options, name, tags, model, key }, signal);
    try {
      const { result, error } = store.get(record.id) ?? record;
      if (error !== null) throw new RenderError(error.code, error.message);
      const json = store.reports.json(record.id);
      if (result === null || json === null) {
        throw new RenderError('FRAME_CANCELLED', 'the frame was deleted');
      }
      const { image, targets, timeline, measurement } = result;
      const blobs = [image, ...targets, ...(timeline === null ? [] : [timeline]), measurement];
      for (const blob of blobs) await files.publish(blob, signal);
      const content = Buffer.from(json);
      const sha256 = createHash('sha256').update(content).digest('hex');
      const report = await files.write(content, sha256, signal);
      const summary: FrameFiles = { ...result, report };
      return { digest: frameDigest(JSON.parse(json) as Report), summary };
    } finally {
      store.delete(record.id);
    }
  });
}
