/** Forms of frames and studies of a cluster in answers. */
import type { Batch, BatchUnit } from '@tessera/engine';
import type { ErrorCode } from '@tessera/frame';
import type { FrameWork, StudyWork } from '../cluster/cluster-work.ts';
import type { FrameStatus } from '../frames/frame-record.ts';
import type { FrameStatusBody } from '../http/frames/frame-schemas.ts';
import { frameStatus } from '../http/frames/frame-status.ts';
import type { StudyStatusBody } from '../http/studies/study-schemas.ts';
import { studyStatus } from '../http/studies/study-status.ts';
import type { StudyStatus } from '../studies/study-store.ts';
import { upgradeRequest } from '../studies/upgrade-request.ts';

/** Statuses of frames by the states of their units. */
const FRAME_STATUSES = {
  open: 'queued',
  done: 'done',
  failed: 'failed',
  cancelled: 'cancelled',
} as const satisfies Record<BatchUnit['state'], FrameStatus>;

/** Returns the public status of a frame. A cluster reports no bins. */
export function statusOfFrame(batch: Batch, unit: BatchUnit): FrameStatusBody {
  const work = batch.request as FrameWork; // A gateway wrote it.
  return frameStatus({
    id: batch.id,
    submittedAt: new Date(batch.submittedMs),
    name: work.name,
    tags: work.tags,
    model: work.model,
    traceId: '',
    options: work.options,
    status: FRAME_STATUSES[unit.state],
    phase: unit.state === 'open' ? 'waiting' : 'over',
    binsDone: 0,
    binCount: 0,
    warnings: [],
    result: null,
    error:
      unit.error === null
        ? null
        : { code: unit.error.code as ErrorCode, message: unit.error.message },
  });
}

/** Returns the public status of a study. Units that failed count as done. */
export function statusOfStudy(batch: Batch): StudyStatusBody {
  // A gateway wrote it, maybe of an earlier version.
  const { request } = batch.request as StudyWork;
  const pointsDone = batch.doneCount + batch.failedCount;
  return studyStatus({
    id: batch.id,
    submittedAt: new Date(batch.submittedMs),
    request: upgradeRequest(request),
    status: statusOf(batch),
    pointCount: batch.unitCount,
    pointsDone,
    // Cells work side by side, so the time since the submission tells how long the rest takes.
    measuredMs: (batch.finishedMs ?? Date.now()) - batch.submittedMs,
    error:
      batch.failedCount === 0
        ? null
        : {
            code: 'INTERNAL',
            message: `${batch.failedCount} of ${batch.unitCount} units failed; GET /v1/studies/${batch.id}/units?state=failed tells why`,
          },
  });
}

function statusOf({ state, failedCount }: Batch): StudyStatus {
  if (state === 'open') return 'running';
  if (state === 'cancelled') return 'cancelled';
  return failedCount > 0 ? 'failed' : 'done';
}
