/** Undisturbed renderings of all jobs. Later answers are compared with theirs. */
import { setTimeout as sleep } from 'node:timers/promises';
import { readStatus, sendAgain, sendPost } from './frame-routes.ts';
import type { HistoryClient } from './history-client.ts';
import { VARIANTS } from './jobs.ts';
import { hasPlace, RESULT_PLACES, readPlace } from './result-routes.ts';
import { readSequencePlace, sendFrameSequence, sendModelSequence } from './sequence-routes.ts';
import { sendResource } from './stored-routes.ts';
import { readStudyPlace, STUDY_PLACES, sendStudy } from './study-routes.ts';
import type { Subject } from './subjects.ts';

const POLL_MS = 20;
/** Time in which an undisturbed job must finish. */
const WITHIN_MS = 120_000;
/** Operations that render the frame again. Every few jobs have references of them. */
const PROBES = /HeatMap|Pixel|Draws|Shader/;
const PROBED_EVERY = 6;

/** Renders each job, each variant of some jobs, sequences and a study, and reads all results. */
export async function readReferences(client: HistoryClient): Promise<void> {
  const { jobs } = client.services;
  for (const [number, job] of jobs.entries()) {
    for (const content of job.body.resources ?? []) await sendResource(client, content);
    const asked = await sendPost(client, {
      job,
      token: client.token(),
      key: null,
      tag: client.tag,
    });
    const frame = subjectOf(client, asked?.answer.subject);
    if (frame === null) continue; // The job is refused, as it must be.
    await waitUntilOver(client, frame);
    if (!frame.isDone) continue;
    await readPlaces(client, frame, number % PROBED_EVERY === 0);
    for (const { name } of number % PROBED_EVERY === 0 ? VARIANTS : []) {
      const again = await sendAgain(client, frame, name);
      if (again === null) continue;
      await waitUntilOver(client, again);
      await readPlaces(client, again, false);
    }
    if (job.name === 'glb cycles') await readSequences(client, frame);
    if (job.name === 'cube cycles') await readStudy(client, frame);
  }
}

/** Reads the results of a frame. */
async function readPlaces(client: HistoryClient, frame: Subject, isProbed: boolean): Promise<void> {
  for (const place of RESULT_PLACES) {
    const isProbe = PROBES.test(place.operation) || place.place.includes('draw=');
    if (!hasPlace(place, frame) || (isProbe && !isProbed)) continue;
    await readPlace(client, frame, place.operation, place.place);
  }
}

async function readSequences(client: HistoryClient, frame: Subject): Promise<void> {
  const ofModel = await sendModelSequence(client, frame.posted!);
  const ofFrames = await sendFrameSequence(client, [frame, frame]);
  for (const asked of [ofModel, ofFrames]) {
    const sequence = subjectOf(client, asked?.answer.subject);
    if (sequence === null) continue;
    await waitUntilOver(client, sequence);
    await readSequencePlace(client, sequence, 'getSequenceReport', 'report');
    await readSequencePlace(client, sequence, 'getSequenceTimeline', 'timeline');
    await readSequencePlace(client, sequence, 'getSequenceImages', 'images');
  }
}

async function readStudy(client: HistoryClient, frame: Subject): Promise<void> {
  const asked = await sendStudy(client, frame);
  const study = subjectOf(client, asked?.answer.subject);
  if (study === null) return;
  await waitUntilOver(client, study);
  for (const operation of Object.keys(STUDY_PLACES) as (keyof typeof STUDY_PLACES)[]) {
    await readStudyPlace(client, study, operation);
  }
}

function subjectOf({ services }: HistoryClient, id: string | undefined): Subject | null {
  return id === undefined ? null : (services.subjects.get(id) ?? null);
}

/**
 * Polls a subject until it is over or gone.
 *
 * @param withinMs Time after which polling stops. The checker then reports the subject.
 */
export async function waitUntilOver(
  client: HistoryClient,
  subject: Subject,
  withinMs = WITHIN_MS,
): Promise<void> {
  const deadlineMs = performance.now() + withinMs;
  while (!subject.isOver && performance.now() < deadlineMs) {
    const asked = await readStatus(client, subject);
    if (asked?.answer.status === 404) return;
    await sleep(POLL_MS);
  }
}
