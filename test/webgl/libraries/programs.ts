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
const ANIMATED = ['ogl-scene', 'three-introduction'];

/** Returns the index of the frame under test. */
export function frameOf(name: string): number {
  return ANIMATED.includes(name) ? 1 : 0;
}

/** Returns whether the library of a program keeps its page, so that a process can run one only. */
export function isOnceInProcess(name: string): boolean {
  return name.startsWith('maplibre');
}

/**
 * Shares of programs with many outlines, points and lines one pixel wide. SwiftShader rounds their
 * positions to 1/16 of a pixel, Tessera to 1/256.
 */
const MAX_SHARES: Readonly<Record<string, number>> = {
  'deck-map': 0.02,
  'three-model': 0.015,
  'three-points': 0.02,
  'twgl-primitives': 0.025,
};

/** Returns the share of pixels that may differ by more than 8 of 255. */
export function maxShareOf(name: string): number {
  return MAX_SHARES[name] ?? 0.01;
}
