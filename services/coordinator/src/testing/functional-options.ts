import { DEFAULT_CHIPLET_SPEC, summarizeSpec } from '@tessera/chiplet-spec';
import type { FrameOptions } from '../prepare/frame-options.ts';

/** Options of a small frame without cycles. */
export const FUNCTIONAL_OPTIONS: FrameOptions = {
  widthPx: 128,
  heightPx: 128,
  policy: 'dynamic',
  binCount: 4,
  visibilityShader: 'minimal',
  timing: 'functional',
  spec: summarizeSpec(DEFAULT_CHIPLET_SPEC),
  chipletCount: null,
  cameraIndex: null,
  timeSeconds: 0,
};
