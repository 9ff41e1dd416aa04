/** Requests that read results of frames. */
import type { Answer } from '../record/entries.ts';
import type { RawAnswer } from './exchange.ts';
import { type Asked, digestOf, type HistoryClient } from './history-client.ts';
import type { Subject } from './subjects.ts';

const COPY_SHARE = 0.05;

/** Result of a frame. */
interface ResultPlace {
  readonly operation: string;
  /** Path after that of the frame, with its query. */
  readonly place: string;
  /** Whether only jobs with cycles have it. */
  readonly needsCycles?: boolean;
  readonly needsMeasurement?: boolean;
}

/** Results that clients read, by operation. The last ones take the longest. */
export const RESULT_PLACES: readonly ResultPlace[] = [
  { operation: 'getFrameImage', place: 'image' },
  { operation: 'getFrameImage', place: 'image?bins=owner' },
  { operation: 'getFrameImage', place: 'image?target=0&draw=0' },
  { operation: 'getFrameReport', place: 'report' },
  { operation: 'getFrameTimeline', place: 'timeline', needsCycles: true },
  { operation: 'getFrameMeasurement', place: 'measurement', needsMeasurement: true },
  { operation: 'getFrameHeatMap', place: 'heatmap?metric=overdraw' },
  { operation: 'getPixelHistory', place: 'pixels/9/7' },
  { operation: 'listFrameDraws', place: 'draws' },
  { operation: 'listFrameShaders', place: 'shaders' },
  { operation: 'getShaderProfile', place: 'shaders/0' },
];

/**
 * Reads a result of a frame, mostly of a finished one.
 *
 * @param isPlain Whether to send no query, because a gateway has no images with bins or after
 *   draws.
 */
export async function readResult(
  client: HistoryClient,
  operation: string,
  isPlain = false,
): Promise<void> {
  const { random, services } = client;
  const isDone = random.next() < 0.8;
  const places = RESULT_PLACES.filter((place) => place.operation === operation);
  const isSuitable = (each: Subject) => (!isDone || each.isDone) && hasPlace(places[0]!, each);
  const frame = services.subjects.pick(random, 'frame', isSuitable);
  if (frame === null) return;
  // The first place of an operation is the cheapest.
  const { place } = isPlain || random.next() < 0.8 ? places[0]! : random.pick(places);
  const hasCopy = random.next() < COPY_SHARE;
  await readPlace(client, frame, operation, place, hasCopy);
}

/** Whether a frame has a result. Frames that were rendered again have few, to keep this simple. */
export function hasPlace(place: ResultPlace, { posted }: Subject): boolean {
  const { needsCycles = false, needsMeasurement = false } = place;
  if (posted === null) return !needsCycles && !needsMeasurement;
  return (!needsCycles || posted.hasCycles) && (!needsMeasurement || posted.hasMeasurement);
}

/** Reads one result. */
export async function readPlace(
  client: HistoryClient,
  { id: subject }: Pick<Subject, 'id'>,
  operation: string,
  place: string,
  hasCopy = false,
): Promise<Asked | null> {
  const path = `/v1/frames/${subject}/${place}`;
  const headers = hasCopy ? { headers: { 'If-None-Match': '*' } } : {};
  return client.ask({ operation, subject, place }, { method: 'GET', path, ...headers }, (raw) =>
    readDigest(raw, subject),
  );
}

function readDigest(raw: RawAnswer, id: string): Partial<Answer> {
  const seen = [{ kind: 'frame', id, status: 'done' } as const];
  return raw.status === 200 ? { digest: digestOf(raw), seen } : { seen };
}
