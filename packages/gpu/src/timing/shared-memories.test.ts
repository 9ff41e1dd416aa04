/** Requests between chiplets end with the smallest tables, and no wake-up is lost. */
import { defineChipletSpec } from '@tessera/chiplet-spec';
import { PLACEMENTS } from '@tessera/frame';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runSharedMemories, type SharedMemoriesOptions } from '../testing/shared-memories.ts';

const SHARED = PLACEMENTS.filter((name) => name !== 'replicated');

/** Memory systems with tables of one or two entries and few ways. */
const anyMemories: fc.Arbitrary<SharedMemoriesOptions> = fc.record({
  spec: fc
    .record({
      l2MissEntries: fc.constantFrom(1, 2),
      l2CacheWays: fc.constantFrom(1, 1, 2),
      l2CacheBytes: fc.constant(4096),
      l2Slices: fc.constantFrom(1, 2),
      l2LinesPerCycle: fc.constantFrom(1, 2),
      l2WaitersPerMiss: fc.constantFrom(1, 2),
      hasL2Cache: fc.constantFrom(true, true, false),
      hasExclusiveBursts: fc.constantFrom(false, false, true),
      memoryClientLines: fc.constantFrom(16, 24),
      memoryBurstLines: fc.constantFrom(1, 4),
      dramQueueEntries: fc.constantFrom(2, 4),
      dramChannels: fc.constantFrom(1, 2),
      remoteReadEntries: fc.constantFrom(1, 2, 7),
      remoteWriteEntries: fc.constantFrom(1, 2),
      remoteServerEntries: fc.constantFrom(1, 3),
      remoteCache: fc.constantFrom('l2' as const, 'own' as const, 'none' as const),
      remoteCacheBytes: fc.constant(4096),
      remoteCacheWays: fc.constantFrom(1, 4),
      placementPageBytes: fc.constantFrom(64, 256, 1024),
    })
    .map((overrides) => defineChipletSpec(overrides)),
  chipletCount: fc.constantFrom(2, 3, 4, 16),
  placement: fc.constantFrom(...SHARED),
  lineCount: fc.constantFrom(16, 200, 3000),
  clientCount: fc.constantFrom(1, 3),
  requestCount: fc.constant(60),
  latencyCycles: fc.constantFrom(1, 5, 33),
  seed: fc.nat(1_000_000),
});

describe('shared memories', () => {
  it('answer every request of any chiplet, each once', () => {
    fc.assert(
      fc.property(anyMemories, (options) => {
        const result = runSharedMemories(options, 400_000);
        expect(result.readsServed).toBe(result.readsSent);
        expect(result.writesServed).toBe(result.writesSent);
      }),
      { numRuns: 150, seed: 20 },
    );
  });

  it('take the same cycles whether modules sleep or are clocked in every cycle', () => {
    fc.assert(
      fc.property(anyMemories, (options) => {
        const naive = runSharedMemories({ ...options, isNaive: true }, 400_000);
        expect(naive).toEqual(runSharedMemories(options, 400_000));
      }),
      { numRuns: 20, seed: 21 },
    );
  });

  it('end with one miss entry, one way and one entry of each table', () => {
    for (const chipletCount of [2, 4, 16]) {
      for (const placement of SHARED) {
        const spec = defineChipletSpec({
          l2MissEntries: 1,
          l2CacheWays: 1,
          l2CacheBytes: 4096,
          l2WaitersPerMiss: 1,
          remoteReadEntries: 1,
          remoteWriteEntries: 1,
          remoteServerEntries: 1,
          placementPageBytes: 64,
        });
        const result = runSharedMemories(
          {
            spec,
            chipletCount,
            placement,
            lineCount: 1000,
            clientCount: 3,
            requestCount: 300,
            latencyCycles: 32,
            seed: 7,
          },
          2_000_000,
        );
        expect(result.readsServed).toBe(result.readsSent);
        expect(result.readsSent).toBeGreaterThan(0);
      }
    }
  });
});
