import { pino } from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import { JobScheduler } from './job-scheduler.ts';

interface Job {
  readonly name: string;
  readonly end: PromiseWithResolvers<void>;
}

function makeJob(name: string): Job {
  return { name, end: Promise.withResolvers() };
}

describe('JobScheduler', () => {
  let started: string[];
  let failed: string[];
  let scheduler: JobScheduler<Job>;

  beforeEach(() => {
    started = [];
    failed = [];
    scheduler = new JobScheduler<Job>({
      maxRunning: 2,
      log: pino({ level: 'silent' }),
      run: (job) => {
        started.push(job.name);
        return job.end.promise;
      },
      onFailure: (job) => failed.push(job.name),
      onLoad: () => {},
      describe: ({ name }) => ({ name }),
    });
  });

  it('runs at most maxRunning jobs and starts the next one when a job is over', async () => {
    const jobs = ['a', 'b', 'c'].map(makeJob);
    for (const job of jobs) scheduler.push('client', job);
    expect(started).toEqual(['a', 'b']);
    expect(scheduler.load).toEqual({ waiting: 1, running: 2 });
    jobs[1]!.end.resolve();
    await expect.poll(() => started).toEqual(['a', 'b', 'c']);
    expect(scheduler.load).toEqual({ waiting: 0, running: 2 });
  });

  it('reports a job that rejects and continues with the next one', async () => {
    const jobs = ['a', 'b', 'c'].map(makeJob);
    for (const job of jobs) scheduler.push('client', job);
    jobs[0]!.end.reject(new Error('a bug'));
    await expect.poll(() => failed).toEqual(['a']);
    expect(started).toEqual(['a', 'b', 'c']);
  });

  it('runs a job alone: after the running jobs, before those that wait', async () => {
    const running = makeJob('running');
    scheduler.push('client', running);
    const alone = makeJob('alone');
    const over = scheduler.runAlone(async () => alone);
    scheduler.push('client', makeJob('later'));
    expect(started).toEqual(['running']);
    running.end.resolve();
    await expect.poll(() => started).toEqual(['running', 'alone']);
    expect(scheduler.load).toEqual({ waiting: 1, running: 1 });
    alone.end.resolve();
    await over;
    expect(started).toEqual(['running', 'alone', 'later']);
  });

  it('continues with the queue when there is nothing to run alone', async () => {
    const over = scheduler.runAlone(async () => null);
    scheduler.push('client', makeJob('later'));
    await over;
    expect(started).toEqual(['later']);
  });
});
