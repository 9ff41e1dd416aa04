/**
 * `npm run webgl:compare [-- NAME …]`: renders the WebGL examples and the library programs of the
 * tests with Tessera and in Debian's Chromium with SwiftShader, compares the images, and writes
 * them with their differences to out/webgl. `--frame N` selects a frame other than the first;
 * `--chromium-only` renders only the references.
 */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  compareImages,
  type ImageComparison,
  showDifference,
} from '@tessera/experiments/image-comparison';
import type { Image } from '@tessera/frame';
import { encodePng } from '@tessera/frame/png';
import { findChromium, startChromiumImages } from './webgl/chromium-images.ts';
import { renderExample } from './webgl/render-example.ts';

const REPOSITORY = join(import.meta.dirname, '..');
/** Page scripts, which load files before they draw. */
const PROGRAMS = 'test/webgl/libraries';
const FOLDERS = ['packages/webgl/examples', PROGRAMS];
const WIDTH_PX = 640;
const HEIGHT_PX = 360;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: 'string', default: 'out/webgl' },
    frame: { type: 'string', default: '0' },
    'chromium-only': { type: 'boolean', default: false },
  },
});
const frameIndex = Number(values.frame);
const files = FOLDERS.flatMap((folder) =>
  readdirSync(join(REPOSITORY, folder)).map((file) => `${folder}/${file}`),
)
  .filter((file) => file.endsWith('.mjs'))
  .filter(
    (file) => positionals.length === 0 || positionals.some((name) => basename(file).includes(name)),
  );
const executablePath = findChromium();
if (executablePath === null) throw new Error('chromium is not installed');
mkdirSync(values.out, { recursive: true });
const chromium = await startChromiumImages(executablePath);
try {
  for (const file of files) {
    const name = basename(file, '.mjs');
    const reference = await chromium.render(file, WIDTH_PX, HEIGHT_PX, frameIndex);
    await write(`${name}.chromium.png`, reference);
    if (!values['chromium-only']) await compare(file, name, reference);
  }
} finally {
  await chromium.close();
}
// Programs leave ports and timers open.
process.exit();

async function compare(file: string, name: string, reference: Image): Promise<void> {
  const before = process.cpuUsage();
  const { image } = await renderExample(join(REPOSITORY, file), {
    widthPx: WIDTH_PX,
    heightPx: HEIGHT_PX,
    frameIndex,
    isIdleFirst: file.startsWith(PROGRAMS),
  });
  const { user, system } = process.cpuUsage(before);
  await write(`${name}.tessera.png`, image);
  await write(`${name}.difference.png`, showDifference(image, reference));
  process.stdout.write(
    `${name.padEnd(18)} ${describe(compareImages(image, reference))}, ${((user + system) / 1e6).toFixed(1)} s CPU\n`,
  );
}

function describe({ pixels, over2, over8, inside, psnrDb }: ImageComparison): string {
  const share = (count: number) => `${((100 * count) / pixels).toFixed(3)} %`;
  const psnr = psnrDb === null ? 'equal' : `${psnrDb.toFixed(1)} dB`;
  return `off by more than 2: ${share(over2)}, than 8: ${share(over8)}, inside shapes: ${share(inside)}, ${psnr}`;
}

async function write(name: string, image: Image): Promise<void> {
  writeFileSync(join(values.out, name), await encodePng(image));
}
