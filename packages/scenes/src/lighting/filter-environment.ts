/** Filters environments once, so that frames read the result as a resource. */
import type { Frame, TextureResource } from '@tessera/frame';
import {
  type EnvironmentSource,
  type FilteredEnvironment,
  makeEnvironmentFrame,
} from './environment-frame.ts';

/** Filtered environments by the SHA-256 of their source and of the filter. */
export interface EnvironmentStore {
  get(key: string): FilteredEnvironment | undefined;
  set(key: string, environment: FilteredEnvironment): void;
}

/** Renders a frame and returns the textures that its passes drew, by index. */
export type TextureRenderer = (frame: Frame) => {
  readonly drawnTextures: ReadonlyMap<number, TextureResource>;
};

/**
 * Filters an environment on a simulated GPU.
 *
 * @param render Renders the frame, such as `renderNow` of a GPU in this process.
 */
export function filterEnvironment(
  source: EnvironmentSource,
  render: TextureRenderer,
): FilteredEnvironment {
  const { frame, radianceIndex, reflectanceIndex } = makeEnvironmentFrame(source);
  const { drawnTextures } = render(frame);
  const take = (index: number): TextureResource => {
    const texture = drawnTextures.get(index);
    if (texture === undefined) throw new Error(`no pass drew texture ${index}`);
    return texture;
  };
  return { radiance: take(radianceIndex), reflectance: take(reflectanceIndex) };
}
