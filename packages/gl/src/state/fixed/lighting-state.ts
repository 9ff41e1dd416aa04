/**
 * Lights, materials and the lighting model (OpenGL 2.1, section 2.14), with values as they were
 * set.
 */
import { GL, nameOfEnum } from '../../api/constants.ts';
import { FIXED, LIGHT_COUNT } from '../../api/fixed-constants.ts';
import type { GlErrors } from '../../api/gl-errors.ts';
import type { Matrix4 } from './matrix-stacks.ts';

/** Vector of four components. */
export type Vector4 = readonly [number, number, number, number];
/** Vector of three components. */
export type Vector3 = readonly [number, number, number];

/** Parameters of one light. */
export interface Light {
  readonly ambient: Vector4;
  readonly diffuse: Vector4;
  readonly specular: Vector4;
  /** Position in eye coordinates. */
  readonly position: Vector4;
  readonly spotDirection: Vector3;
  readonly spotExponent: number;
  /** Cutoff angle in degrees: 0 to 90, or 180 for a light without a spot. */
  readonly spotCutoff: number;
  /** Constant, linear and quadratic coefficients. */
  readonly attenuation: Vector3;
}

/** Colors of one material face. */
export interface Material {
  readonly ambient: Vector4;
  readonly diffuse: Vector4;
  readonly specular: Vector4;
  readonly emission: Vector4;
  readonly shininess: number;
}

/** Material colors that follow the current color. */
export type TrackedColor = 'emission' | 'ambient' | 'diffuse' | 'specular' | 'ambient-and-diffuse';

/** All values of lighting. */
export interface LightingValues {
  readonly lights: readonly Light[];
  readonly front: Material;
  readonly back: Material;
  readonly modelAmbient: Vector4;
  readonly isLocalViewer: boolean;
  readonly isTwoSided: boolean;
  readonly isSpecularSeparate: boolean;
  readonly colorMaterialFace: 'front' | 'back' | 'both';
  readonly colorMaterial: TrackedColor;
  readonly isFlat: boolean;
}

const BLACK: Vector4 = [0, 0, 0, 1];
const WHITE: Vector4 = [1, 1, 1, 1];
const MAX_EXPONENT = 128;

const INITIAL_LIGHT: Light = {
  ambient: BLACK,
  diffuse: BLACK,
  specular: BLACK,
  position: [0, 0, 1, 0],
  spotDirection: [0, 0, -1],
  spotExponent: 0,
  spotCutoff: 180,
  attenuation: [1, 0, 0],
};

const INITIAL_MATERIAL: Material = {
  ambient: [0.2, 0.2, 0.2, 1],
  diffuse: [0.8, 0.8, 0.8, 1],
  specular: BLACK,
  emission: BLACK,
  shininess: 0,
};

const TRACKED_BY_ENUM: ReadonlyMap<number, TrackedColor> = new Map([
  [FIXED.EMISSION, 'emission'],
  [FIXED.AMBIENT, 'ambient'],
  [FIXED.DIFFUSE, 'diffuse'],
  [FIXED.SPECULAR, 'specular'],
  [FIXED.AMBIENT_AND_DIFFUSE, 'ambient-and-diffuse'],
]);

const FACES: ReadonlyMap<number, LightingValues['colorMaterialFace']> = new Map([
  [GL.FRONT, 'front'],
  [GL.BACK, 'back'],
  [GL.FRONT_AND_BACK, 'both'],
]);

/** Lighting state of one context. */
export class LightingState {
  readonly #errors: GlErrors;
  /** Values, replaced at each change so that a saved object can be restored. */
  values: LightingValues = {
    lights: Array.from({ length: LIGHT_COUNT }, (_, i) =>
      i === 0 ? { ...INITIAL_LIGHT, diffuse: WHITE, specular: WHITE } : INITIAL_LIGHT,
    ),
    front: INITIAL_MATERIAL,
    back: INITIAL_MATERIAL,
    modelAmbient: [0.2, 0.2, 0.2, 1],
    isLocalViewer: false,
    isTwoSided: false,
    isSpecularSeparate: false,
    colorMaterialFace: 'both',
    colorMaterial: 'ambient-and-diffuse',
    isFlat: false,
  };

  constructor(errors: GlErrors) {
    this.#errors = errors;
  }

  /**
   * Sets a parameter of a light.
   *
   * @param modelView Matrix that converts positions and directions to eye coordinates.
   */
  setLight(name: number, parameter: number, params: readonly number[], modelView: Matrix4): void {
    const index = name - FIXED.LIGHT0;
    const light = this.values.lights[index];
    if (light === undefined) {
      this.#errors.raise(GL.INVALID_ENUM, `light: ${nameOfEnum(name)} is not a light`);
      return;
    }
    const change = this.#changeLight(light, parameter, params, modelView);
    if (change === null) return;
    this.values = {
      ...this.values,
      lights: this.values.lights.with(index, { ...light, ...change }),
    };
  }

