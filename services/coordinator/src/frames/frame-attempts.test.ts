import { RenderError } from '@tessera/frame';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import type { FrameChiplets } from '../chiplets/chiplet-registry.ts';
import { testJob } from '../testing/test-job.ts';
import { FrameAttempts, type FrameAttemptsOptions, MAX_ATTEMPTS } from './frame-attempts.ts';
import type { Job } from './frame-job.ts';

const LOST = new RenderError('CHIPLET_LOST', 'chiplet 3 was lost');
const RENDERED = {} as Awaited<ReturnType<FrameAttemptsOptions['renderOnce']>>;

function makeAttempts(renderOnce: FrameAttemptsOptions['renderOnce'], chipletCounts = [1]) {
  const wanted: number[] = [];
  const progress: string[] = [];
  const attempts = new FrameAttempts({
    config: { TESSERA_REJOIN_MS: 5000, TESSERA_CHIPLET_WAIT_MS: 1000 },
    log: pino({ level: 'silent' }),
    metrics: { frameAttemptsTotal: { inc: () => {} } } as never,
    registry: {
      waitForSelection: async ({ wantedChiplets }) => {
        const count = chipletCounts[wanted.length] ?? 1;
        wanted.push(wantedChiplets);
        return { chiplets: Array.from({ length: count }) } as unknown as FrameChiplets;
      },
    },
    store: { noteProgress: (_record, now) => progress.push(now) },
    renderOnce,
  });
  return { attempts, wanted, progress };
}

/** Returns a `renderOnce` that fails with `errors` in turn, then succeeds. */
function failWith(...errors: Error[]) {
  return async (_job: Job, _chiplets: FrameChiplets, attempt: number) => {
    const error = errors[attempt - 1];
    if (error !== undefined) throw error;
    return RENDERED;
  };
}

describe('FrameAttempts', () => {
  it('retries a frame whose chiplets were lost, and waits for as many chiplets as before', async () => {
    const { attempts, wanted, progress } = makeAttempts(failWith(LOST, LOST), [4, 3, 3]);
    expect(await attempts.render(testJob())).toBe(RENDERED);
    expect(wanted).toEqual([1, 4, 3]);
    expect(progress).toEqual(['shared', 'idle', 'shared', 'idle', 'shared']);
  });

  it('does not retry other failures', async () => {
    const bug = new Error('a bug');
    const { attempts, wanted } = makeAttempts(failWith(bug));
    await expect(attempts.render(testJob())).rejects.toBe(bug);
    expect(wanted).toHaveLength(1);
  });

  it('fails a frame whose work crashes chiplets', async () => {
    const job = testJob();
    const crashingWork = 'pass 0, coarse bin 7: 3 chiplets were lost while they rendered it';
    const { attempts } = makeAttempts(async () => {
      job.crashingWork = crashingWork;
      throw LOST;
    });
    await expect(attempts.render(job)).rejects.toMatchObject({
      code: 'FRAME_KILLS_CHIPLETS',
      message: crashingWork,
    });
  });

  it('gives up after MAX_ATTEMPTS', async () => {
    const { attempts, wanted } = makeAttempts(() => Promise.reject(LOST));
    await expect(attempts.render(testJob())).rejects.toBe(LOST);
    expect(wanted).toHaveLength(MAX_ATTEMPTS);
  });
});
