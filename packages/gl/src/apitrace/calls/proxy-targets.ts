/**
 * Uploads to proxy targets, which only ask whether an image would be possible (OpenGL 2.1, 3.8.11).
 */
import type { CapturedCall } from '../format/capture-reader.ts';

/** Proxies of 1D, 2D, 3D, rectangle, cube map, 1D array and 2D array textures. */
const PROXIES: readonly unknown[] = [0x8063, 0x8064, 0x8070, 0x84f7, 0x851b, 0x8c19, 0x8c1b];

/** Returns whether a call specifies the image of a proxy, which changes no image. */
export function specifiesProxy({ name, args }: CapturedCall): boolean {
  return PROXIES.includes(args.target) && /^gl(?:Compressed)?Tex(?:Image|Storage)/.test(name);
}
