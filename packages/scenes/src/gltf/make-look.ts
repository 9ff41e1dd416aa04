/** Makes the look of a model from its options. */
import { createHash } from 'node:crypto';
import { builtInEnvironment, isEnvironmentName } from '../lighting/built-in-environments.ts';
import { FILTER_DESCRIPTION, type FilteredEnvironment } from '../lighting/environment-frame.ts';
import { isExr } from '../lighting/exr-header.ts';
import {
  type EnvironmentStore,
  filterEnvironment,
  type TextureRenderer,
} from '../lighting/filter-environment.ts';
import type { RadianceImage } from '../lighting/radiance-image.ts';
import { type RadianceLimits, readRadianceHdr } from '../lighting/read-radiance-hdr.ts';
import type { ModelLook } from './model-look.ts';
import type { ModelOptions } from './model-options.ts';

/** Means of making looks. */
export interface LookMaker {
  /** Loads the renderer of the frame that filters an environment, only when it is needed. */
  readonly loadRenderer: () => Promise<TextureRenderer>;
  /** Keeps filtered environments. */
  readonly store: EnvironmentStore;
  /**
   * Returns the file of a panorama that the options name.
   *
   * @throws {RenderError} If there is none.
   */
  readonly readPanorama: (name: string) => Uint8Array;
}

/** Limits on panoramas. */
export const PANORAMA_LIMITS: RadianceLimits = { maxPixels: 8192 * 4096 };

/**
 * Returns the look of a model; `undefined` in simple quality.
 *
 * @throws {RenderError} REQUEST_INVALID or of the panorama's file.
 */
export async function makeLook(
  options: ModelOptions,
  maker: LookMaker,
): Promise<ModelLook | undefined> {
  if (options.quality === 'simple') return undefined;
  const environment = await findEnvironment(options, maker);
  return { ...options, environment: { kind: 'filtered', environment } };
}

async function findEnvironment(
  { environment: name }: ModelOptions,
  { loadRenderer, store, readPanorama }: LookMaker,
): Promise<FilteredEnvironment> {
  const builtIn = isEnvironmentName(name) ? builtInEnvironment(name) : null;
  const file = builtIn === null ? readPanorama(name) : null;
  const key = createHash('sha256')
    .update(FILTER_DESCRIPTION)
    .update(builtIn === null ? file! : builtIn.fragment)
    .digest('hex');
  const known = store.get(key);
  if (known !== undefined) return known;
  const source = builtIn ?? { kind: 'panorama' as const, image: await readPanoramaFile(file!) };
  const environment = filterEnvironment(source, await loadRenderer());
  store.set(key, environment);
  return environment;
}

async function readPanoramaFile(file: Uint8Array): Promise<RadianceImage> {
  if (!isExr(file)) return readRadianceHdr(file, PANORAMA_LIMITS);
  const { readRadianceExr } = await import('../lighting/read-radiance-exr.ts');
  return readRadianceExr(file, PANORAMA_LIMITS);
}
