/**
 * Keys of generated shaders: the state that their source depends on. All other state reaches the
 * shaders as uniforms.
 */
import type { CompareFunction } from '@tessera/frame';
import type { FogValues } from '../state/fixed/fixed-state.ts';
import type { TrackedColor } from '../state/fixed/lighting-state.ts';
import type {
  CombineHalf,
  EnvironmentMode,
  TexgenMode,
} from '../state/fixed/texture-environment.ts';
import type { BaseFormat } from '../texels/texel-formats.ts';
import type { ColorInterpolation } from './declared-interpolation.ts';
import type { ImageKind } from './image-source.ts';

/** Properties of one enabled light that change the generated code. */
export interface LightKey {
  readonly index: number;
  readonly isPositional: boolean;
  readonly isSpot: boolean;
  readonly isAttenuated: boolean;
}

/** State of lighting that changes the generated code. */
export interface LightingKey {
  readonly lights: readonly LightKey[];
  readonly isTwoSided: boolean;
  readonly isLocalViewer: boolean;
  readonly isSpecularSeparate: boolean;
  /** Material colors that track the current color, by face; `null` while tracking is disabled. */
  readonly tracked: {
    readonly face: 'front' | 'back' | 'both';
    readonly colors: TrackedColor;
  } | null;
  /** Names of the attributes that replace material parameters (material-attributes.ts). */
  readonly materials: readonly string[];
}

/** Generation of one unit's texture coordinates. */
export interface CoordinateKey {
  readonly unit: number;
  /** Generation mode of S, T, R and Q; `null` uses the attribute's coordinate. */
  readonly texgen: readonly (TexgenMode | null)[];
  readonly hasMatrix: boolean;
}

/** Key of a generated vertex shader. */
export interface VertexKey {
  readonly lighting: LightingKey | null;
  readonly normal: 'plain' | 'normalize' | 'rescale';
  readonly coordinates: readonly CoordinateKey[];
  /** Source of the fog distance. */
  readonly fog: FogValues['distance'] | 'coordinate' | null;
  /** Whether the secondary color comes from the vertex attribute. */
  readonly readsSecondaryColor: boolean;
  readonly interface: InterfaceKey;
}

/** State that both stages depend on. */
export interface InterfaceKey {
  readonly isFlat: boolean;
  readonly isTwoSided: boolean;
  /** Indices of the enabled clip planes. */
  readonly clipPlanes: readonly number[];
  /** Source of the point size; `null` unless points are drawn and the shader does not set it. */
  readonly pointSize: 'constant' | 'attenuated' | null;
  readonly isPointRounded: boolean;
  /** Kind of primitives whose alpha is multiplied by coverage; `null` without antialiasing. */
  readonly smooth: 'points' | 'lines' | null;
  readonly isLineStippled: boolean;
  /** Interpolation of the colors that the program declares; that of the shade model if missing. */
  readonly colors?: ColorInterpolation;
}

/** Texture target of a unit in the fixed fragment stage. */
export type UnitTarget = '1d' | '2d' | '2d-rect' | '3d' | 'cube';

/** State of one texture unit that changes the generated code. */
export interface UnitKey {
  readonly unit: number;
  readonly target: UnitTarget;
  readonly isShadow: boolean;
  readonly base: BaseFormat;
  readonly mode: EnvironmentMode;
  readonly rgb: CombineHalf | null;
  readonly alpha: CombineHalf | null;
  readonly hasLodBias: boolean;
  /** Whether q is 1 at every vertex, so that the lookup needs no division. */
  readonly isAffine: boolean;
  readonly isPointCoordinate: boolean;
}

/** Texture coordinates of a program's fragment shader that points replace. */
export interface PointCoordinatesKey {
  readonly units: readonly number[];
  readonly isOriginLowerLeft: boolean;
}

/** Key of a generated fragment shader. */
export interface FragmentKey {
  readonly units: readonly UnitKey[];
  readonly fog: 'linear' | 'exp' | 'exp2' | null;
  readonly hasColorSum: boolean;
  readonly isPointOriginLowerLeft: boolean;
  readonly alphaTest: CompareFunction | null;
  readonly isStippled: boolean;
  readonly interface: InterfaceKey;
  /** Kind of the image that the primary color comes from. Missing: the color is interpolated. */
  readonly image?: ImageKind;
}