  #changeLight(
    { attenuation }: Light,
    parameter: number,
    params: readonly number[],
    modelView: Matrix4,
  ): Partial<Light> | null {
    const [value = 0] = params;
    const refuse = (): null => {
      this.#errors.raise(
        GL.INVALID_VALUE,
        `light: ${nameOfEnum(parameter)} does not accept ${value}`,
      );
      return null;
    };
    switch (parameter) {
      case FIXED.AMBIENT:
        return { ambient: toVector4(params) };
      case FIXED.DIFFUSE:
        return { diffuse: toVector4(params) };
      case FIXED.SPECULAR:
        return { specular: toVector4(params) };
      case FIXED.POSITION:
        return { position: transform(modelView, toVector4(params)) };
      case FIXED.SPOT_DIRECTION: {
        const [x = 0, y = 0, z = 0] = params;
        const [eyeX, eyeY, eyeZ] = transform(modelView, [x, y, z, 0]);
        return { spotDirection: [eyeX, eyeY, eyeZ] };
      }
      case FIXED.SPOT_EXPONENT:
        return value >= 0 && value <= MAX_EXPONENT ? { spotExponent: value } : refuse();
      case FIXED.SPOT_CUTOFF:
        return (value >= 0 && value <= 90) || value === 180 ? { spotCutoff: value } : refuse();
      case FIXED.CONSTANT_ATTENUATION:
      case FIXED.LINEAR_ATTENUATION:
      case FIXED.QUADRATIC_ATTENUATION: {
        if (!(value >= 0)) return refuse();
        const [constant, linear, quadratic] = attenuation.with(
          parameter - FIXED.CONSTANT_ATTENUATION,
          value,
        );
        return { attenuation: [constant!, linear!, quadratic!] };
      }
      default:
        this.#errors.raise(
          GL.INVALID_ENUM,
          `light: ${nameOfEnum(parameter)} is not a light parameter`,
        );
        return null;
    }
  }

  setMaterial(face: number, parameter: number, params: readonly number[]): void {
    const faces = FACES.get(face);
    const change = this.#materialChange(parameter, params);
    if (faces === undefined)
      this.#errors.raise(GL.INVALID_ENUM, `material: ${nameOfEnum(face)} is not a face`);
    if (faces === undefined || change === null) return;
    this.#changeMaterials(faces, change);
  }

  #materialChange(parameter: number, params: readonly number[]): Partial<Material> | null {
    const tracked = TRACKED_BY_ENUM.get(parameter);
    if (tracked !== undefined) return colorChange(tracked, toVector4(params));
    const [value = 0] = params;
    if (parameter === FIXED.SHININESS && value >= 0 && value <= MAX_EXPONENT) {
      return { shininess: value };
    }
    if (parameter === FIXED.SHININESS) {
      this.#errors.raise(
        GL.INVALID_VALUE,
        `material: shininess ${value} is not in 0..${MAX_EXPONENT}`,
      );
    } else if (parameter !== FIXED.COLOR_INDEXES) {
      this.#errors.raise(
        GL.INVALID_ENUM,
        `material: ${nameOfEnum(parameter)} is not a material parameter`,
      );
    }
    return null;
  }

  #changeMaterials(faces: LightingValues['colorMaterialFace'], change: Partial<Material>): void {
    const { front, back } = this.values;
    this.values = {
      ...this.values,
      front: faces === 'back' ? front : { ...front, ...change },
      back: faces === 'front' ? back : { ...back, ...change },
    };
  }

  setModel(parameter: number, params: readonly number[]): void {
    const [value = 0] = params;
    const { values } = this;
    switch (parameter) {
      case FIXED.LIGHT_MODEL_AMBIENT:
        this.values = { ...values, modelAmbient: toVector4(params) };
        return;
      case FIXED.LIGHT_MODEL_LOCAL_VIEWER:
        this.values = { ...values, isLocalViewer: value !== 0 };
        return;
      case FIXED.LIGHT_MODEL_TWO_SIDE:
        this.values = { ...values, isTwoSided: value !== 0 };
        return;
      case FIXED.LIGHT_MODEL_COLOR_CONTROL:
        if (value === FIXED.SINGLE_COLOR || value === FIXED.SEPARATE_SPECULAR_COLOR) {
          this.values = { ...values, isSpecularSeparate: value === FIXED.SEPARATE_SPECULAR_COLOR };
          return;
        }
        break;
      default:
    }
    this.#errors.raise(
      GL.INVALID_ENUM,
      `lightModel: ${nameOfEnum(parameter)} does not accept ${value}`,
    );
  }

  setColorMaterial(face: number, parameter: number): void {
    const colorMaterialFace = FACES.get(face);
    const colorMaterial = TRACKED_BY_ENUM.get(parameter);
    if (colorMaterialFace === undefined || colorMaterial === undefined) {
      const found = `${nameOfEnum(face)} is not a face, or ${nameOfEnum(parameter)} is not a material color`;
      this.#errors.raise(GL.INVALID_ENUM, `colorMaterial: ${found}`);
      return;
    }
    this.values = { ...this.values, colorMaterialFace, colorMaterial };
  }

  /** Sets the tracked material colors to the current color. */
  trackColor(color: Vector4): void {
    const { colorMaterialFace, colorMaterial } = this.values;
    this.#changeMaterials(colorMaterialFace, colorChange(colorMaterial, color));
  }

  setShadeModel(mode: number): void {
    if (mode !== FIXED.FLAT && mode !== FIXED.SMOOTH) {
      this.#errors.raise(
        GL.INVALID_ENUM,
        `shadeModel: ${nameOfEnum(mode)} is not GL_FLAT or GL_SMOOTH`,
      );
      return;
    }
    this.values = { ...this.values, isFlat: mode === FIXED.FLAT };
  }
}

/** Converts an array to a vector. Missing components are 0, the last 1. */
export function toVector4([x = 0, y = 0, z = 0, w = 1]: readonly number[]): Vector4 {
  return [x, y, z, w];
}

/** Returns `matrix` × `vector`. */
export function transform(matrix: Matrix4, [x, y, z, w]: Vector4): Vector4 {
  const row = (i: number) =>
    matrix[i]! * x + matrix[i + 4]! * y + matrix[i + 8]! * z + matrix[i + 12]! * w;
  return [row(0), row(1), row(2), row(3)];
}

function colorChange(tracked: TrackedColor, color: Vector4): Partial<Material> {
  if (tracked === 'ambient-and-diffuse') return { ambient: color, diffuse: color };
  return { [tracked]: color };
}
