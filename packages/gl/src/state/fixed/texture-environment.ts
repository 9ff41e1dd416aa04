/**
 * Texture environments and texture coordinate generation, one set per unit (OpenGL 2.1, sections
 * 2.11.4 and 3.8.13).
 */
import { GL, nameOfEnum } from '../../api/constants.ts';
import { FIXED } from '../../api/fixed-constants.ts';
import type { GlErrors } from '../../api/gl-errors.ts';
import { clampColor } from '../clamp-values.ts';
import { toVector4, type Vector4 } from './lighting-state.ts';
import { invert, type Matrix4 } from './matrix-stacks.ts';

/** Number of texture units of fixed functions. Programs have more. */
export const FIXED_UNIT_COUNT = 8;

/** Function of a combiner. */
export type CombineFunction =
  | 'replace'
  | 'modulate'
  | 'add'
  | 'add-signed'
  | 'interpolate'
  | 'subtract'
  | 'dot3-rgb'
  | 'dot3-rgba'
  // EXT_texture_env_dot3: the scale factors do not apply.
  | 'unscaled-dot3-rgb'
  | 'unscaled-dot3-rgba'
  // ATI_texture_env_combine3
  | 'modulate-add'
  | 'modulate-add-signed'
  | 'modulate-subtract';
/** Source of a combiner: a texture by its unit, or one of the named sources. */
export type CombineSource =
  | 'texture'
  | 'constant'
  | 'primary'
  | 'previous'
  | 'zero'
  | 'one'
  | number;
/** Operand of a combiner. */
export type CombineOperand = 'color' | 'one-minus-color' | 'alpha' | 'one-minus-alpha';

/** Color or alpha half of a combiner. */
export interface CombineHalf {
  readonly combine: CombineFunction;
  readonly sources: readonly [CombineSource, CombineSource, CombineSource];
  readonly operands: readonly [CombineOperand, CombineOperand, CombineOperand];
  readonly scale: number;
}

/** Mode of a texture environment. */
export type EnvironmentMode = 'replace' | 'modulate' | 'decal' | 'blend' | 'add' | 'combine';

/** Mode of texture coordinate generation. */
export type TexgenMode =
  | 'eye-linear'
  | 'object-linear'
  | 'sphere-map'
  | 'normal-map'
  | 'reflection-map';

/** Generation of one texture coordinate. */
export interface TexgenCoordinate {
  readonly mode: TexgenMode;
  readonly objectPlane: Vector4;
  /** Eye plane in eye coordinates. */
  readonly eyePlane: Vector4;
}

/** Environment of one texture unit. */
export interface EnvironmentUnit {
  readonly mode: EnvironmentMode;
  readonly color: Vector4;
  readonly rgb: CombineHalf;
  readonly alpha: CombineHalf;
  readonly lodBias: number;
  /** Whether point sprites replace the coordinates. */
  readonly isReplacedByPoint: boolean;
  /** Generation of S, T, R and Q. */
  readonly texgen: readonly TexgenCoordinate[];
}

const MODES: ReadonlyMap<number, EnvironmentMode> = new Map([
  [FIXED.REPLACE, 'replace'],
  [FIXED.MODULATE, 'modulate'],
  [FIXED.DECAL, 'decal'],
  [FIXED.BLEND, 'blend'],
  [FIXED.ADD, 'add'],
  [FIXED.COMBINE, 'combine'],
]);

const FUNCTIONS: ReadonlyMap<number, CombineFunction> = new Map([
  [FIXED.REPLACE, 'replace'],
  [FIXED.MODULATE, 'modulate'],
  [FIXED.ADD, 'add'],
  [FIXED.ADD_SIGNED, 'add-signed'],
  [FIXED.INTERPOLATE, 'interpolate'],
  [FIXED.SUBTRACT, 'subtract'],
  [FIXED.DOT3_RGB, 'dot3-rgb'],
  [FIXED.DOT3_RGBA, 'dot3-rgba'],
  [0x8740, 'unscaled-dot3-rgb'],
  [0x8741, 'unscaled-dot3-rgba'],
  [0x8744, 'modulate-add'],
  [0x8745, 'modulate-add-signed'],
  [0x8746, 'modulate-subtract'],
]);

