/** Smaller groups of fixed-function state: fog, alpha test, points, clip planes, raster color. */
import type { CompareFunction } from '@tessera/frame';
import { GL, nameOfEnum } from '../../api/constants.ts';
import { CLIP_PLANE_COUNT, FIXED } from '../../api/fixed-constants.ts';
import type { GlErrors } from '../../api/gl-errors.ts';
import { RASTER_ENUMS } from '../../api/raster-enums.ts';
import { clampColor } from '../clamp-values.ts';
import { LightingState, toVector4, type Vector4 } from './lighting-state.ts';
import type { Matrix4 } from './matrix-stacks.ts';
import { planeToEye, TextureEnvironment } from './texture-environment.ts';

/** Fog parameters. */
export interface FogValues {
  readonly mode: 'linear' | 'exp' | 'exp2';
  readonly color: Vector4;
  readonly density: number;
  readonly start: number;
  readonly end: number;
  /** Whether the distance is a vertex's fog coordinate instead of its depth. */
  readonly isFromCoordinate: boolean;
  /**
   * Distance of a vertex without a fog coordinate (`GL_NV_fog_distance`): length of its position in
   * eye coordinates, that position's z, or the absolute value of z.
   */
  readonly distance: 'radial' | 'plane' | 'absolute-plane';
}

/** Point parameters. */
export interface PointValues {
  readonly sizePx: number;
  readonly minPx: number;
  readonly maxPx: number;
  readonly fadeThresholdPx: number;
  /** Constant, linear and quadratic coefficients. */
  readonly attenuation: readonly [number, number, number];
  readonly isOriginLowerLeft: boolean;
}

/** Alpha test parameters. */
export interface AlphaTestValues {
  readonly compare: CompareFunction;
  readonly reference: number;
}

const MAX_POINT_SIZE_PX = 1024;

/**
 * State that later versions of OpenGL replace by programs, or that generated shaders implement.
 * Each group is replaced at every change.
 */
export class FixedState {
  readonly #errors: GlErrors;
  readonly lighting: LightingState;
  readonly environment: TextureEnvironment;
  fog: FogValues = {
    mode: 'exp',
    color: [0, 0, 0, 0],
    density: 1,
    start: 0,
    end: 1,
    isFromCoordinate: false,
    distance: 'absolute-plane',
  };
  points: PointValues = {
    sizePx: 1,
    minPx: 0,
    maxPx: MAX_POINT_SIZE_PX,
    fadeThresholdPx: 1,
    attenuation: [1, 0, 0],
    isOriginLowerLeft: false,
  };
  #isRasterized = true;
  /** Whether conditional rendering discards commands that draw (OpenGL 3.0, section 2.14). */
  isDiscarding = false;
  alphaTest: AlphaTestValues = { compare: 'always', reference: 0 };
  /**
   * Stipple pattern: 32 rows of 32 bits from the lowest row, the most significant bit of a row's
   * first byte leftmost.
   */
  polygonStipple: Uint8Array = new Uint8Array(128).fill(255);
  /** Clip planes in eye coordinates. */
  clipPlanes: readonly Vector4[] = new Array<Vector4>(CLIP_PLANE_COUNT).fill([0, 0, 0, 0]);

  constructor(errors: GlErrors, activeUnit: () => number) {
    this.#errors = errors;
    this.lighting = new LightingState(errors);
    this.environment = new TextureEnvironment(errors, activeUnit);
  }

  setFog(parameter: number, params: readonly number[]): void {
    const [value = 0] = params;
    const change = this.#fogChange(parameter, value, params);
    if (change !== null) this.fog = { ...this.fog, ...change };
  }

