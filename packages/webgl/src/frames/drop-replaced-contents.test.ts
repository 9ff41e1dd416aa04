import type { Frame, Pass, TextureResource } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { dropReplacedContents } from './drop-replaced-contents.ts';

const CLEAR: Pass['clear'] = { color: [0, 0, 0, 0], depth: 1, stencil: 0 };
const CUBE: TextureResource = {
  sha256: '0'.repeat(64),
  format: 'rgba8unorm',
  dimension: 'cube',
  widthPx: 2,
  heightPx: 2,
  levels: [new Uint8Array(96)],
  isMipmapGenerated: false,
};

function intoFace(slice: number, loads?: Pass['loads']): Pass {
  return {
    clear: CLEAR,
    draws: [],
    target: { kind: 'images', colors: [{ textureIndex: 0, slice }], depthStencil: null },
    loads,
  };
}

/** Fields of a pass to the screen that samples the texture. */
const SAMPLING = {
  clear: CLEAR,
  draws: [{ textures: { map: { textureIndex: 0 } } }],
} as unknown as Pass;

function isDropped(passes: readonly Pass[]): boolean {
  const frame: Frame = {
    widthPx: 8,
    heightPx: 8,
    buffers: [],
    programs: [],
    textures: [CUBE],
    passes,
  };
  const [texture] = dropReplacedContents(frame).textures;
  if (texture!.levels.length === 0) expect(texture!.levelCount).toBe(1);
  return texture!.levels.length === 0;
}

const FACES = [0, 1, 2, 3, 4, 5].map((slice) => intoFace(slice));

describe('dropReplacedContents', () => {
  it.each([
    ['all faces are cleared before they are sampled', [...FACES, SAMPLING], true],
    ['a face is loaded after it was cleared', [...FACES, intoFace(2, ['color']), SAMPLING], true],
    ['a face is left', [...FACES.slice(1), SAMPLING], false],
    ['a face is loaded first', [intoFace(0, ['color']), ...FACES], false],
    ['a draw samples it before', [...FACES.slice(0, 5), SAMPLING, FACES[5]!], false],
    ['nothing is drawn into it', [SAMPLING], false],
    [
      'a part is copied into it first',
      [
        {
          ...SAMPLING,
          draws: [],
          copies: [
            {
              source: 0,
              sourceX: 0,
              sourceY: 0,
              widthPx: 1,
              heightPx: 1,
              ...{ into: { textureIndex: 0 }, intoX: 0, intoY: 0 },
            },
          ],
        },
        ...FACES,
      ],
      false,
    ],
  ] satisfies [string, Pass[], boolean][])('where %s', (_what, passes, expected) => {
    expect(isDropped(passes)).toBe(expected);
  });
});