const SOURCES: ReadonlyMap<number, CombineSource> = new Map<number, CombineSource>([
  [GL.TEXTURE, 'texture'],
  [FIXED.CONSTANT, 'constant'],
  [FIXED.PRIMARY_COLOR, 'primary'],
  [FIXED.PREVIOUS, 'previous'],
  [GL.NONE, 'zero'],
  [GL.ONE, 'one'],
  ...Array.from({ length: FIXED_UNIT_COUNT }, (_, i) => [GL.TEXTURE0 + i, i] as const),
]);

const OPERANDS: ReadonlyMap<number, CombineOperand> = new Map([
  [GL.SRC_COLOR, 'color'],
  [GL.ONE_MINUS_SRC_COLOR, 'one-minus-color'],
  [GL.SRC_ALPHA, 'alpha'],
  [GL.ONE_MINUS_SRC_ALPHA, 'one-minus-alpha'],
]);

const TEXGEN_MODES: ReadonlyMap<number, TexgenMode> = new Map([
  [FIXED.EYE_LINEAR, 'eye-linear'],
  [FIXED.OBJECT_LINEAR, 'object-linear'],
  [FIXED.SPHERE_MAP, 'sphere-map'],
  [FIXED.NORMAL_MAP, 'normal-map'],
  [FIXED.REFLECTION_MAP, 'reflection-map'],
]);

function initialTexgen(plane: Vector4): TexgenCoordinate {
  return { mode: 'eye-linear', objectPlane: plane, eyePlane: plane };
}

const INITIAL_UNIT: EnvironmentUnit = {
  mode: 'modulate',
  color: [0, 0, 0, 0],
  rgb: {
    combine: 'modulate',
    sources: ['texture', 'previous', 'constant'],
    operands: ['color', 'color', 'alpha'],
    scale: 1,
  },
  alpha: {
    combine: 'modulate',
    sources: ['texture', 'previous', 'constant'],
    operands: ['alpha', 'alpha', 'alpha'],
    scale: 1,
  },
  lodBias: 0,
  isReplacedByPoint: false,
  texgen: [
    initialTexgen([1, 0, 0, 0]),
    initialTexgen([0, 1, 0, 0]),
    initialTexgen([0, 0, 0, 0]),
    initialTexgen([0, 0, 0, 0]),
  ],
};

/** Texture environments of one context. */
export class TextureEnvironment {
  readonly #errors: GlErrors;
  readonly #activeUnit: () => number;
  /** Units, replaced at each change. */
  units: readonly EnvironmentUnit[] = new Array<EnvironmentUnit>(FIXED_UNIT_COUNT).fill(
    INITIAL_UNIT,
  );

  constructor(errors: GlErrors, activeUnit: () => number) {
    this.#errors = errors;
    this.#activeUnit = activeUnit;
  }

  set(target: number, parameter: number, params: readonly number[]): void {
    const unit = this.units[this.#activeUnit()];
    if (unit === undefined) {
      this.#errors.raise(
        GL.INVALID_OPERATION,
        'texEnv: the active texture unit has no fixed-function environment',
      );
      return;
    }
    const change = findChange(unit, target, parameter, params);
    if (change === null) {
      const found = `${nameOfEnum(parameter)} of ${nameOfEnum(target)} does not accept ${params[0]}`;
      this.#errors.raise(
        isScale(parameter) ? GL.INVALID_VALUE : GL.INVALID_ENUM,
        `texEnv: ${found}`,
      );
      return;
    }
    this.units = this.units.with(this.#activeUnit(), { ...unit, ...change });
  }

  /**
   * Sets a parameter of coordinate generation.
   *
   * @param modelView Matrix that converts eye planes to eye coordinates.
   */
  setTexgen(
    coordinate: number,
    parameter: number,
    params: readonly number[],
    modelView: Matrix4,
  ): void {
    const unit = this.units[this.#activeUnit()];
    const index = coordinate - FIXED.S;
    const old = unit?.texgen[index];
    if (unit === undefined || old === undefined) {
      this.#errors.raise(
        GL.INVALID_ENUM,
        `texGen: ${nameOfEnum(coordinate)} is not a texture coordinate`,
      );
      return;
    }
    const changed = { ...old, ...findTexgenChange(index, parameter, params, modelView) };
    if (Object.keys(findTexgenChange(index, parameter, params, modelView)).length === 0) {
      this.#errors.raise(
        GL.INVALID_ENUM,
        `texGen: ${nameOfEnum(parameter)} does not accept ${params[0]}`,
      );
      return;
    }
    this.units = this.units.with(this.#activeUnit(), {
      ...unit,
      texgen: unit.texgen.with(index, changed),
    });
  }
}

