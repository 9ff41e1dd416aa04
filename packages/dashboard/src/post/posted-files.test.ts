import { describe, expect, it } from 'vitest';
import { MOVING_ENDINGS, makePostings, POSTED_ENDINGS } from './posted-files.ts';

const chosen = (...paths: string[]) => paths.map((path) => ({ path, file: new File([], path) }));
const described = (...paths: string[]) =>
  makePostings(chosen(...paths), POSTED_ENDINGS).map(({ title, files }) => [
    title,
    files.map(({ path }) => path),
  ]);

describe('makePostings', () => {
  it('sends each model, capture and native frame separately, with its name', () => {
    expect(described('a.GLB', 'folder/b.trace', 'c.msgpack')).toEqual([
      ['a.GLB', ['a.GLB']],
      ['folder/b.trace', ['b.trace']],
      ['c.msgpack', ['c.msgpack']],
    ]);
  });

  it('sends the files of a .gltf too, with their paths relative to its folder', () => {
    expect(described('duck/duck.gltf', 'duck/duck.bin', 'duck/textures/a.png')).toEqual([
      ['duck/duck.gltf', ['duck.gltf', 'duck.bin', 'textures/a.png']],
    ]);
  });

  it('has nothing to send of other files', () => {
    expect(described('a.png', 'b.txt')).toEqual([]);
    expect(makePostings(chosen('frame.msgpack'), MOVING_ENDINGS)).toEqual([]);
  });
});
