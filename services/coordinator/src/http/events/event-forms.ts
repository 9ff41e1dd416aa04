/** Form of events in streams. */
import type { FrameSummary } from '../../frames/frame-record.ts';
import type { EventTopic, ServiceEvent } from '../../observe/event-log.ts';
import type { StudyRecord } from '../../studies/study-store.ts';
import { frameStatus } from '../frames/frame-status.ts';
import { textOf } from '../protocol/server-sent-events.ts';
import { studyStatus } from '../studies/study-status.ts';

/** Public form of an event's body, by topic. */
const SHOW_BODY: Readonly<Record<EventTopic, (body: unknown) => unknown>> = {
  frame: (body) => frameStatus(body as FrameSummary), // FrameStore publishes summaries.
  bin: (body) => body,
  chiplet: (body) => body,
  queue: (body) => body,
  study: (body) => studyStatus(body as StudyRecord), // StudyStore publishes records.
};

/** Text of each event, which all streams share. */
const textByEvent = new WeakMap<ServiceEvent, string>();

/** Returns an event with the public form of its body. */
export function publicEvent({ number, topic, body }: ServiceEvent) {
  return { id: number, name: topic, body: SHOW_BODY[topic](body) };
}

/** Returns the text of an event in a stream. */
export function eventText(event: ServiceEvent): string {
  let text = textByEvent.get(event);
  if (text === undefined) {
    text = textOf(publicEvent(event));
    textByEvent.set(event, text);
  }
  return text;
}

/** Whether the event is the last one of its frame or study. */
export function isLastEvent({ topic, body }: ServiceEvent): boolean {
  if (topic === 'frame') return (body as FrameSummary).phase === 'over';
  return topic === 'study' && (body as StudyRecord).status !== 'running';
}
