/** Law of lists: a list has everything that exists while it is read. Its elements obey `life`. */
import type { CallEntry } from '../../record/entries.ts';
import { type HistoryIndex, precedes, type Violation } from '../observations/history-index.ts';

/** Frames in the list of a gateway, which has the newest only. */
const LISTED_BY_GATEWAY = 100;

/** Checks the lists of frames that were read to their ends. */
export function checkLists(index: HistoryIndex): Violation[] {
  const { isCluster } = index.history.header;
  const posted = index
    .callsOf('postFrame', 'renderFrameAgain')
    .filter(({ answer }) => answer?.subject !== undefined)
    // The references of a cluster are frames of another service.
    .filter(({ phase }) => !isCluster || phase !== 'reference');
  return index
    .callsOf('listFrames')
    .filter(({ call, answer }) => call.isWholeList === true && answer?.status === 200)
    .flatMap((list) => [...findMissing(index, list, posted), ...findDouble(list)]);
}

function findMissing(
  index: HistoryIndex,
  list: CallEntry,
  posted: readonly CallEntry[],
): Violation[] {
  const { tag } = list.call;
  const isTooOld = ({ completedMs }: CallEntry) =>
    index.history.header.isCluster &&
    countNewer(index, completedMs, list.completedMs) >= LISTED_BY_GATEWAY;
  const listed = new Set(list.answer!.seen!.map(({ id }) => id));
  const violations: Violation[] = [];
  for (const post of posted) {
    const id = post.answer!.subject!;
    if (!precedes(post, list) || listed.has(id) || isTooOld(post)) continue;
    if (tag !== undefined && post.call.tag !== tag) continue;
    const { deletes } = index.subjects.get(id)!;
    if (deletes.some(({ invokedMs }) => invokedMs < list.completedMs)) continue;
    listed.add(id); // Report it once.
    violations.push({
      law: 'lists are complete',
      message: `frame ${id} was accepted, but is not in the list`,
      numbers: [post.number, list.number],
    });
  }
  return violations;
}

/** Number of posts that may have been admitted between two times. */
function countNewer(index: HistoryIndex, fromMs: number, toMs: number): number {
  return index
    .callsOf('postFrame')
    .filter(({ invokedMs, completedMs }) => completedMs > fromMs && invokedMs < toMs).length;
}

function findDouble({ number, answer }: CallEntry): Violation[] {
  const ids = answer!.seen!.map(({ id }) => id);
  if (new Set(ids).size === ids.length) return [];
  const message = `a frame is listed twice among ${ids.length}`;
  return [{ law: 'lists are complete', message, numbers: [number] }];
}
