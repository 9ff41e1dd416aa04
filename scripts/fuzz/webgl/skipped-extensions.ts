/** Extensions that only one of two implementations has. They are not enabled in a comparison. */
import type { ChromiumSide } from './chromium-side.ts';
import { extensionsOfTessera } from './tessera-side.ts';

/** Extensions by version that only one of the two implementations has. */
export type SkippedExtensions = Readonly<Record<1 | 2, readonly string[]>>;

/** Returns the extensions that only one side has. Calls that need them are not compared. */
export async function listSkippedExtensions(chromium: ChromiumSide): Promise<SkippedExtensions> {
  const ofVersion = async (version: 1 | 2): Promise<readonly string[]> => {
    const ours = new Set(extensionsOfTessera(version));
    const theirs = new Set(await chromium.listExtensions(version));
    return [...ours.symmetricDifference(theirs)].sort();
  };
  return { 1: await ofVersion(1), 2: await ofVersion(2) };
}
