/** Records of a run whose words mean nothing. */
import type { RecordedRun } from '@tessera/frame';

/** Returns records with some fields replaced. */
export function makeRun(changes: Partial<RecordedRun>): RecordedRun {
  const none = new Int32Array(0);
  const keys = { vertex: 'v', fragment: 'f' };
  return {
    plan: none,
    outputBytes: 0,
    streamBytes: 0,
    commands: Int32Array.of(3, 0, -1),
    entries: none,
    blocks: none,
    fragmentTraces: none,
    fragmentTraceWords: none,
    vertices: none,
    draws: none,
    arrays: Float64Array.of(-0),
    programs: { first: keys, last: keys },
    pageHeads: none,
    vertexSites: [],
    drawSites: none,
    vertexLogs: [{ first: 0, count: 4, words: none, order: none, starts: none }],
    ...changes,
  };
}
