import { describe, expect, it } from 'vitest';
import { type ModelOptionTexts, parseModelOptions } from './model-options.ts';

describe('parseModelOptions', () => {
  it('returns the defaults', () => {
    expect(parseModelOptions({})).toEqual({
      quality: 'simple',
      environment: 'studio',
      background: { kind: 'color', rgb: [237 / 255, 237 / 255, 240 / 255] },
      exposure: 1,
      toneMapping: 'neutral',
      hasShadows: true,
      samples: 4,
      orbit: null,
      target: null,
    });
  });

  it('reads all options', () => {
    const texts = {
      quality: 'full',
      environment: 'dusk',
      background: '#ff8000',
      exposure: '1.5',
      tone: 'agx',
      shadows: 'off',
      samples: '1',
      orbit: '-30, 20, 0.5',
      target: '0,1,-2.5',
    };
    expect(parseModelOptions(texts)).toEqual({
      quality: 'full',
      environment: 'dusk',
      background: { kind: 'color', rgb: [1, 128 / 255, 0] },
      exposure: 1.5,
      toneMapping: 'agx',
      hasShadows: false,
      samples: 1,
      orbit: { azimuthDegrees: -30, elevationDegrees: 20, distanceFactor: 0.5 },
      target: [0, 1, -2.5],
    });
    expect(parseModelOptions({ quality: 'full', background: 'transparent' }).background).toEqual({
      kind: 'transparent',
    });
  });

  it.each<[ModelOptionTexts, string]>([
    [{ quality: 'best' }, 'quality: "best" is not one of simple, full'],
    [{ tone: 'aces' }, 'tone: applies to quality=full only'],
    [{ quality: 'full', tone: 'film' }, 'tone: "film" is not one of neutral, aces, agx, linear'],
    [{ quality: 'full', samples: '2' }, 'samples: 2 is not one of'],
    [{ quality: 'full', samples: '' }, 'samples: "" is not a number'],
    [{ quality: 'full', exposure: '0' }, 'exposure: 0 is not above 0'],
    [{ quality: 'full', background: 'red' }, 'background: "red" is not'],
    [{ orbit: '10' }, 'orbit: "10" is not azimuth,elevation'],
    [{ orbit: '0,90' }, 'orbit: the elevation is not from -89 to 89'],
    [{ orbit: '0,0,0' }, 'orbit: the distance is not from 0.01 to 100'],
    [{ orbit: 'a,b' }, 'orbit: "a" is not a number'],
    [{ target: '1,2' }, 'target: "1,2" is not x,y,z'],
  ])('refuses %o', (texts, message) => {
    expect(() => parseModelOptions(texts)).toThrow(
      expect.objectContaining({
        code: 'REQUEST_INVALID',
        message: expect.stringContaining(message),
      }),
    );
  });
});
