/** The image of a frame without a swap is that of any slice or level that is drawn into. */
import { describe, expect, it } from 'vitest';
import { type Call, expectNear, OPEN_WINDOW, render } from './filled-window.ts';

const FRAMEBUFFER = 0x8d40;
const COLOR_ATTACHMENT = 0x8ce0;
const TEXTURE_3D = 0x806f;
const TEXTURE_2D_ARRAY = 0x8c1a;
const TEXTURE_2D = 0x0de1;

/** Returns calls that clear slice 1 to a color, and then slice 0 to another one. */
function clearSlices(target: number, shown: number): Call[] {
  const attach = (layer: number): Call => [
    'glFramebufferTextureLayer',
    { target: FRAMEBUFFER, attachment: COLOR_ATTACHMENT, texture: 9, level: 0, layer },
  ];
  const clear = (red: number, green: number): Call[] => [
    ['glClearColor', { red, green, blue: 0, alpha: 1 }],
    ['glClear', { mask: 0x4000 }],
  ];
  return [
    ...OPEN_WINDOW,
    ['glBindTexture', { target, texture: 9 }],
    [
      'glTexStorage3D',
      { target, levels: 1, internalformat: 0x8058, width: 4, height: 4, depth: 2 },
    ],
    ['glBindFramebuffer', { target: FRAMEBUFFER, framebuffer: 5 }],
    ...[attach(1), ...clear(1, 0), attach(0), ...clear(0, 1), attach(shown)],
  ];
}

describe('framebuffers that are shown', () => {
  it.each([
    ['a volume', TEXTURE_3D],
    ['an array', TEXTURE_2D_ARRAY],
  ])('are slices of %s', async (_, target) => {
    expectNear(await render(clearSlices(target, 1), 'end'), [1, 0, 0, 1]);
    expectNear(await render(clearSlices(target, 0), 'end'), [0, 1, 0, 1]);
  });

  it('are smaller levels of a texture', async () => {
    const calls: Call[] = [
      ...OPEN_WINDOW,
      ['glBindTexture', { target: TEXTURE_2D, texture: 9 }],
      [
        'glTexStorage2D',
        { target: TEXTURE_2D, levels: 2, internalformat: 0x8058, width: 8, height: 8 },
      ],
      ['glBindFramebuffer', { target: FRAMEBUFFER, framebuffer: 5 }],
      [
        'glFramebufferTexture2D',
        {
          ...{ target: FRAMEBUFFER, attachment: COLOR_ATTACHMENT },
          ...{ textarget: TEXTURE_2D, texture: 9, level: 1 },
        },
      ],
      ['glClearColor', { red: 0, green: 0.6, blue: 1, alpha: 1 }],
      ['glClear', { mask: 0x4000 }],
    ];
    expectNear(await render(calls, 'end'), [0, 0.6, 1, 1]);
  });

  it('are zero where nothing was drawn', async () => {
    const [first, second, third, fourth, storage, bind] = clearSlices(TEXTURE_3D, 0);
    const attach: Call = [
      'glFramebufferTextureLayer',
      { target: FRAMEBUFFER, attachment: COLOR_ATTACHMENT, texture: 9, level: 0, layer: 1 },
    ];
    const calls = [first!, second!, third!, fourth!, storage!, bind!, attach];
    expect(await render(calls, 'end')).toEqual([0, 0, 0, 0]);
  });
});
