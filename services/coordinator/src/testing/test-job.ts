/** Creates jobs for tests of the queue's parts, without a store or chiplets. */
import { DEFAULT_CHIPLET_SPEC, summarizeSpec } from '@tessera/chiplet-spec';
import { type Job, makeJob } from '../frames/frame-job.ts';
import type { FrameRecord } from '../frames/frame-record.ts';
import { startTrace } from '../observe/tracing.ts';
import type { FrameOptions } from '../prepare/frame-options.ts';
import type { PreparedModel } from '../prepare/model-preparer.ts';

/** Returns a job of a frame with the given bytes of buffers. */
export function testJob(bufferBytes = 0): Job {
  const spec = summarizeSpec(DEFAULT_CHIPLET_SPEC);
  const options = { spec, chipletCount: null } as FrameOptions;
  const record = { id: 'frame', name: 'test', options } as FrameRecord;
  const buffers = [{ bytes: new Uint8Array(bufferBytes) }];
  const commands = { grid: { columns: 1, rows: 1 }, passes: [] };
  const model = { frame: { buffers, textures: [], commands } } as unknown as PreparedModel;
  return makeJob({ record, model, trace: startTrace(), maxLosses: 3, isAlone: false });
}
