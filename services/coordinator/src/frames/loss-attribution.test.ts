import { describe, expect, it } from 'vitest';
import { FrameBlame } from '../chiplets/frame-blame.ts';
import { type BlamedJob, LossAttribution } from './loss-attribution.ts';

const LIMIT = 2;
const BIN_7 = { frameId: 'frame/run.1', passIndex: 0, binId: 7 };

function makeJob(): BlamedJob {
  return { blame: new FrameBlame(LIMIT), crashingWork: null, attempt: new AbortController() };
}

function attribute(job: BlamedJob): LossAttribution {
  return new LossAttribution((id) => (id === 'frame' ? job : undefined));
}

describe('LossAttribution', () => {
  it('aborts the attempt of a frame when one bin has lost the maximum number of chiplets', () => {
    const job = makeJob();
    const losses = attribute(job);
    losses.noteLoss(BIN_7);
    expect(job.attempt.signal.aborted).toBe(false);
    losses.noteLoss(BIN_7);
    expect(job.attempt.signal.aborted).toBe(true);
    expect(job.crashingWork).toContain('coarse bin 7: 2 chiplets');
  });

  it('counts chiplets that were idle or rendered unknown frames as losses elsewhere', () => {
    const job = makeJob();
    const losses = attribute(job);
    losses.noteLoss(BIN_7);
    losses.noteLoss(null);
    losses.noteLoss({ ...BIN_7, frameId: 'other/run.1' });
    losses.noteLoss(BIN_7);
    expect(job.crashingWork).toBeNull();
  });

  it('does not count a chiplet that came back alive', () => {
    const job = makeJob();
    const losses = attribute(job);
    losses.noteLoss(BIN_7);
    losses.noteSurvival(BIN_7);
    losses.noteLoss(BIN_7);
    expect(job.crashingWork).toBeNull();
  });
});