function findTexgenChange(
  index: number,
  parameter: number,
  params: readonly number[],
  modelView: Matrix4,
): Partial<TexgenCoordinate> {
  if (parameter === FIXED.OBJECT_PLANE) return { objectPlane: toVector4(params) };
  if (parameter === FIXED.EYE_PLANE) {
    return { eyePlane: planeToEye(toVector4(params), modelView) };
  }
  const mode = TEXGEN_MODES.get(params[0] ?? 0);
  if (parameter !== FIXED.TEXTURE_GEN_MODE || mode === undefined) return {};
  // A sphere map generates S and T, the cube-map modes generate S, T and R.
  const isThere = mode === 'sphere-map' ? index < 2 : mode.endsWith('-map') ? index < 3 : true;
  return isThere ? { mode } : {};
}

/** Converts a plane from object to eye coordinates: the row vector times the inverse matrix. */
export function planeToEye(plane: Vector4, modelView: Matrix4): Vector4 {
  const inverse = invert(modelView);
  const column = (j: number) =>
    plane.reduce((sum, component, i) => sum + component * inverse[j * 4 + i]!, 0);
  return [column(0), column(1), column(2), column(3)];
}

function isScale(parameter: number): boolean {
  return parameter === FIXED.RGB_SCALE || parameter === FIXED.ALPHA_SCALE;
}

/** Returns the change that a parameter makes; `null` if the parameter or value does not exist. */
function findChange(
  unit: EnvironmentUnit,
  target: number,
  parameter: number,
  params: readonly number[],
): Partial<EnvironmentUnit> | null {
  const [value = 0] = params;
  if (target === FIXED.POINT_SPRITE) {
    return parameter === FIXED.COORD_REPLACE ? { isReplacedByPoint: value !== 0 } : null;
  }
  if (target === FIXED.TEXTURE_FILTER_CONTROL) {
    return parameter === GL.TEXTURE_LOD_BIAS ? { lodBias: value } : null;
  }
  if (target !== FIXED.TEXTURE_ENV) return null;
  if (parameter === FIXED.TEXTURE_ENV_COLOR) return { color: clampColor(toVector4(params)) };
  if (parameter === FIXED.TEXTURE_ENV_MODE) {
    const mode = MODES.get(value);
    return mode === undefined ? null : { mode };
  }
  return findCombineChange(unit, parameter, value);
}

function findCombineChange(
  { rgb, alpha }: EnvironmentUnit,
  parameter: number,
  value: number,
): Partial<EnvironmentUnit> | null {
  const combine = FUNCTIONS.get(value);
  const source = SOURCES.get(value);
  const operand = OPERANDS.get(value);
  const isAlphaOperand = operand === 'alpha' || operand === 'one-minus-alpha';
  const at = parameter & 7;
  if (at < 3) {
    switch (parameter - at) {
      case FIXED.SRC0_RGB:
        return source === undefined
          ? null
          : { rgb: { ...rgb, sources: replace(rgb.sources, at, source) } };
      case FIXED.SRC0_ALPHA:
        return source === undefined
          ? null
          : { alpha: { ...alpha, sources: replace(alpha.sources, at, source) } };
      case FIXED.OPERAND0_RGB:
        return operand === undefined
          ? null
          : { rgb: { ...rgb, operands: replace(rgb.operands, at, operand) } };
      case FIXED.OPERAND0_ALPHA:
        return operand === undefined || !isAlphaOperand
          ? null
          : { alpha: { ...alpha, operands: replace(alpha.operands, at, operand) } };
      default:
    }
  }
  const isScaleValue = value === 1 || value === 2 || value === 4;
  switch (parameter) {
    case FIXED.COMBINE_RGB:
      return combine === undefined ? null : { rgb: { ...rgb, combine } };
    case FIXED.COMBINE_ALPHA:
      return combine === undefined || combine.includes('dot3')
        ? null
        : { alpha: { ...alpha, combine } };
    case FIXED.RGB_SCALE:
      return isScaleValue ? { rgb: { ...rgb, scale: value } } : null;
    case FIXED.ALPHA_SCALE:
      return isScaleValue ? { alpha: { ...alpha, scale: value } } : null;
    default:
      return null;
  }
}

function replace<T>(three: readonly [T, T, T], at: number, value: T): [T, T, T] {
  const [first, second, third] = three.with(at, value);
  return [first!, second!, third!];
}