  #fogChange(
    parameter: number,
    value: number,
    params: readonly number[],
  ): Partial<FogValues> | null {
    switch (parameter) {
      case FIXED.FOG_MODE:
        if (value === GL.LINEAR) return { mode: 'linear' };
        if (value === FIXED.EXP) return { mode: 'exp' };
        if (value === FIXED.EXP2) return { mode: 'exp2' };
        break;
      case FIXED.FOG_COLOR:
        return { color: clampColor(toVector4(params)) };
      case FIXED.FOG_DENSITY:
        if (value >= 0) return { density: value };
        this.#errors.raise(GL.INVALID_VALUE, `fog: density ${value} is negative`);
        return null;
      case FIXED.FOG_START:
        return { start: value };
      case FIXED.FOG_END:
        return { end: value };
      case FIXED.FOG_INDEX:
        return null;
      case FIXED.FOG_COORD_SRC:
        if (value === FIXED.FOG_COORD) return { isFromCoordinate: true };
        if (value === FIXED.FRAGMENT_DEPTH) return { isFromCoordinate: false };
        break;
      case FIXED.FOG_DISTANCE_MODE:
        if (value === FIXED.EYE_RADIAL) return { distance: 'radial' };
        if (value === FIXED.EYE_PLANE) return { distance: 'plane' };
        if (value === FIXED.EYE_PLANE_ABSOLUTE) return { distance: 'absolute-plane' };
        break;
      default:
    }
    this.#errors.raise(
      GL.INVALID_ENUM,
      `fog: ${nameOfEnum(parameter)} does not accept ${nameOfEnum(value)}`,
    );
    return null;
  }

  /** Whether primitives are rasterized: no selection, feedback or false condition is active. */
  get isRendering(): boolean {
    return this.#isRasterized && !this.isDiscarding;
  }

  /**
   * Sets the render mode. Selection and feedback generate no fragments (OpenGL 2.1, section 5.2).
   */
  setRenderMode(mode: number): void {
    if (mode === FIXED.RENDER || mode === FIXED.FEEDBACK || mode === FIXED.SELECT) {
      this.#isRasterized = mode === FIXED.RENDER;
      return;
    }
    this.#errors.raise(GL.INVALID_ENUM, `renderMode: ${nameOfEnum(mode)} is not a render mode`);
  }

  setAlphaFunction(compare: number, reference: number): void {
    const found = RASTER_ENUMS.compare.find(compare);
    if (found === null) {
      this.#errors.raise(
        GL.INVALID_ENUM,
        `alphaFunc: ${nameOfEnum(compare)} is not a comparison function`,
      );
      return;
    }
    this.alphaTest = { compare: found, reference: Math.min(1, Math.max(0, reference)) };
  }

  setPointSize(sizePx: number): void {
    if (sizePx > 0) this.points = { ...this.points, sizePx };
    else this.#errors.raise(GL.INVALID_VALUE, `pointSize: size ${sizePx} is not positive`);
  }

  setPointParameter(parameter: number, params: readonly number[]): void {
    const [value = 0, linear = 0, quadratic = 0] = params;
    const { points } = this;
    switch (parameter) {
      case FIXED.POINT_DISTANCE_ATTENUATION:
        this.points = { ...points, attenuation: [value, linear, quadratic] };
        return;
      case FIXED.POINT_SIZE_MIN:
      case FIXED.POINT_SIZE_MAX:
      case FIXED.POINT_FADE_THRESHOLD_SIZE: {
        if (!(value >= 0)) {
          this.#errors.raise(GL.INVALID_VALUE, `pointParameter: value ${value} is negative`);
          return;
        }
        if (parameter === FIXED.POINT_SIZE_MIN) this.points = { ...points, minPx: value };
        else if (parameter === FIXED.POINT_SIZE_MAX) this.points = { ...points, maxPx: value };
        else this.points = { ...points, fadeThresholdPx: value };
        return;
      }
      case FIXED.POINT_SPRITE_COORD_ORIGIN:
        if (value === FIXED.LOWER_LEFT || value === FIXED.UPPER_LEFT) {
          this.points = { ...points, isOriginLowerLeft: value === FIXED.LOWER_LEFT };
          return;
        }
        this.#errors.raise(
          GL.INVALID_VALUE,
          `pointParameter: origin ${nameOfEnum(value)} is not GL_LOWER_LEFT or GL_UPPER_LEFT`,
        );
        return;
      default:
        this.#errors.raise(
          GL.INVALID_ENUM,
          `pointParameter: ${nameOfEnum(parameter)} is not a point parameter`,
        );
    }
  }

  setClipPlane(plane: number, equation: readonly number[], modelView: Matrix4): void {
    const index = plane - GL.CLIP_PLANE0;
    if (!(index >= 0 && index < CLIP_PLANE_COUNT)) {
      this.#errors.raise(GL.INVALID_ENUM, `clipPlane: ${nameOfEnum(plane)} is not a clip plane`);
      return;
    }
    const [a = 0, b = 0, c = 0, d = 0] = equation;
    this.clipPlanes = this.clipPlanes.with(index, planeToEye([a, b, c, d], modelView));
  }
}
