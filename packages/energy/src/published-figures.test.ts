/** Fits and derived figures agree with the published figures that they do not use. */
import { describe, expect, it } from 'vitest';
import { SCALE_45_TO_7NM } from './arithmetic.ts';
import { LINK_CLASSES } from './link-classes.ts';
import { activatePj, MEMORY_TECHNOLOGIES } from './memory-technologies.ts';
import { arrayAccessPj } from './on-chip-memory.ts';
import { figureOf } from './published-figures.ts';

describe('published figures', () => {
  it.each([
    [8192, 'sramRead8KiB'],
    [32_768, 'sramRead32KiB'],
    [1_048_576, 'sramRead1MiB'],
  ] as const)('the fit of memories is within 14 %% at %i bytes', (bytes, name) => {
    const fitted = arrayAccessPj(bytes, 64) / SCALE_45_TO_7NM;
    expect(Math.abs(fitted / figureOf(name) - 1)).toBeLessThan(0.14);
  });

  it('the activation of HBM2 from its currents is within 10 % of the published one', () => {
    const shareOff = activatePj('hbm2') / figureOf('hbm2ActivationOfRow') - 1;
    expect(Math.abs(shareOff)).toBeLessThan(0.1);
  });

  it('GDDR6 at the streaming rate has its published average', () => {
    const { transferBit } = MEMORY_TECHNOLOGIES.gddr6;
    const activation = activatePj('gddr6') / 512;
    expect(transferBit.lowPj + activation).toBeCloseTo(5.5, 9);
    expect(transferBit.typicalPj + activation / 4).toBeCloseTo(7.5, 9);
  });

  it.each(Object.entries(LINK_CLASSES))(
    'the class %s has an ordered range',
    (_name, { perBit }) => {
      expect(perBit.lowPj).toBeGreaterThan(0);
      expect(perBit.typicalPj).toBeGreaterThanOrEqual(perBit.lowPj);
      expect(perBit.highPj).toBeGreaterThanOrEqual(perBit.typicalPj);
    },
  );
});
