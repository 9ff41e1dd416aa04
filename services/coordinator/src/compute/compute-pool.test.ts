import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SequenceReport } from '@tessera/frame';
import { DEFAULT_INTERCONNECT, type FrameMeasurement } from '@tessera/multi-chiplet/rendering';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { makeTemporaryFolder, removeTestStores } from '../testing/temporary-data-folder.ts';
import { ComputePool, type ComputePoolOptions } from './compute-pool.ts';
import type { ComputeInput } from './compute-tasks.ts';

const never = new AbortController().signal;
const BINS = 256;
const UNLIMITED = Number.MAX_SAFE_INTEGER;
const FRAME: FrameMeasurement = {
  passes: [
    {
      grid: { columns: BINS, rows: 1 },
      historyKey: 'pass 0',
      visibilityCycles: 1000,
      bins: Array.from({ length: BINS }, (_, binId) => ({
        binId,
        cycles: 3000 + binId,
        costTerms: [1, 2, 3],
        estimatedCycles: 3000,
        resultBytes: 4096,
        streamBytes: 0,
        isEarly: false,
      })),
      commandBytes: 100,
      streamBytes: 1000,
      resources: [],
      copyWork: { timings: [], copies: [] },
      visibilityNeeds: [],
      binsNeed: [],
    },
  ],
};

describe('ComputePool', () => {
  const pools: ComputePool[] = [];
  let path: string;

  beforeAll(() => {
    path = join(makeTemporaryFolder(), 'measurement.json');
    writeFileSync(path, JSON.stringify(FRAME));
    return removeTestStores;
  });

  afterEach(async () => {
    await Promise.all(pools.splice(0).map((pool) => pool.close()));
  });

  function makePool(options: Partial<ComputePoolOptions> = {}): ComputePool {
    const pool = new ComputePool({ withinMs: 60_000, heapMb: 512, maxWaiting: 8, ...options });
    pools.push(pool);
    return pool;
  }

  function sequenceOf(
    frameCount: number,
    chipletCount: number,
    maxSteps = UNLIMITED,
  ): ComputeInput<'report-sequence'> {
    return {
      frames: Array.from({ length: frameCount }, (_, i) => ({
        path,
        frameSha256: `frame ${i}`,
        imageSha256: `image ${i}`,
      })),
      simulation: {
        chipletCount,
        isVisibilityChipletRendering: true,
        policy: 'dynamic-pull',
        interconnect: { ...DEFAULT_INTERCONNECT, topology: 'ring' },
        overlap: 'visibility-first',
        framesInFlight: 6,
      },
      maxRecordBytes: UNLIMITED,
      spec: { name: 'x', fineBinPx: 64, clockHz: 1e9, parameters: {} },
      maxSteps,
      wall: { totalMs: 0, retriedBins: 0 },
    };
  }

  it('does not block the event loop while the report of a long sequence is computed', async () => {
    const pool = makePool();
    await pool.run('report-sequence', sequenceOf(1, 2), never); // The thread has started.
    const startMs = performance.now();
    let [lastMs, longestMs, turns] = [startMs, 0, 0];
    const timer = setInterval(() => {
      const nowMs = performance.now();
      longestMs = Math.max(longestMs, nowMs - lastMs);
      lastMs = nowMs;
      turns++;
    }, 1);
    const report: SequenceReport = await pool.run('report-sequence', sequenceOf(200, 64), never);
    clearInterval(timer);
    const totalMs = performance.now() - startMs;
    expect(report.totals.frames).toBe(200);
    expect(turns).toBeGreaterThan(20);
    expect(longestMs).toBeLessThan(totalMs / 2);
  });

  it('aborts a computation that takes too long, and runs the next one in a new thread', async () => {
    const pool = makePool({ withinMs: 400 });
    const long = pool.run('report-sequence', sequenceOf(20_000, 64), never);
    const next = pool.run('report-sequence', sequenceOf(1, 2), never);
    await expect(long).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      message: 'report-sequence: took longer than 400 ms',
    });
    const outcomes = await Promise.allSettled([next]);
    // On a busy machine the start of the thread alone may exceed the limit.
    if (outcomes[0].status === 'rejected') expect(outcomes[0].reason.code).toBe('LIMIT_EXCEEDED');
  });

  it('aborts a computation that needs too much memory', async () => {
    const pool = makePool({ heapMb: 64 });
    await expect(pool.run('report-sequence', sequenceOf(20_000, 64), never)).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      message: 'report-sequence: needs more than 64 MiB of heap',
    });
    const { totals } = await pool.run('report-sequence', sequenceOf(2, 2), never);
    expect(totals.frames).toBe(2);
  });

  it('ends a computation whose client disconnects, and starts none for a disconnected client', async () => {
    const pool = makePool();
    const [first, second] = [new AbortController(), new AbortController()];
    const running = pool.run('report-sequence', sequenceOf(20_000, 64), first.signal);
    const waiting = pool.run('report-sequence', sequenceOf(20_000, 64), second.signal);
    const last = pool.run('report-sequence', sequenceOf(1, 2), never);
    second.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'FRAME_CANCELLED' });
    first.abort();
    await expect(running).rejects.toMatchObject({ code: 'FRAME_CANCELLED' });
    expect((await last).totals.frames).toBe(1);
    await expect(
      pool.run('report-sequence', sequenceOf(1, 2), second.signal),
    ).rejects.toMatchObject({ code: 'FRAME_CANCELLED' });
  });

  it('refuses requests beyond the queue length, but no admitted work', async () => {
    const pool = makePool({ maxWaiting: 1 });
    const small = sequenceOf(1, 2);
    const admitted = [1, 2, 3].map(() => pool.runAdmitted('report-sequence', small, never));
    const waiting = pool.run('report-sequence', small, never);
    await expect(pool.run('report-sequence', small, never)).rejects.toMatchObject({
      code: 'TOO_MANY_COMPUTATIONS',
      message: '1 computations are waiting; at most 1',
    });
    expect(await Promise.all([...admitted, waiting])).toHaveLength(4);
  });

  it('refuses a simulation beyond the limit, with all numbers', async () => {
    const input = sequenceOf(10, 32, 83_199);
    await expect(makePool().run('report-sequence', input, never)).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      message:
        'frames: 10 frames with 10 passes and 2560 coarse bins on 32 chiplets: ' +
        '(bins + 4 × passes) × chiplets is 83200; at most 83199',
    });
    const accepted = await makePool().run('report-sequence', sequenceOf(10, 32, 83_200), never);
    expect(accepted.totals.frames).toBe(10);
  });

  it('ends a thread without work on request, but none that computes', async () => {
    const countThreads = () => readdirSync('/proc/self/task').length;
    let started = 0;
    const pool = makePool({ onStart: () => started++ });
    await pool.run('report-sequence', sequenceOf(1, 2), never);
    expect(started).toBe(1);
    const before = countThreads();
    pool.endIdle();
    await expect.poll(countThreads).toBeLessThan(before);
    const running = pool.run('report-sequence', sequenceOf(1, 2), never);
    pool.endIdle();
    expect((await running).totals.frames).toBe(1);
    expect(started).toBe(2);
  });

  it('fails waiting computations when it is closed', async () => {
    const pool = makePool();
    const pending = [1, 2].map(() => pool.run('report-sequence', sequenceOf(20_000, 64), never));
    const outcomes = Promise.allSettled(pending);
    await pool.close();
    for (const { reason } of (await outcomes) as PromiseRejectedResult[]) {
      expect(reason).toMatchObject({ code: 'SHUTTING_DOWN' });
    }
  });
});
