import { DEFAULT_PLACEMENT, type Placement } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { isShared, parsePlacement, requirePlacement } from './parse-placement.ts';

describe('a placement', () => {
  it('is one word for all classes, or a word for each', () => {
    expect(parsePlacement('replicated')).toEqual(DEFAULT_PLACEMENT);
    const pixels = { targets: 'gathered', framebuffer: 'gathered' };
    expect(parsePlacement('home')).toEqual({
      ...{ textures: 'home', buffers: 'home', streams: 'home' },
      ...pixels,
    });
    expect(parsePlacement('streams=first-touch,textures=interleaved')).toEqual({
      ...{ textures: 'interleaved', buffers: 'replicated', streams: 'first-touch' },
      ...pixels,
    });
    expect(parsePlacement('targets=kept,framebuffer=interleaved')).toEqual({
      ...{ textures: 'replicated', buffers: 'replicated', streams: 'replicated' },
      ...{ targets: 'kept', framebuffer: 'interleaved' },
    });
  });

  it.each([
    ['everywhere', /placement: 'everywhere' is not one of replicated, interleaved, first-touch/],
    ['programs=home', /placement: 'programs' is not one of textures, buffers, streams, targets/],
    ['targets=home', /placement targets: 'home' is not one of gathered, kept, interleaved/],
    ['textures=kept', /placement textures: 'kept' is not one of replicated/],
    ['kept', /placement: 'kept' is not one of replicated/],
    ['textures=near', /placement textures: 'near' is not one of replicated/],
    ['textures=home,home', /placement: 'home' is not one of textures, buffers, streams/],
    ['textures=home,textures=interleaved', /placement textures: is given twice/],
    ['textures=home=home', /placement textures: 'home=home' is not one of/],
    ['', /placement: '' is not one of/],
  ])('refuses %s', (text, message) => {
    expect(() => parsePlacement(text)).toThrow(message);
  });

  it('is checked if a program gives it', () => {
    expect(requirePlacement(DEFAULT_PLACEMENT)).toBe(DEFAULT_PLACEMENT);
    const wrong = { ...DEFAULT_PLACEMENT, buffers: 'away' } as unknown as Placement;
    expect(() => requirePlacement(wrong)).toThrow(/placement buffers: 'away' is not one of/);
  });

  it('shares memories unless every class is replicated', () => {
    expect(isShared(DEFAULT_PLACEMENT)).toBe(false);
    expect(isShared(parsePlacement('streams=home'))).toBe(true);
    expect(isShared(parsePlacement('targets=kept'))).toBe(true);
  });
});
