/** Records of a run, for tests and fuzzing. Their words mean nothing. */
import type { RecordedRun } from '@tessera/frame';

const COST = { instructions: 3, issueCycles: 4, stallCycles: -1 };

/** Returns the records of a run whose vertex program has a lookup in a loop. */
export function makeSampleRecords(): RecordedRun {
  return {
    plan: Int32Array.of(0, 0, 64, 64),
    outputBytes: 16_384,
    streamBytes: 0,
    commands: Int32Array.of(3, 0, -1),
    entries: Int32Array.of(1),
    blocks: new Int32Array(0),
    fragmentTraces: Int32Array.of(0, 5),
    fragmentTraceWords: Int32Array.of(2, 1, 0, 0, -1),
    vertices: Int32Array.of(7, 0),
    draws: Int32Array.of(1, 2, 3),
    arrays: Float64Array.of(2 ** 33, 0.5),
    programs: {
      first: { vertex: 'v', fragment: 'f' },
      last: { vertex: 'v', fragment: 'g' },
    },
    pageHeads: Int32Array.of(9),
    vertexSites: [
      {
        sites: [
          {
            kind: 'lookup',
            slot: 0,
            loops: [1],
            costs: [COST, COST],
            roundCost: COST,
            lookupsInFlight: 2,
          },
          {
            kind: 'loop',
            slot: -1,
            loops: [],
            costs: [COST],
            roundCost: COST,
            lookupsInFlight: 0,
          },
        ],
        cost: COST,
      },
    ],
    drawSites: Int32Array.of(0, -1),
    vertexLogs: [
      {
        first: 0,
        count: 4,
        words: Int32Array.of(1, 2),
        order: Int32Array.of(0),
        starts: Int32Array.of(0, 1),
      },
    ],
  };
}
