/** Choices of how a model is shown in full quality. */
import type { EnvironmentSource, FilteredEnvironment } from '../lighting/environment-frame.ts';
import type { ToneMapping } from './features/tone-mappings.ts';

/** Background of a model: an sRGB-encoded color, the environment, or nothing. */
export type Background =
  | { readonly kind: 'color'; readonly rgb: readonly [number, number, number] }
  | { readonly kind: 'environment' }
  | { readonly kind: 'transparent' };

/**
 * Light of the surroundings: filtered already, or a source that passes of the frame filter, which
 * then cost time in every frame.
 */
export type EnvironmentLight =
  | { readonly kind: 'filtered'; readonly environment: FilteredEnvironment }
  | { readonly kind: 'source'; readonly source: EnvironmentSource };

/** Look of a model in full quality. */
export interface ModelLook {
  readonly environment: EnvironmentLight;
  readonly background: Background;
  /** Factor of all radiance, above 0. */
  readonly exposure: number;
  readonly toneMapping: ToneMapping;
  /** Whether punctual lights cast shadows. */
  readonly hasShadows: boolean;
  /**
   * Whether opaque surfaces that the image shows occlude the light of the environment, beside
   * occlusion textures. Default: false.
   */
  readonly hasScreenOcclusion?: boolean | undefined;
  /** Whether the model casts a soft shadow on the ground. Default: false. */
  readonly hasGroundShadow?: boolean | undefined;
  /** Samples per pixel, one of `SAMPLE_COUNTS`. */
  readonly samples: number;
}
