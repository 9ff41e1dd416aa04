import { describe, expect, it } from 'vitest';
import { FrameBlame } from './frame-blame.ts';

const BIN = { frameId: 'id/1', passIndex: 0, binId: 4 };

describe('FrameBlame', () => {
  it('blames a frame for three losses at one piece of its work, over its beginnings', () => {
    const blame = new FrameBlame(3);
    expect(blame.note(BIN, 11)).toBeNull();
    expect(blame.note({ ...BIN, frameId: 'id/2' }, 12)).toBeNull();
    expect(blame.note({ ...BIN, frameId: 'id/3' }, 13)).toBe(
      'pass 0, coarse bin 4: 3 chiplets went away while they worked at it',
    );
  });

  it('does not add up different pieces', () => {
    const blame = new FrameBlame(3);
    const pieces = [
      BIN,
      { ...BIN, binId: 5 },
      { ...BIN, binId: null },
      { ...BIN, frameId: 'id/1/1' },
    ];
    for (const [number, piece] of pieces.entries())
      expect(blame.note(piece, number + 1)).toBeNull();
    expect(blame.note(BIN, 5)).toBeNull();
    expect(blame.note(BIN, 6)).not.toBeNull();
  });

  it('is slow to blame while chiplets are lost elsewhere too', () => {
    const blame = new FrameBlame(3);
    for (let losses = 1; losses < 12; losses++) expect(blame.note(BIN, 2 * losses)).toBeNull();
    expect(blame.note(BIN, 24)).toContain('12 chiplets');
  });

  it('takes a loss back when the chiplet turns out to be alive', () => {
    const blame = new FrameBlame(3);
    blame.note(BIN, 1);
    blame.note(BIN, 2);
    blame.takeBack(BIN);
    expect(blame.note(BIN, 3)).toBeNull();
    expect(blame.note(BIN, 4)).not.toBeNull();
  });
});
