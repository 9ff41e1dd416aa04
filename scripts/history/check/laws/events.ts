/**
 * Laws of events: their numbers grow, a stream of the service misses none, one number is one event,
 * and a stream of one frame or study ends with its last event.
 */
import type { CallEntry, SeenEvent } from '../../record/entries.ts';
import { type HistoryIndex, isFinal, type Violation } from '../observations/history-index.ts';

const RANKS: Readonly<Record<string, number>> = { queued: 0, running: 1 };
const LAW = 'events are in order';

/** Checks all streams. */
export function checkEvents(index: HistoryIndex): Violation[] {
  const { isCluster } = index.history.header;
  const streams = index
    .callsOf('watchFrame', 'watchStudy', 'watchService', 'watchCluster')
    .filter(({ answer }) => answer?.events !== undefined);
  // The events of a gateway are what differs between two looks, so their numbers are local.
  return [
    ...streams.flatMap((stream) => checkOrder(stream, isCluster)),
    ...(isCluster ? [] : checkNumbers(streams)),
  ];
}

function checkOrder({ call, answer, number }: CallEntry, isCluster: boolean): Violation[] {
  const violations: Violation[] = [];
  const report = (message: string) => violations.push({ law: LAW, message, numbers: [number] });
  const { operation, lastEventId } = call;
  const events = answer!.events!;
  const isOfService = operation === 'watchService' && !isCluster;
  let before: SeenEvent | null = null;
  for (const event of events) {
    if (before !== null && event.number <= before.number) {
      report(`event ${event.number} follows ${before.number}`);
    } else if (before !== null && isOfService && event.number !== before.number + 1) {
      report(`events between ${before.number} and ${event.number} are missing`);
    }
    before = event;
  }
  const [first] = events;
  if (
    first !== undefined &&
    isOfService &&
    lastEventId !== undefined &&
    first.name !== 'snapshot'
  ) {
    if (first.number !== lastEventId + 1) report(`event ${first.number} follows ${lastEventId}`);
  }
  if (operation === 'watchService' || operation === 'watchCluster') return violations;
  const statuses = events.flatMap(({ seen }) => (seen === undefined ? [] : [seen.status]));
  const ranks = statuses.map((status) => RANKS[status] ?? 2);
  if (ranks.some((rank, i) => i > 0 && rank < ranks[i - 1]!)) {
    report(`statuses move back: ${statuses.join(', ')}`);
  }
  const last = statuses.at(-1);
  if (statuses.slice(0, -1).some(isFinal)) report(`events follow the last: ${statuses.join(', ')}`);
  if (answer!.isEnded === false && last !== undefined && isFinal(last)) return violations;
  return violations;
}

/** One number is one event in all streams. */
function checkNumbers(streams: readonly CallEntry[]): Violation[] {
  const textByNumber = new Map<number, { text: string; entry: CallEntry }>();
  const violations: Violation[] = [];
  for (const entry of streams) {
    if (entry.call.operation !== 'watchService') continue;
    for (const { number, name, seen } of entry.answer!.events!) {
      if (name === 'snapshot') continue;
      const text = `${name} ${seen?.id ?? ''} ${seen?.status ?? ''}`;
      const known = textByNumber.get(number);
      if (known === undefined) textByNumber.set(number, { text, entry });
      else if (known.text !== text) {
        const message = `event ${number} is '${known.text}' and '${text}'`;
        violations.push({ law: LAW, message, numbers: [known.entry.number, entry.number] });
      }
    }
  }
  return violations;
}
