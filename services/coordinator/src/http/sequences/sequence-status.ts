/** Form of a sequence in answers. */
import { RenderError, type SequenceReport } from '@tessera/frame';
import type { SequenceRecord } from '../../sequences/sequences.ts';
import type { SequenceStatusBody } from './sequence-schemas.ts';

/** Returns the public status of a sequence. */
export function sequenceStatus(record: SequenceRecord): SequenceStatusBody {
  const { id, status, name, tags, frameCount, frameIds, error } = record;
  const self = `/v1/sequences/${id}`;
  return {
    id,
    status,
    submittedAt: record.submittedAt.toISOString(),
    name,
    tags: [...tags],
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

/**
 * Returns the report of a finished sequence.
 *
 * @throws {RenderError} RESULT_NOT_READY, or the error that the sequence failed with.
 */
export function requireReport({ id, error, report, status }: SequenceRecord): SequenceReport {
  if (error !== null) throw new RenderError(error.code, error.message);
  if (report === null) throw new RenderError('RESULT_NOT_READY', `sequence ${id} is ${status}`);
  return report;
}
