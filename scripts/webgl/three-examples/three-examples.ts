/**
 * `npm run webgl:three -- --examples DIR [--seed N] [--count N] [--frame N] [NAME …]`: draws
 * official examples of three.js with Tessera and in Debian's Chromium with SwiftShader, and
 * compares the images.
 *
 * DIR has pages `webgl_*.html` of three's repository and the files that they load. Their modules
 * are those of three's npm package. Pages that need the network, a camera, or files that DIR does
 * not have are excluded. The seed determines the order of the others. Both renderers
 * give a page the same time and random numbers. Prints a table, and writes it to out/three with the
 * images and their differences.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { compareImages, showDifference } from '@tessera/experiments/image-comparison';
import type { Image } from '@tessera/frame';
import { encodePng } from '@tessera/frame/png';
import { findChromium, startChromium } from '../chromium-images.ts';
import { startFolderServer } from '../folder-server.ts';
import { renderInChromium } from './chromium-page.ts';
import { seededRandom } from './page-random.ts';
import { stageExamples, THREE_VERSION } from './staged-examples.ts';
import { findExclusion } from './static-exclusion.ts';
import { renderInTessera } from './tessera-page.ts';

/** Result of a page that was compared. */
interface PageResult {
  readonly name: string;
  /** Shares of pixels that differ by more than 2 and by more than 8 of 255; null without image. */
  readonly over2: number | null;
  readonly over8: number | null;
  /** Share of pixels that a sub-pixel offset does not explain. */
  readonly inside: number | null;
  readonly cpuSeconds: number | null;
  readonly error: string | null;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    examples: { type: 'string' },
    seed: { type: 'string', default: '2026' },
    count: { type: 'string', default: '40' },
    frame: { type: 'string', default: '1' },
    timeout: { type: 'string', default: '300' },
    out: { type: 'string', default: 'out/three' },
  },
});
if (values.examples === undefined) throw new Error('--examples DIR is missing');
const [seed, count] = [Number(values.seed), Number(values.count)];
const frame = { widthPx: 640, heightPx: 360, frameIndex: Number(values.frame), seed };
const executablePath = findChromium();
if (executablePath === null) throw new Error('chromium is not installed');
mkdirSync(values.out, { recursive: true });

const staged = stageExamples(values.examples);
const server = await startFolderServer(staged.root);
const browser = await startChromium(executablePath);
const results: PageResult[] = [];
const excluded: { readonly name: string; readonly reason: string }[] = [];
try {
  const names = positionals.length > 0 ? positionals : shuffle(staged.names);
  for (const name of names) {
    if (results.length === count) break;
    await comparePage(name);
    writeResults();
  }
} finally {
  await browser.close();
  await server.close();
  staged.remove();
}
const failed = results.filter(({ error }) => error !== null).length;
print(`${results.length - failed} of ${results.length} pages without error`);
print(
  `three ${THREE_VERSION}, seed ${seed}, frame ${frame.frameIndex}, ${excluded.length} excluded`,
);

async function comparePage(name: string): Promise<void> {
  const path = staged.pathOf(name);
  const reason = findExclusion(readFileSync(path, 'utf8'));
  if (reason !== null) return exclude(name, reason);
  const url = `${server.url}/examples/${name}.html`;
  const chromium = await renderInChromium(browser, url, frame);
  if ('excluded' in chromium) return exclude(name, chromium.excluded);
  await writeImage(`${name}.chromium.png`, chromium.image);
  const drawn = await renderInTessera(path, frame, Number(values.timeout) * 1000);
  if ('error' in drawn) return addError(name, drawn.error);
  const image = { ...drawn, rgba: Uint8Array.fromBase64(drawn.rgba) };
  await writeImage(`${name}.tessera.png`, image);
  const message = drawn.messages.find((text) => !chromium.messages.includes(text));
  if (message !== undefined) return addError(name, `printed ${message}`);
  if (image.widthPx !== chromium.image.widthPx || image.heightPx !== chromium.image.heightPx) {
    const size = `${chromium.image.widthPx}×${chromium.image.heightPx}`;
    return addError(name, `canvas of ${image.widthPx}×${image.heightPx} in place of ${size}`);
  }
  await writeImage(`${name}.difference.png`, showDifference(image, chromium.image));
  const { pixels, over2, over8, inside } = compareImages(image, chromium.image);
  const shares = { over2: over2 / pixels, over8: over8 / pixels, inside: inside / pixels };
  addResult({ name, ...shares, cpuSeconds: drawn.cpuSeconds, error: null });
}

function exclude(name: string, reason: string): void {
  excluded.push({ name, reason });
  print(`${name.padEnd(46)} excluded: ${reason}`);
}

function addError(name: string, error: string): void {
  addResult({ name, over2: null, over8: null, inside: null, cpuSeconds: null, error });
}

function addResult(result: PageResult): void {
  results.push(result);
  const { name, over2, over8, inside, cpuSeconds, error } = result;
  const share = (value: number | null) => `${(100 * (value ?? 0)).toFixed(3)} %`;
  const figures = `off by more than 2: ${share(over2)}, than 8: ${share(over8)}, inside shapes: ${share(inside)}, ${cpuSeconds?.toFixed(1)} s CPU`;
  print(`${name.padEnd(46)} ${error === null ? figures : `error: ${error}`}`);
}

/** Writes the results so far, because a run takes minutes. */
function writeResults(): void {
  const run = { three: THREE_VERSION, ...frame, results, excluded };
  writeFileSync(join(values.out, 'results.json'), `${JSON.stringify(run, null, 2)}\n`);
  const rows = results.map(({ name, over2, over8, cpuSeconds, error }) => {
    const share = (value: number | null) => (value === null ? '' : `${(100 * value).toFixed(3)} %`);
    const cpu = cpuSeconds === null ? '' : `${cpuSeconds.toFixed(1)} s`;
    return `| ${name} | ${share(over2)} | ${share(over8)} | ${cpu} | ${error ?? ''} |`;
  });
  const head = [
    '| example | off by more than 2 | by more than 8 | CPU time | error |',
    '| --- | --- | --- | --- | --- |',
  ];
  writeFileSync(join(values.out, 'results.md'), `${[...head, ...rows].join('\n')}\n`);
}

/** Orders names by the random numbers of the seed (Fisher and Yates). */
function shuffle(names: readonly string[]): string[] {
  const random = seededRandom(seed);
  const shuffled = [...names];
  for (let last = shuffled.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [shuffled[last], shuffled[other]] = [shuffled[other]!, shuffled[last]!];
  }
  return shuffled;
}

async function writeImage(name: string, image: Image): Promise<void> {
  writeFileSync(join(values.out, name), await encodePng(image));
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
