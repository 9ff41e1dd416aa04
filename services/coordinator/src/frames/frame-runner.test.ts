import { RenderError } from '@tessera/frame';
import { pino } from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import { testJob } from '../testing/test-job.ts';
import type { Job, Outcome } from './frame-job.ts';
import { FrameRunner, type FrameRunnerOptions } from './frame-runner.ts';

const IMAGE = { widthPx: 1, heightPx: 1, rgba: new Uint8Array(4) };
const METRIC = { observe: () => {} };

describe('FrameRunner', () => {
  let outcomes: (Outcome | Error)[];
  let left: unknown[];
  let dropped: unknown[];
  let progress: object[];

  beforeEach(() => {
    outcomes = [];
    left = [];
    dropped = [];
    progress = [];
  });

  function makeRunner(
    render: (job: Job) => Promise<unknown>,
    finish = (outcome: Outcome | Error) => {
      outcomes.push(outcome);
    },
  ): FrameRunner {
    return new FrameRunner({
      config: { TESSERA_FRAME_MS: 20 },
      log: pino({ level: 'silent' }),
      metrics: { queueWaitSeconds: METRIC, frameSeconds: METRIC, encodeSeconds: METRIC } as never,
      store: {
        update: (_record: unknown, change: object) => progress.push(change),
        keepResult: async () => 'files',
        dropResult: (result: unknown) => dropped.push(result),
      } as unknown as FrameRunnerOptions['store'],
      attempts: { render: render as FrameRunnerOptions['attempts']['render'] },
      outcomes: {
        finish: (_job, outcome) => finish(outcome),
        leave: (_job, error) => left.push(error),
      },
      stopping: AbortSignal.abort(),
    });
  }

  it('renders, encodes and stores a frame', async () => {
    const runner = makeRunner(async () => ({ image: IMAGE, passImages: [], report: 'report' }));
    await runner.run(testJob());
    expect(outcomes).toEqual([{ status: 'done', result: 'files', report: 'report' }]);
    expect(progress).toEqual([{ status: 'running' }, { phase: 'encoding' }]);
  });

  it('aborts a frame that exceeds the time limit', async () => {
    const runner = makeRunner(({ abort }) => {
      const { promise, reject } = Promise.withResolvers();
      abort.signal.addEventListener('abort', () => reject(new Error('aborted')));
      return promise;
    });
    await runner.run(testJob());
    expect(outcomes).toEqual([
      new RenderError('FRAME_TIMEOUT', 'rendering took longer than 20 ms'),
    ]);
  });

  it('drops the files of a result that cannot be recorded, and leaves the frame', async () => {
    const full = new RenderError('STORAGE_FULL', 'no space');
    const render = async () => ({ image: IMAGE, passImages: [] });
    const runner = makeRunner(render, () => {
      throw full;
    });
    await runner.run(testJob());
    expect(dropped).toEqual(['files']);
    expect(left).toEqual([full]);
  });
});
