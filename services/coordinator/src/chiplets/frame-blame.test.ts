import { describe, expect, it } from 'vitest';
import { FrameBlame } from './frame-blame.ts';

const BIN = { frameId: 'id/1', passIndex: 0, binId: 4 };

describe('FrameBlame', () => {
  it('blames a frame for three losses at the same bin in several attempts', () => {
    const blame = new FrameBlame(3);
    expect(blame.noteLoss(BIN, 11)).toBeNull();
    expect(blame.noteLoss({ ...BIN, frameId: 'id/2' }, 12)).toBeNull();
    expect(blame.noteLoss({ ...BIN, frameId: 'id/3' }, 13)).toBe(
      'pass 0, coarse bin 4: 3 chiplets were lost while they rendered it',
    );
  });

  it('counts each bin, phase and pass separately', () => {
    const blame = new FrameBlame(3);
    const pieces = [
      BIN,
      { ...BIN, binId: 5 },
      { ...BIN, binId: null },
      { ...BIN, frameId: 'id/1/1' },
    ];
    for (const [number, piece] of pieces.entries())
      expect(blame.noteLoss(piece, number + 1)).toBeNull();
    expect(blame.noteLoss(BIN, 5)).toBeNull();
    expect(blame.noteLoss(BIN, 6)).not.toBeNull();
  });

  it('is slow to blame while chiplets are lost elsewhere too', () => {
    const blame = new FrameBlame(3);
    for (let losses = 1; losses < 12; losses++) expect(blame.noteLoss(BIN, 2 * losses)).toBeNull();
    expect(blame.noteLoss(BIN, 24)).toContain('12 chiplets');
  });

  it('withdraws a loss when the chiplet turns out to be alive', () => {
    const blame = new FrameBlame(3);
    blame.noteLoss(BIN, 1);
    blame.noteLoss(BIN, 2);
    blame.withdraw(BIN);
    expect(blame.noteLoss(BIN, 3)).toBeNull();
    expect(blame.noteLoss(BIN, 4)).not.toBeNull();
  });
});
