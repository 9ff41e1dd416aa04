import { describe, expect, it } from 'vitest';
import { GL } from '../../api/constants.ts';
import { FIXED } from '../../api/fixed-constants.ts';
import { makeContext } from '../../testing/small-context.ts';
import { projectRasterPosition } from './raster-position.ts';

/** Returns a context with one directional light, whose raster color Mesa was asked for. */
function makeLit() {
  const { gl } = makeContext('gl');
  const { fixedFunctions: fixed } = gl;
  fixed.light(FIXED.LIGHT0, FIXED.POSITION, [0, 0, 1, 0]);
  fixed.light(FIXED.LIGHT0, FIXED.DIFFUSE, [0.5, 0.4, 0.3, 1]);
  fixed.material(GL.FRONT, FIXED.AMBIENT, [0.1, 0.2, 0.3, 1]);
  fixed.material(GL.FRONT, FIXED.SPECULAR, [0.2, 0.1, 0.3, 1]);
  fixed.material(GL.FRONT, FIXED.SHININESS, [3]);
  fixed.attribute('gl_Normal', [0, 0.6, 0.8]);
  fixed.attribute('gl_Color', [1, 0, 0, 1]);
  gl.capabilities.enable(FIXED.LIGHT0);
  return gl;
}

const bytesOf = (color: readonly number[]) => color.map((value) => Math.round(value * 255));

describe('color of the raster position', () => {
  it('is lit as in Mesa', () => {
    const gl = makeLit();
    gl.capabilities.enable(FIXED.LIGHTING);
    const { color } = projectRasterPosition([0, 0, 0, 1], gl);
    expect(bytesOf(color)).toEqual([113, 89, 103, 255]);
  });

  it('is the current color without lighting', () => {
    const { color } = projectRasterPosition([0, 0, 0, 1], makeLit());
    expect(color).toEqual([1, 0, 0, 1]);
  });

  it('separates the specular color', () => {
    const gl = makeLit();
    gl.capabilities.enable(FIXED.LIGHTING);
    gl.fixedFunctions.lightModel(FIXED.LIGHT_MODEL_COLOR_CONTROL, [FIXED.SEPARATE_SPECULAR_COLOR]);
    const { color, secondaryColor } = projectRasterPosition([0, 0, 0, 1], gl);
    const sum = color.map((value, i) => value + secondaryColor[i]!);
    expect(bytesOf(sum)).toEqual([113, 89, 103, 255]);
    // The half vector is the direction to the light.
    expect(secondaryColor[0]).toBeCloseTo(0.2 * 0.8 ** 3, 6);
  });

  it('falls with the distance from a light and ends outside its cone', () => {
    const gl = makeLit();
    gl.capabilities.enable(FIXED.LIGHTING);
    gl.fixedFunctions.material(GL.FRONT, FIXED.SPECULAR, [0, 0, 0, 1]);
    gl.fixedFunctions.light(FIXED.LIGHT0, FIXED.POSITION, [0, 0, 2, 1]);
    gl.fixedFunctions.light(FIXED.LIGHT0, FIXED.LINEAR_ATTENUATION, [1]);
    gl.fixedFunctions.light(FIXED.LIGHT0, FIXED.SPOT_CUTOFF, [45]);
    const red = () => projectRasterPosition([0, 0, 0, 1], gl).color[0];
    const unlit = 0.1 * 0.2;
    expect(red()).toBeCloseTo(unlit + (1 / 3) * 0.8 * 0.8 * 0.5, 6);
    gl.fixedFunctions.light(FIXED.LIGHT0, FIXED.SPOT_DIRECTION, [1, 0, 0]);
    expect(red()).toBeCloseTo(unlit, 6);
  });
});
