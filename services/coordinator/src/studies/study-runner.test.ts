import { RenderError } from '@tessera/frame';
import type { StudyRequest } from '@tessera/study';
import { pino } from 'pino';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ComputePool } from '../compute/compute-pool.ts';
import type { FrameQueue } from '../frames/frame-queue.ts';
import type { FrameOptions } from '../prepare/frame-options.ts';
import { openTestStore, putSource, removeTestStores } from '../testing/temporary-data-folder.ts';
import { StudyRunner } from './study-runner.ts';
import { StudyStore } from './study-store.ts';

afterEach(removeTestStores);

const REQUEST = {
  frames: ['frame'],
  kinds: ['model'],
  chiplets: [1],
  policies: ['static'],
  bins: [4],
  specs: [null],
  visibility: ['minimal'],
} as unknown as StudyRequest; // Its frames are never rendered in this test.

/** Returns a runner whose queue calls `prepare` for each point, and the warnings that it logs. */
async function openRunner(prepare: () => Promise<never>) {
  const opened = openTestStore();
  const studies = new StudyStore(opened);
  const log = pino({ level: 'silent' });
  const errors = vi.spyOn(log, 'error');
  const queue = { reserve: () => () => {}, prepare } as unknown as FrameQueue;
  const runner = new StudyRunner({
    ...opened,
    studies,
    queue,
    log,
    simulations: {} as ComputePool, // Nothing is measured.
    maxSteps: 1,
    isVisibilityChipletRendering: true,
  });
  const source = await putSource(opened.blobs, Buffer.from('model'));
  const add = () => {
    const study = studies.add(REQUEST, [{ title: 'model', source, options: {} as FrameOptions }]);
    opened.blobs.release(source.files);
    return study;
  };
  return { ...opened, studies, runner, errors, add };
}

describe('StudyRunner', () => {
  it('does not restore a study that is deleted while it waits for space on the disk', async () => {
    let prepared = 0;
    const { studies, runner, errors, add } = await openRunner(async () => {
      prepared++;
      throw prepared === 1
        ? new RenderError('STORAGE_FULL', 'full')
        : new RenderError('MODEL_INVALID', 'no model');
    });
    const [study, next] = [add(), add()];
    runner.start(study);
    await vi.waitFor(() => expect(prepared).toBe(1));
    runner.cancel(study.id);
    studies.delete(study.id);
    runner.start(next);
    await vi.waitFor(() => expect(studies.get(next.id)?.status).toBe('failed'), 10_000);
    await runner.stop();
    expect(prepared).toBe(2);
    expect(studies.get(study.id)).toBeUndefined();
    expect(errors).not.toHaveBeenCalled();
  });

  it('runs the next study when a study fails by a bug that cannot be recorded', async () => {
    const { database, studies, runner, errors, add } = await openRunner(async () => {
      throw new RenderError('MODEL_INVALID', 'no model');
    });
    const [broken, next] = [add(), add()];
    database.run(`CREATE TRIGGER broken BEFORE UPDATE ON studies WHEN OLD.id = '${broken.id}'
      BEGIN SELECT RAISE(ABORT, 'this record takes nothing'); END`);
    runner.start(broken);
    runner.start(next);
    await vi.waitFor(() => expect(studies.get(next.id)?.status).toBe('failed'));
    expect(errors).toHaveBeenCalledWith(
      expect.objectContaining({ studyId: broken.id }),
      expect.any(String),
    );
    await runner.stop();
  });

  it('has a cancellation in the journal at once, so that no later process resumes it', async () => {
    const begun = Promise.withResolvers<void>();
    const rendering = Promise.withResolvers<never>();
    const { studies, runner, errors, add } = await openRunner(() => {
      begun.resolve();
      return rendering.promise;
    });
    const study = add();
    runner.start(study);
    await begun.promise;
    runner.cancel(study.id);
    expect(studies.get(study.id)?.status).toBe('cancelled');
    expect(studies.unfinished()).toEqual([]);
    rendering.reject(new RenderError('FRAME_CANCELLED', 'cancelled'));
    await runner.stop();
    expect(studies.get(study.id)?.status).toBe('cancelled');
    expect(errors).not.toHaveBeenCalled();
  });
});
