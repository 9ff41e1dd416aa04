/** What the text of generated shaders depends on; all other state reaches them as uniforms. */
import type { CompareFunction } from '@tessera/frame';
import type { TrackedColor } from '../state/fixed/lighting-state.ts';
import type {
  CombineHalf,
  EnvironmentMode,
  TexgenMode,
} from '../state/fixed/texture-environment.ts';
import type { BaseFormat } from '../texels/texel-formats.ts';

export interface LightKey {
  readonly index: number;
  readonly isPositional: boolean;
  readonly isSpot: boolean;
  readonly isAttenuated: boolean;
}

export interface LightingKey {
  readonly lights: readonly LightKey[];
  readonly isTwoSided: boolean;
  readonly isLocalViewer: boolean;
  readonly isSpecularSeparate: boolean;
  /** Which colours of which faces are the current colour; `null` while tracking is off. */
  readonly tracked: {
    readonly face: 'front' | 'back' | 'both';
    readonly colors: TrackedColor;
  } | null;
}

/** How the coordinates of one unit are made. */
export interface CoordinateKey {
  readonly unit: number;
  /** S, T, R, Q; `null` takes the attribute's. */
  readonly texgen: readonly (TexgenMode | null)[];
  readonly hasMatrix: boolean;
}

export interface VertexKey {
  readonly lighting: LightingKey | null;
  readonly normal: 'plain' | 'normalize' | 'rescale';
  readonly coordinates: readonly CoordinateKey[];
  readonly fog: 'depth' | 'coordinate' | null;
  /** Whether the secondary colour is the attribute. */
  readonly readsSecondaryColor: boolean;
  readonly interface: InterfaceKey;
}

/** What both stages have to agree on. */
export interface InterfaceKey {
  readonly isFlat: boolean;
  readonly isTwoSided: boolean;
  /** Numbers of the clip planes that are on. */
  readonly clipPlanes: readonly number[];
  /** `null` unless points are drawn whose size is not the shader's. */
  readonly pointSize: 'constant' | 'attenuated' | null;
  readonly isPointRounded: boolean;
}

export type UnitTarget = '1d' | '2d' | '2d-rect' | '3d' | 'cube';

export interface UnitKey {
  readonly unit: number;
  readonly target: UnitTarget;
  readonly isShadow: boolean;
  readonly base: BaseFormat;
  readonly mode: EnvironmentMode;
  readonly rgb: CombineHalf | null;
  readonly alpha: CombineHalf | null;
  readonly hasLodBias: boolean;
  /** Whether q is 1 at every vertex. */
  readonly isAffine: boolean;
  readonly isPointCoordinate: boolean;
}

export interface FragmentKey {
  readonly units: readonly UnitKey[];
  readonly fog: 'linear' | 'exp' | 'exp2' | null;
  readonly hasColorSum: boolean;
  readonly isPointOriginLowerLeft: boolean;
  readonly alphaTest: CompareFunction | null;
  readonly isStippled: boolean;
  readonly interface: InterfaceKey;
}
