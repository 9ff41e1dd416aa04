/** Renders a posted frame of a cluster and copies its result to the cluster. */
import { createHash } from 'node:crypto';
import type { UnitResult } from '@tessera/engine';
import type { Report } from '@tessera/frame';
import { type FrameFiles, frameDigest } from '../cluster/cluster-results.ts';
import type { FrameWork } from '../cluster/cluster-work.ts';
import { MissingResourcesError } from '../store/missing-resources.ts';
import type { CellServices } from './cell-services.ts';
import { renderUnitFrame, type UnitFrame } from './unit-frame.ts';

/**
 * Returns the result of a frame.
 *
 * @throws {RenderError} The error that the frame failed with.
 */
export async function renderFrameUnit(
  services: CellServices,
  key: string,
  work: FrameWork,
  signal: AbortSignal,
): Promise<UnitResult> {
  const { files } = services;
  return files.withFiles(work.source.files, signal, async () => {
    const { result, report: json } = await renderWithResources(services, key, work, signal);
    const { image, targets, timeline, measurement } = result;
    const blobs = [image, ...targets, ...(timeline === null ? [] : [timeline]), measurement];
    for (const blob of blobs) await files.publish(blob, signal);
    const content = Buffer.from(json);
    const sha256 = createHash('sha256').update(content).digest('hex');
    const report = await files.write(content, sha256, signal);
    const summary: FrameFiles = { ...result, report };
    return { digest: frameDigest(JSON.parse(json) as Report), summary };
  });
}

/** Renders a frame. A native frame names resources, which are known when it is prepared. */
async function renderWithResources(
  services: CellServices,
  key: string,
  { source, options, name, tags, model }: FrameWork,
  signal: AbortSignal,
): Promise<UnitFrame> {
  const render = () =>
    renderUnitFrame(services, { source, options, name, tags, model, key }, signal);
  try {
    return await render();
  } catch (error) {
    if (!(error instanceof MissingResourcesError)) throw error;
    const named = error.missing.map((sha256) => ({ sha256, bytes: 0 }));
    return services.files.withFiles(named, signal, render);
  }
}
