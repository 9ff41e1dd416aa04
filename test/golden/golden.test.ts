/** Golden scenes have the committed images and counters. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addCounters, type Counters } from '@tessera/frame';
import { encodePng } from '@tessera/frame/png';
import { LocalGpu } from '@tessera/local-gpu';
import { describe, expect, it } from 'vitest';
import { compareImages, decodePng } from '../support/compare-images.ts';
import { GOLDEN_SCENES } from './scenes.ts';

// `npm run golden:renew` writes the current images; look at them and explain a change in CHANGELOG
// under Model.
const isRenewing = process.env.TESSERA_RENEW_GOLDEN === '1';
const FOLDER = join(import.meta.dirname, 'references');

describe('golden scenes', () => {
  const gpu = new LocalGpu({ chipletCount: 3 });

  it.each(Object.keys(GOLDEN_SCENES))('%s has the committed image and counters', async (name) => {
    const { image, report } = await gpu.render(await GOLDEN_SCENES[name]!());
    const counters: Counters = {};
    for (const chiplet of report.chiplets) addCounters(counters, chiplet.counters);
    const imagePath = join(FOLDER, `${name}.png`);
    const countersPath = join(FOLDER, `${name}.counters.json`);
    if (isRenewing) {
      mkdirSync(FOLDER, { recursive: true });
      writeFileSync(imagePath, await encodePng(image));
      writeFileSync(countersPath, `${JSON.stringify(counters, null, 2)}\n`);
    }
    expect(existsSync(imagePath), `${imagePath} is missing: npm run golden:renew`).toBe(true);
    const difference = compareImages(
      image,
      decodePng(readFileSync(imagePath)),
      join('out', 'golden', `${name}.difference.png`),
    );
    expect(difference?.message ?? null).toBeNull();
    expect(counters).toEqual(JSON.parse(readFileSync(countersPath, 'utf8')));
  });
});
