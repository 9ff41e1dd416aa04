import { describe, expect, it } from 'vitest';
import { makePostings } from './posted-files.ts';

const chosen = (...paths: string[]) => paths.map((path) => ({ path, file: new File([], path) }));
const described = (...paths: string[]) =>
  makePostings(chosen(...paths)).map(({ mediaType, files }) => [
    mediaType,
    files.map(({ path }) => path),
  ]);

describe('makePostings', () => {
  it('sends each model, capture and native frame by itself', () => {
    expect(described('a.GLB', 'b.trace', 'c.msgpack')).toEqual([
      ['multipart/form-data', ['a.GLB']],
      ['application/vnd.apitrace', ['b.trace']],
      ['application/vnd.tessera.frame+msgpack', ['c.msgpack']],
    ]);
  });

  it('sends the files of a .gltf along, by their paths from its folder', () => {
    expect(described('duck/duck.gltf', 'duck/duck.bin', 'duck/textures/a.png')).toEqual([
      ['multipart/form-data', ['duck.gltf', 'duck.bin', 'textures/a.png']],
    ]);
  });

  it('has nothing to send of other files', () => {
    expect(described('a.png', 'b.txt')).toEqual([]);
  });
});
