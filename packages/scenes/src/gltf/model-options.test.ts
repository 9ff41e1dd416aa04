import { describe, expect, it } from 'vitest';
import { type ModelOptionTexts, parseModelOptions, turnCamera } from './model-options.ts';

describe('parseModelOptions', () => {
  it('returns the defaults', () => {
    expect(parseModelOptions({})).toEqual({
      quality: 'full',
      environment: 'studio',
      background: { kind: 'color', rgb: [237 / 255, 237 / 255, 240 / 255] },
      exposure: 1,
      toneMapping: 'neutral',
      hasShadows: true,
      hasGroundShadow: false,
      hasScreenOcclusion: false,
      samples: 4,
      variant: undefined,
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
      ground: 'shadow',
      ambient: 'screen',
      samples: '1',
      variant: 'beach',
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
      hasGroundShadow: true,
      hasScreenOcclusion: true,
      samples: 1,
      variant: 'beach',
      orbit: { azimuthDegrees: -30, elevationDegrees: 20, distanceFactor: 0.5 },
      target: [0, 1, -2.5],
    });
    expect(parseModelOptions({ background: 'transparent' }).background).toEqual({
      kind: 'transparent',
    });
  });

  it('turns the camera', () => {
    const orbits = [0, 1, 2, 3].map((i) => turnCamera({ samples: '1' }, 360, i, 4).orbit);
    expect(orbits).toEqual(['0,15,1', '90,15,1', '180,15,1', '270,15,1']);
    expect(turnCamera({ orbit: '10,-5,2' }, -60, 1, 2)).toEqual({ orbit: '-20,-5,2' });
  });

  it.each<[ModelOptionTexts, string]>([
    [{ quality: 'best' }, 'quality: "best" is not one of simple, full'],
    [{ quality: 'simple', tone: 'aces' }, 'tone: applies to quality=full only'],
    [{ tone: 'film' }, 'tone: "film" is not one of neutral, aces, agx, linear'],
    [{ ground: 'on' }, 'ground: "on" is not one of none, shadow'],
    [{ ambient: 'on' }, 'ambient: "on" is not one of texture, screen'],
    [{ samples: '2' }, 'samples: "2" is not one of 1, 4, 8'],
    [{ exposure: '' }, 'exposure: "" is not a number'],
    [{ exposure: '0' }, 'exposure: 0 is not above 0'],
    [{ background: 'red' }, 'background: "red" is not'],
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
