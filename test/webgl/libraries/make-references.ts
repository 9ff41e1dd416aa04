/**
 * Renders the library programs in Debian's Chromium with SwiftShader, and writes the images that
 * the test expects: `npm run webgl:references [-- NAME …]`.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodePng } from '@tessera/frame/png';
import { findChromium, startChromiumImages } from '../../../scripts/webgl/chromium-images.ts';
import { EXPECTED, FOLDER, frameOf, PROGRAMS, SIZE } from './programs.ts';

const executablePath = findChromium();
if (executablePath === null) throw new Error('chromium is not installed');
const { widthPx, heightPx } = SIZE;
const wanted = process.argv.slice(2);
mkdirSync(EXPECTED, { recursive: true });
const chromium = await startChromiumImages(executablePath);
try {
  for (const name of PROGRAMS) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const file = `${FOLDER}/${name}.mjs`;
    const image = await chromium.render(file, widthPx, heightPx, frameOf(name));
    writeFileSync(join(EXPECTED, `${name}.png`), await encodePng(image));
  }
} finally {
  await chromium.close();
}
