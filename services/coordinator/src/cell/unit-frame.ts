/** Frame of a unit in the store of a cell. */
import { RenderError } from '@tessera/frame';
import type { FrameResult } from '../frames/frame-record.ts';
import type { SourceRequest } from '../frames/source-renderer.ts';
import type { CellServices } from './cell-services.ts';

/** Rendered frame. */
export interface UnitFrame {
  readonly result: FrameResult;
  /** JSON of the report. */
  readonly report: string;
}

/** Error of a frame that the other claim of its unit has deleted. */
const DELETED = {
  code: 'FRAME_CANCELLED',
  message: 'the frame of the unit was deleted',
} as const;
/** Upper bound on the times that a unit is rendered because its frame was cancelled. */
const MAX_ATTEMPTS = 8;

/**
 * Returns the frame of a unit, rendered now or by an earlier claim. Frames stay in the store until
 * there are too many. One that failed or was cancelled is deleted, so that the next claim renders
 * it.
 *
 * A cell may hold two claims of a unit, the first of which is lost. Both wait for one frame, and
 * the end of the first cancels it. Then the frame is rendered again for the second.
 *
 * @throws {RenderError} The error that the frame failed with.
 */
export async function renderUnitFrame(
  { renderer, store }: Pick<CellServices, 'renderer' | 'store'>,
  request: SourceRequest,
  signal: AbortSignal,
): Promise<UnitFrame> {
  for (let attempt = 1; ; attempt++) {
    const earlier = store.findByKey(request.key)?.record;
    if (earlier !== undefined && earlier.error !== null) store.delete(earlier.id);
    const { id } = await renderer.render(request, signal);
    const { result = null, error = null } = store.get(id) ?? {};
    if (error !== null) store.delete(id);
    const report = store.reports.json(id);
    if (result !== null && report !== null) return { result, report };
    const { code, message } = error ?? DELETED;
    if (code !== 'FRAME_CANCELLED' || attempt === MAX_ATTEMPTS) {
      throw new RenderError(code, message);
    }
    signal.throwIfAborted();
  }
}
