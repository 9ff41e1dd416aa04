/** Samples of sequences: which frames to measure, and what they say about all frames. */
export { type Estimate, estimateTotal } from './estimate.ts';
export {
  FEATURES,
  FEATURES_VERSION,
  type FrameFeatures,
  type FrameWork,
  featuresOf,
  type ProgramWork,
} from './frame-features.ts';
export { makeRandom } from './random.ts';
export { framesToMeasure, type SampleGoal, valuesOf } from './sample-plan.ts';
export { type Stratum, shuffleStrata, stratify } from './strata.ts';
