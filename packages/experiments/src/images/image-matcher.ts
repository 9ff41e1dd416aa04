/**
 * Matcher of images for vitest and Jest; docs/how-to/images-in-ci.md shows its use. References are
 * created, kept and updated as the test runner does with its snapshots.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Image } from '@tessera/frame';
import { encodePng } from '@tessera/frame/png';
import { pixelsOption } from '../terminal/command-options.ts';
import { decodeImageFile } from './decode-image-file.ts';
import { showDifference } from './image-comparison.ts';
import { checkAgainstReference } from './reference-image.ts';

/** Options of `toMatchImage`. */
export interface MatchImageOptions {
  /**
   * Upper bound on the pixels that may differ by more than 8 of 255 in a component: a share from 0
   * to 1, or a text as of `tessera record --max-over8`, such as `'0.1%'` or `'50'` (pixels). 0 by
   * default.
   */
  readonly maxOver8?: number | string;
}

/** The matchers of this module, for declarations of a test runner. */
export interface ImageMatchers {
  /**
   * Compares a frame with a reference image.
   *
   * @param path Path of the reference, a PNG, relative to the test file.
   */
  toMatchImage(path: string, options?: MatchImageOptions): Promise<void>;
}

/** Part of the state of a matcher that vitest and Jest have in common. */
interface MatcherState {
  readonly isNot?: boolean;
  readonly testPath?: string;
  readonly snapshotState?: object;
}

/** Snapshots of a test file: counts for the summary, and whether the run writes references. */
interface SnapshotState {
  /** Name in vitest. */
  readonly snapshotUpdateState?: UpdateMode;
  /** Name in Jest. */
  readonly _updateSnapshot?: UpdateMode;
  added: number;
  updated: number;
}

/** References that a run writes: none (in CI), missing ones, or those that differ too (`-u`). */
type UpdateMode = 'none' | 'new' | 'all';

/**
 * Compares a frame, or an image, with a reference image. Writes the reference if it is missing and
 * the test does not run in CI, or if it differs and the runner has the option `-u`. Otherwise
 * writes the image and eight times the differences beside the reference: `golden-actual.png` and
 * `golden-difference.png`.
 *
 * @param referencePath Path of the reference, relative to the test file, or to the working
 *   directory if the runner does not pass the test file.
 * @throws {TypeError} If the value is neither a frame nor an image.
 * @throws {RangeError} If the share `maxOver8` is out of range.
 * @throws {RenderError} If the text `maxOver8` is wrong, or the reference cannot be decoded.
 */
export async function toMatchImage(
  this: MatcherState | undefined,
  received: unknown,
  referencePath: string,
  { maxOver8 = 0 }: MatchImageOptions = {},
): Promise<{ pass: boolean; message: () => string }> {
  const image = readImage(received);
  const { isNot = false, testPath, snapshotState } = this ?? {};
  const path = resolve(testPath === undefined ? '' : dirname(testPath), referencePath);
  // The state of vitest and Jest has these members.
  const snapshots = snapshotState as SnapshotState | undefined;
  const mode = isNot ? 'none' : readMode(snapshots);
  const bytes = await readReference(path);
  if (bytes === null) {
    if (mode !== 'none') {
      await writeImage(path, image);
      if (snapshots !== undefined) snapshots.added += 1;
      return { pass: true, message: () => `${referencePath} was written` };
    }
    const actualPath = pathBeside(path, 'actual');
    await writeImage(actualPath, image);
    const text = `${referencePath} is missing, and this run writes no references; the image is ${actualPath}`;
    return { pass: isNot, message: () => text };
  }
  const expected = decodeImageFile(bytes, referencePath);
  const most = readPixels(maxOver8, expected.widthPx * expected.heightPx);
  const reference = { path: referencePath, image: expected };
  const { isMet, hasSize, text } = checkAgainstReference(image, reference, most);
  if (isMet || isNot) return { pass: isMet, message: () => text };
  if (mode === 'all') {
    await writeImage(path, image);
    if (snapshots !== undefined) snapshots.updated += 1;
    return { pass: true, message: () => text };
  }
  const actualPath = pathBeside(path, 'actual');
  await writeImage(actualPath, image);
  if (!hasSize) return { pass: false, message: () => `${text}; see ${actualPath}` };
  const differencePath = pathBeside(path, 'difference');
  await writeImage(differencePath, showDifference(image, expected));
  return { pass: false, message: () => `${text}; see ${differencePath}` };
}

function readImage(received: unknown): Image {
  const frame = received as { readonly image?: unknown } | null | undefined;
  const image = (frame?.image ?? frame) as Partial<Image> | null | undefined;
  if (ArrayBuffer.isView(image?.rgba)) return image as Image;
  const reason = received instanceof Promise ? '; await it first' : '';
  throw new TypeError(`toMatchImage: the value is neither a frame nor an image${reason}`);
}

function readMode(snapshots: SnapshotState | undefined): UpdateMode {
  const mode = snapshots?.snapshotUpdateState ?? snapshots?._updateSnapshot;
  return mode ?? (process.env.CI ? 'none' : 'new');
}

function readPixels(maxOver8: number | string, pixels: number): number {
  if (typeof maxOver8 === 'string') return pixelsOption('maxOver8', maxOver8, pixels);
  if (maxOver8 >= 0 && maxOver8 <= 1) return Math.floor(maxOver8 * pixels);
  throw new RangeError(`maxOver8: ${maxOver8} is not a share from 0 to 1`);
}

/** Returns the bytes of a file, or null if it does not exist. */
async function readReference(path: string): Promise<Uint8Array | null> {
  try {
    return await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function pathBeside(path: string, ending: string): string {
  return path.replace(/(\.[^./]*)?$/, `-${ending}.png`);
}

async function writeImage(path: string, image: Image): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, await encodePng(image));
}
