/** Last reads of a run, when everything is connected again and no client posts any more. */
import { listWhole } from './frame-routes.ts';
import type { HistoryClient } from './history-client.ts';
import { waitUntilOver } from './references.ts';
import { readPlace } from './result-routes.ts';

/**
 * Waits for everything that was accepted, reads the results of frames once more, and lists all
 * frames.
 *
 * @param withinMs Time in which one subject must end.
 */
export async function drain(client: HistoryClient, withinMs: number): Promise<void> {
  for (const subject of client.services.subjects.all()) {
    await waitUntilOver(client, subject, withinMs);
    if (subject.kind !== 'frame' || !subject.isDone) continue;
    await readPlace(client, subject, 'getFrameImage', 'image');
    await readPlace(client, subject, 'getFrameReport', 'report');
  }
  await listWhole(client, {});
}
