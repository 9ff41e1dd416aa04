import type { RecordedRun } from '@tessera/frame';
import type { FrameMeasurement } from '@tessera/multi-chiplet/rendering';
import { describe, expect, it } from 'vitest';
import { readMeasurement, writeMeasurement } from './measurement-file.ts';

const WORDS = Int32Array.from({ length: 300_001 }, (_, i) => i * 7919);
const none = new Int32Array(0);

const RUN: RecordedRun = {
  plan: Int32Array.of(-1, 2 ** 31 - 1, 3),
  outputBytes: 64,
  streamBytes: 0,
  commands: WORDS,
  entries: none,
  blocks: WORDS.subarray(1, 4),
  fragmentTraces: none,
  fragmentTraceWords: none,
  vertices: none,
  draws: none,
  arrays: Float64Array.of(2 ** 40, -0, 0.1),
  programs: null,
  pageHeads: none,
  vertexSites: [],
  drawSites: Int32Array.of(-1),
  vertexLogs: [{ first: 0, count: 4, words: WORDS.subarray(5, 6), order: none, starts: none }],
};

function measure(records: RecordedRun | undefined): FrameMeasurement {
  return {
    passes: [
      {
        grid: { columns: 1, rows: 1 },
        historyKey: 'pass 0, 1×1 bins – «ü»',
        visibilityCycles: records === undefined ? 9 : null,
        ...(records === undefined ? {} : { visibilityRecords: records }),
        bins: [],
        commandBytes: 1,
        streamBytes: 2,
        resources: [],
        copyWork: { timings: [], copies: [] },
        visibilityNeeds: [],
        binsNeed: [],
      },
    ],
  };
}

describe('the file of a measurement', () => {
  it('is JSON without records', () => {
    const file = Buffer.concat([...writeMeasurement(measure(undefined))]);
    expect(JSON.parse(file.toString())).toEqual(measure(undefined));
    expect(readMeasurement(file)).toEqual(measure(undefined));
  });

  it('has records as they were, in pieces of at most a megabyte, the same each time', () => {
    const pieces = [...writeMeasurement(measure(RUN))];
    expect(Math.max(...pieces.map(({ length }) => length))).toBe(2 ** 20);
    const file = Buffer.concat(pieces);
    expect(readMeasurement(file)).toEqual(measure(RUN));
    expect(Buffer.concat([...writeMeasurement(measure(RUN))])).toEqual(file);
    // What was read is written as the same file again.
    expect(Buffer.concat([...writeMeasurement(readMeasurement(file))])).toEqual(file);
  });
});
