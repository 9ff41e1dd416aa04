/**
 * The benchmark set is what its table says: publications cite frames by name and version, so a
 * frame that changes needs a new version of the set.
 */
import { validateFrame } from '@tessera/frame';
import { hashFrame } from '@tessera/multi-chiplet';
import {
  BENCHMARK_SCENE_NAMES,
  benchmarkFrame,
  countFrame,
  findBenchmarkScene,
} from '@tessera/scenes';
import { describe, expect, it } from 'vitest';

const SIZE = { widthPx: 1280, heightPx: 720 } as const;

describe('the benchmark set', () => {
  it.each(BENCHMARK_SCENE_NAMES)(
    '%s is valid and has the numbers and hash of its table',
    (name) => {
      const { make: _make, exercises: _exercises, ...stated } = findBenchmarkScene(name);
      const frame = benchmarkFrame(name, SIZE);
      validateFrame(frame);
      expect({ ...countFrame(frame), frameSha256: hashFrame(frame) }).toEqual(stated);
    },
  );
});
