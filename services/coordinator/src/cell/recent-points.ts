/** Points of the studies that a cell renders, which are listed once, not for each chunk. */
import { listPoints, type StudyPoint, type StudyRequest } from '@tessera/study';

/** Studies whose points are kept: of each of two lanes, one that ends and one that begins. */
const MAX_LISTS = 4;

/** Points of the latest studies. */
export class RecentPoints {
  /** Lists by id of the batch, the one that was used last at the end. */
  readonly #lists = new Map<string, readonly StudyPoint[]>();

  of(batchId: string, request: StudyRequest): readonly StudyPoint[] {
    const list = this.#lists.get(batchId) ?? listPoints(request);
    this.#lists.delete(batchId);
    this.#lists.set(batchId, list);
    if (this.#lists.size > MAX_LISTS) this.#lists.delete(this.#lists.keys().next().value!);
    return list;
  }
}
