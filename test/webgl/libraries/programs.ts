/** Library programs under test: page scripts as the documentation of each library shows. */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Folder of the programs, relative to the repository. */
export const FOLDER = 'test/webgl/libraries';
/** Folder of the images that Chromium draws. */
export const EXPECTED = join(import.meta.dirname, 'expected');
/** Size of these images. */
export const SIZE = { widthPx: 160, heightPx: 90 } as const;

/** Names of the programs, without the ending. */
export const PROGRAMS: readonly string[] = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.mjs'))
  .map((file) => basename(file, '.mjs'));

/** Programs whose second frame is drawn too, which tests that they animate. */
const ANIMATED = ['ogl-scene', 'playcanvas-box', 'twgl-targets'];

/** Returns the index of the frame under test. */
export function frameOf(name: string): number {
  return ANIMATED.includes(name) ? 1 : 0;
}

/** Returns whether the library of a program keeps its page, so that a process can run one only. */
export function isOnceInProcess(name: string): boolean {
  return name.startsWith('maplibre');
}

/**
 * Returns the share of pixels that may differ by more than 8 of 255. A fifth of the pixels of the
 * small images is on outlines. Where a nearest texel changes there, GLSL leaves open whether a
 * varying is evaluated outside of the primitive.
 */
export function maxShareOf(name: string): number {
  return name === 'twgl-primitives' ? 0.025 : 0.01;
}
