/**
 * Channels that the formats of color attachments store. Texels of formats without some channel hold
 * what lookups of it return: alpha 1, black, or red in several channels. Draws and clears keep
 * this.
 */
import {
  type ColorTargetState,
  type PassClear,
  type PipelineState,
  RenderError,
  type SamplerState,
  type TextureFormat,
} from '@tessera/frame';
import {
  type AttachedImage,
  isSpread,
  type SpreadBase,
} from '../../objects/framebuffers/attached-images.ts';
import { MAX_COLOR_ATTACHMENTS } from '../../objects/framebuffers/framebuffer-object.ts';

/** Channels that a color attachment stores. */
export type ColorStore = 'rgba' | 'rgb' | SpreadBase;

/** Returns the channels that an attached image stores; `null` stands for no image. */
export function storeOf(image: AttachedImage | null): ColorStore {
  if (image === null) return 'rgba';
  if (isSpread(image.base)) return image.base;
  return image.hasUnusedAlpha ? 'rgb' : 'rgba';
}

/**
 * Refuses to read the first color of a source whose format spreads a channel, except into an image
 * of the same channels. OpenGL 3.0 and Mesa differ in what such a read returns.
 *
 * @param bases Bases of the images that the color is copied into.
 * @throws {RenderError} FRAME_UNSUPPORTED.
 */
export function refuseSpreadSource(
  caller: string,
  stores: readonly ColorStore[] | undefined,
  bases: readonly string[],
): void {
  const [store] = stores ?? [];
  if (store === undefined || store === 'rgba' || store === 'rgb') return;
  if (bases.length > 0 && bases.every((base) => base === store)) return;
  const message = `${caller}: a color image of ${store} is read into other channels`;
  throw new RenderError('FRAME_UNSUPPORTED', message);
}

/**
 * Returns which channels of a texel a program reads from the framebuffer: luminance and intensity
 * are red (OpenGL 3.0, section 4.3.2). `undefined` stands for all channels.
 */
export function readSwizzleOf(store: ColorStore): SamplerState['swizzle'] {
  switch (store) {
    case 'rgba':
    case 'rgb':
      return undefined;
    case 'alpha':
      return ['zero', 'zero', 'zero', 'alpha'];
    case 'luminance':
    case 'intensity':
      return ['red', 'zero', 'zero', 'one'];
    case 'luminance-alpha':
      return ['red', 'zero', 'zero', 'alpha'];
  }
}

/** Returns a color as texels of the store hold it. */
export function colorIn(store: ColorStore, color: PassClear['color']): PassClear['color'] {
  const [red, green, blue, alpha] = color;
  switch (store) {
    case 'rgba':
      return color;
    case 'rgb':
      return [red, green, blue, 1];
    case 'alpha':
      return [0, 0, 0, alpha];
    case 'luminance':
      return [red, red, red, 1];
    case 'luminance-alpha':
      return [red, red, red, alpha];
    case 'intensity':
      return [red, red, red, red];
  }
}

/** Returns which channels a draw with the mask writes. */
export function maskIn(
  store: ColorStore,
  [red, green, blue, alpha]: PipelineState['colorMask'],
): PipelineState['colorMask'] {
  switch (store) {
    case 'rgba':
      return [red, green, blue, alpha];
    case 'rgb':
      return [red, green, blue, false];
    case 'alpha':
      return [false, false, false, alpha];
    case 'luminance':
      return [red, red, red, false];
    case 'luminance-alpha':
      return [red, red, red, alpha];
    case 'intensity':
      return [red, red, red, red];
  }
}

/** Returns whether a color attachment stores signed fractions. */
export function isSigned(color: { readonly format: TextureFormat } | 'screen' | null): boolean {
  return color !== null && color !== 'screen' && color.format.endsWith('snorm');
}

/** State of color targets for values that are stored as they are, without clamping to 0…1. */
export const UNCLAMPED_TARGETS: readonly ColorTargetState[] = Object.freeze(
  Array.from({ length: MAX_COLOR_ATTACHMENTS }, () => Object.freeze({ isSourceClamped: false })),
);

/**
 * Returns the state of a draw into the store: channels that are written, spread of red.
 *
 * @param own State that the draw asks for.
 * @param isClamped Whether fragment colors are clamped to 0…1 unless the draw asks otherwise.
 */
export function targetStateIn(
  store: ColorStore,
  { isSourceClamped, ...own }: ColorTargetState,
  colorMask: PipelineState['colorMask'],
  isClamped: boolean,
): ColorTargetState {
  const state = {
    ...own,
    ...((isSourceClamped ?? isClamped) ? { isSourceClamped: true } : {}),
    colorMask: maskIn(store, own.colorMask ?? colorMask),
  };
  if (store === 'intensity') return { ...state, redSpread: 'rgba' };
  return store.startsWith('luminance') ? { ...state, redSpread: 'rgb' } : state;
}
