import { chipletPreset, summarizeSpec } from '@tessera/chiplet-spec';
import { describe, expect, it } from 'vitest';
import type { FrameOptions } from '../prepare/frame-options.ts';
import { upgradeOptions } from './frame-rows.ts';

/** Options in a journal of version 0.1.0, without the specification. */
const OPTIONS = {
  widthPx: 96,
  heightPx: 64,
  policy: 'dynamic',
  binCount: 4,
  visibilityShader: 'minimal',
  timing: 'cycle',
  chipletCount: 2,
  cameraIndex: null,
  timeSeconds: 0,
} as const;

describe('upgradeOptions', () => {
  it.each([null, 'hmgpu'])(
    'renders models of version 0.1.0 as it did, with preset %s',
    (stored) => {
      const former = { ...OPTIONS, spec: stored } as unknown as FrameOptions; // as it was stored
      expect(upgradeOptions(former)).toEqual({
        ...OPTIONS,
        spec: summarizeSpec(chipletPreset(stored ?? 'default')),
        modelOptions: { quality: 'simple' },
      });
    },
  );

  it('keeps options of this version, whose models have full quality by default', () => {
    const present = { ...OPTIONS, spec: summarizeSpec(chipletPreset('hmgpu')) };
    expect(upgradeOptions(present)).toEqual(present);
  });
});
