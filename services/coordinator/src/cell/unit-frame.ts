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

/**
 * Returns the frame of a unit, rendered now or by an earlier claim. Frames stay in the store until
 * there are too many. One that failed or was cancelled is deleted, so that the next claim renders
 * it.
 *
 * @throws {RenderError} The error that the frame failed with.
 */
export async function renderUnitFrame(
  { renderer, store }: Pick<CellServices, 'renderer' | 'store'>,
  request: SourceRequest,
  signal: AbortSignal,
): Promise<UnitFrame> {
  const earlier = store.findByKey(request.key)?.record;
  if (earlier !== undefined && earlier.error !== null) store.delete(earlier.id);
  const { id } = await renderer.render(request, signal);
  const { result = null, error = null } = store.get(id) ?? {};
  if (error !== null) {
    store.delete(id);
    throw new RenderError(error.code, error.message);
  }
  const report = store.reports.json(id);
  if (result !== null && report !== null) return { result, report };
  throw new RenderError('FRAME_CANCELLED', 'the frame of the unit was deleted');
}
