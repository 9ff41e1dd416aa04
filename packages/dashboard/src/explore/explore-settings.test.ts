import { describe, expect, it } from 'vitest';
import { type ExploreSettings, readSettings, settingsQuery } from './explore-settings.ts';

const SOURCE = { overlap: 'visibility-first', isVisibilityChipletRendering: true } as const;
const SETTINGS: ExploreSettings = {
  chiplets: 4,
  policy: 'dynamic-pull',
  linkTopology: 'bus',
  linkBytesPerCycle: 256,
  linkLatencyCycles: 32,
  overlap: 'visibility-first',
  frames: 1,
};

const read = (query: string) => readSettings(new URLSearchParams(query), SETTINGS, SOURCE);

describe('readSettings', () => {
  it('keeps what an address does not name, and reads what settingsQuery writes', () => {
    expect(read('')).toEqual(SETTINGS);
    expect(read('chiplets=9')).toEqual({ ...SETTINGS, chiplets: 9 });
    const other: ExploreSettings = {
      chiplets: 64,
      policy: 'static-morton',
      linkTopology: 'ring',
      linkBytesPerCycle: 7,
      linkLatencyCycles: 0,
      overlap: 'none',
      frames: 6,
    };
    expect(readSettings(settingsQuery(other), SETTINGS, SOURCE)).toEqual(other);
  });

  it.each([
    ['chiplets=0', "chiplets: '0' is not an integer from 1 to 64"],
    ['chiplets=1.5', "chiplets: '1.5' is not an integer from 1 to 64"],
    ['frames=7', "frames: '7' is not an integer from 1 to 6"],
    ['linkBytesPerCycle=', "linkBytesPerCycle: '' is not an integer from 1 to 65536"],
    ['linkLatencyCycles=-1', "linkLatencyCycles: '-1' is not an integer from 0 to 100000"],
    ['linkTopology=mesh', "linkTopology: 'mesh' is not one of bus, ring, full"],
    ['overlap=x', "overlap: 'x' is not one of none, after-own-bins, visibility-first"],
  ])('refuses %s', (query, message) => {
    expect(() => read(query)).toThrow(message);
  });

  it('refuses one chiplet where chiplet 0 renders no bins', () => {
    const source = { ...SOURCE, isVisibilityChipletRendering: false };
    const query = new URLSearchParams('chiplets=1');
    expect(() => readSettings(query, SETTINGS, source)).toThrow('from 2 to 64');
  });
});
