/**
 * Proves that a frame rendered synchronously, a frame rendered through promises and a frame in
 * parts are the same frame.
 */
import { texturedQuadFrame } from '@tessera/scenes';
import { describe, expect, it } from 'vitest';
import { FrameInParts } from './frame-in-parts.ts';
import { LocalGpu } from './local-gpu.ts';

const FRAME = texturedQuadFrame({ widthPx: 64, heightPx: 48 });
const OPTIONS = { grid: { kind: 'bins', count: 4 }, timing: 'cycle' } as const;

describe('a local GPU', () => {
  it.each(['none', 'exact'] as const)(
    'renders the same synchronously as through promises, coupling %s',
    async (coupling) => {
      const gpu = new LocalGpu({ chipletCount: 3 });
      const options = { ...OPTIONS, coupling };
      const { image, report, measurement } = await gpu.render(FRAME, options);
      expect(report.coupling).toBe(coupling);
      const now = gpu.renderNow(FRAME, options);
      expect(now.image).toEqual(image);
      expect(now.measurement).toEqual(measurement);
      const account = gpu.accountParts([now], image, 0, options);
      expect({ ...account.report, wall: null }).toEqual({ ...report, wall: null });
    },
  );

  it('gives the same image and report for any number of hosts', async () => {
    const [one, three] = await Promise.all(
      [1, 3].map((hostCount) => new LocalGpu({ chipletCount: 2, hostCount }).render(FRAME)),
    );
    expect(three!.image).toEqual(one!.image);
    expect({ ...three!.report, wall: null }).toEqual({ ...one!.report, wall: null });
  });
});

it('has at most 1,024 chiplets', () => {
  expect(() => new LocalGpu({ chipletCount: 1025 })).toThrow(
    'chipletCount: 1025 is not an integer from 1 to 1024',
  );
});

describe('a frame in parts', () => {
  it('has one report for all of its parts, and none without a part', () => {
    const frame = new FrameInParts(new LocalGpu());
    const { image } = frame.render(FRAME);
    frame.render(FRAME);
    expect(frame.finish(image!)?.report.passes).toHaveLength(2);
    expect(frame.finish(image!)).toBeNull();
  });

  it('omits discarded parts', () => {
    const frame = new FrameInParts(new LocalGpu());
    const { image } = frame.render(FRAME);
    frame.discard();
    expect(frame.finish(image!)).toBeNull();
  });
});
