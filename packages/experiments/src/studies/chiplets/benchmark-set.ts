/** Study of the speed-up of each frame of the benchmark set. */
import { BENCHMARK_SET } from '@tessera/scenes';
import { studySharedVisibility } from './shared-visibility-study.ts';

/** The study. */
export const BENCHMARK_SET_STUDY = studySharedVisibility({
  scenes: Object.fromEntries(Object.entries(BENCHMARK_SET).map(([name, { make }]) => [name, make])),
  chipletCounts: [4, 16, 64],
  bins: 128,
  title: 'Speed-up of the frames of the benchmark set',
});
