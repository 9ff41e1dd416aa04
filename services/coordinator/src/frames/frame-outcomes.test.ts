import { RenderError } from '@tessera/frame';
import { pino } from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import { testJob } from '../testing/test-job.ts';
import type { Job, Outcome } from './frame-job.ts';
import { FrameOutcomes } from './frame-outcomes.ts';
import type { FrameEnd, FrameResult } from './frame-record.ts';

const DONE = { status: 'done', report: { wall: { totalMs: 1 } } } as Outcome;

describe('FrameOutcomes', () => {
  let recorded: FrameEnd[];
  let dropped: unknown[];
  let over: Job[];
  let counted: string[];
  let outcomes: FrameOutcomes;

  beforeEach(() => {
    recorded = [];
    dropped = [];
    over = [];
    counted = [];
    outcomes = new FrameOutcomes({
      log: pino({ level: 'silent' }),
      store: {
        finish: (_record, end) => recorded.push(end),
        cancel: () => recorded.push({ status: 'cancelled' } as FrameEnd),
        noteProgress: () => {},
        dropResult: (result) => dropped.push(result),
      },
      metrics: {
        framesTotal: { inc: ({ outcome }: { outcome: string }) => counted.push(outcome) },
      } as never,
      onOver: (job) => over.push(job),
    });
  });

  it('records a result, a failure and a bug', async () => {
    const job = testJob();
    outcomes.finish(job, DONE);
    outcomes.finish(job, new RenderError('NO_CHIPLETS', 'no chiplet came'));
    outcomes.finish(job, new Error('secret detail'));
    expect(recorded).toEqual([
      DONE,
      { status: 'failed', error: { code: 'NO_CHIPLETS', message: 'no chiplet came' } },
      {
        status: 'failed',
        error: { code: 'INTERNAL', message: 'internal error; the log has details under frame' },
      },
    ]);
    expect(counted).toEqual(['done', 'failed', 'failed']);
    await job.finished.promise;
  });

  it('records a cancelled frame at once and leaves another aborted one to the next start', () => {
    const cancelled = testJob();
    outcomes.cancel(cancelled);
    outcomes.cancel(cancelled);
    expect(recorded.map(({ status }) => status)).toEqual(['cancelled']);
    expect(over).toEqual([]);
    const left = testJob();
    left.abort.abort();
    for (const job of [cancelled, left]) outcomes.finish(job, new Error('aborted'));
    expect(recorded.map(({ status }) => status)).toEqual(['cancelled']);
    expect(over).toEqual([cancelled, left]);
  });

  it('drops the result of a frame that was cancelled meanwhile', () => {
    const job = testJob();
    outcomes.cancel(job);
    const result = { imageSha256: 'hash' } as unknown as FrameResult;
    outcomes.finish(job, { ...DONE, result } as Outcome);
    expect(recorded.map(({ status }) => status)).toEqual(['cancelled']);
    expect(dropped).toEqual([result]);
    expect(counted).toEqual(['cancelled']);
  });

  it('fails a frame that the time limit aborted', () => {
    const late = testJob();
    late.abort.abort();
    outcomes.finish(late, new RenderError('FRAME_TIMEOUT', 'rendering took longer than 5 ms'));
    expect(recorded).toMatchObject([{ status: 'failed', error: { code: 'FRAME_TIMEOUT' } }]);
  });

  it('delivers a rerendered frame to its caller and not to the journal', () => {
    const job = testJob();
    const delivered: unknown[] = [];
    job.deliver = (outcome) => delivered.push(outcome);
    outcomes.finish(job, DONE);
    expect(delivered).toEqual([DONE]);
    expect(recorded).toEqual([]);
  });

  it('keeps a job unfinished while its outcome cannot be recorded', () => {
    const full = new RenderError('STORAGE_FULL', 'no space');
    const failing = new FrameOutcomes({
      log: pino({ level: 'silent' }),
      store: {
        finish: () => {
          throw full;
        },
        cancel: () => {},
        noteProgress: () => {},
        dropResult: () => {},
      },
      metrics: {} as never,
      onOver: (job) => over.push(job),
    });
    expect(() => failing.finish(testJob(), DONE)).toThrow(full);
    expect(over).toEqual([]);
  });
});
