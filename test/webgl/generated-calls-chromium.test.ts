/** Error codes of generated WebGL calls, compared with those of Chromium where it is installed. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ChromiumSide, startChromiumSide } from '../../scripts/fuzz/webgl/chromium-side.ts';
import { Comparison } from '../../scripts/fuzz/webgl/compare-outcomes.ts';
import { generateCalls } from '../../scripts/fuzz/webgl/generate-calls.ts';
import { listSkippedExtensions } from '../../scripts/fuzz/webgl/skipped-extensions.ts';
import { runInTessera } from '../../scripts/fuzz/webgl/tessera-side.ts';
import { findChromium } from '../../scripts/webgl/chromium-images.ts';

const SEED = 7;
const LIST_COUNT = 8;

const path = findChromium();

describe.skipIf(path === null)('generated WebGL calls in Chromium', () => {
  let chromium: ChromiumSide;
  beforeAll(async () => {
    chromium = await startChromiumSide(path!);
  });
  afterAll(() => chromium.close());

  it('have the same error codes for at least 95 % of the calls', async () => {
    const skipped = await listSkippedExtensions(chromium);
    const comparison = new Comparison();
    for (let index = 0; index < LIST_COUNT; index++) {
      const list = generateCalls(SEED, index);
      const ofVersion = skipped[list.version];
      const { outcomes } = runInTessera(list, { skippedExtensions: ofVersion });
      const theirs = await chromium.run(list, ofVersion);
      expect(theirs, `list ${index} of seed ${SEED}`).not.toBeNull();
      comparison.add(list, outcomes, theirs!);
    }
    const { callCount, equalCount, failedCount, equalFailedCount } = comparison;
    expect(callCount).toBeGreaterThan(LIST_COUNT * 300 * 0.95);
    expect(equalCount / callCount).toBeGreaterThan(0.95);
    expect(equalFailedCount / failedCount).toBeGreaterThan(0.85);
  });
});
