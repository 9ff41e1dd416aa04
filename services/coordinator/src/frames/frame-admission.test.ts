import { describe, expect, it } from 'vitest';
import { FairQueue } from '../admission/fair-queue.ts';
import { testJob } from '../testing/test-job.ts';
import { FrameAdmission } from './frame-admission.ts';
import type { Job } from './frame-job.ts';

const quotas = { refusePlace: () => {}, refuseFrame: () => {} };
const LIMITS = {
  TESSERA_QUEUE_FRAMES: 2,
  TESSERA_QUEUE_BYTES: 1000,
  TESSERA_SIMULATION_STEPS: 1_000_000,
};

function makeAdmission(signal = new AbortController().signal) {
  const waiting = new FairQueue<Job>();
  return { waiting, admission: new FrameAdmission(LIMITS, waiting, signal, quotas) };
}

describe('FrameAdmission', () => {
  it('counts reserved places and waiting frames', () => {
    const { waiting, admission } = makeAdmission();
    const release = admission.reserve('a');
    waiting.push('a', testJob());
    expect(() => admission.reserve('a')).toThrow('at most 2');
    release();
    release(); // The second call has no effect.
    admission.reserve('a');
    expect(() => admission.reserve('a')).toThrow(expect.objectContaining({ code: 'QUEUE_FULL' }));
  });

  it('bounds the bytes of waiting frames, but accepts any frame while none waits', () => {
    const { waiting, admission } = makeAdmission();
    const large = testJob(2000);
    admission.check(large.model, large.options, 'a');
    waiting.push('a', testJob(10));
    expect(() => admission.check(large.model, large.options, 'a')).toThrow('of 1000 bytes');
  });

  it('admits nothing when the service stops', () => {
    const { admission } = makeAdmission(AbortSignal.abort());
    const { model, options } = testJob();
    const stopping = expect.objectContaining({ code: 'SHUTTING_DOWN' });
    expect(() => admission.reserve('a')).toThrow(stopping);
    expect(() => admission.check(model, options, 'a')).toThrow(stopping);
  });
});
