/** Study of the speed-up of each frame of the benchmark set. */
import { BENCHMARK_SCENES } from '../scenes/study-scenes.ts';
import { studySharedVisibility } from './shared-visibility-study.ts';

/** The study. */
export const BENCHMARK_SET_STUDY = studySharedVisibility({
  scenes: BENCHMARK_SCENES,
  chipletCounts: [4, 16, 64],
  bins: 128,
  title: 'Speed-up of the frames of the benchmark set',
});
