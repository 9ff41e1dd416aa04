/** Form of a frame in answers and events. */
import { DEFAULT_OPTIONS } from '@tessera/frame';
import { DEFAULT_ORGANIZATION } from '@tessera/multi-chiplet/rendering';
import type { FrameSummary } from '../../frames/frame-record.ts';
import type { FrameStatusBody } from './frame-schemas.ts';

/** Returns the public status of a frame. */
export function frameStatus(record: FrameSummary): FrameStatusBody {
  const self = `/v1/frames/${record.id}`;
  const { options } = record;
  return {
    id: record.id,
    status: record.status,
    submittedAt: record.submittedAt.toISOString(),
    name: record.name,
    tags: [...record.tags],
    model: record.model,
    options: {
      policy: options.policy,
      bins: options.binCount,
      visibility: options.visibilityShader,
      timing: options.timing,
      coupling: options.coupling ?? 'none',
      organization: options.organization ?? DEFAULT_ORGANIZATION,
      visibilityChiplets: options.visibilityChiplets ?? DEFAULT_OPTIONS.visibilityChiplets,
      visibilityDelivery: options.visibilityDelivery ?? DEFAULT_OPTIONS.visibilityDelivery,
      spec: options.spec.name,
      chiplets: options.chipletCount,
    },
    progress: { phase: record.phase, binsDone: record.binsDone, binCount: record.binCount },
    warnings: [...record.warnings],
    error: record.error,
    links: {
      self,
      image: `${self}/image`,
      report: `${self}/report`,
      timeline: `${self}/timeline`,
      events: `${self}/events`,
    },
  };
}
