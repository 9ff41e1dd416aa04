/**
 * Study: how far pictures of captured OpenGL programs are from those of Mesa's two software renderers, and
 * how far these are from each other. Prints the Markdown table of docs/studies/captures.md and writes
 * results/capture-agreement.csv.
 *
 *   npm run study:captures -- [FOLDER] [--csv FILE] [--chiplets N] [--timing functional|cycle]
 *
 * A capture is a folder under FOLDER with `trace.trace`, `ref-llvmpipe.png` and `ref-softpipe.png`.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Image, RenderError, TIMINGS, type Timing } from '@tessera/frame';
import { integerOption, parseOptions } from '../command-options.ts';
import { decodePicture } from '../compare-command.ts';
import { compareImages, type ImageComparison } from '../image-comparison.ts';
import { DEFAULT_LOCAL_RENDER_OPTIONS, LocalGpu } from '../local-gpu.ts';
import { readCapture } from '../read-capture.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');
const RENDERERS = ['llvmpipe', 'softpipe'] as const;
type Renderer = (typeof RENDERERS)[number];

interface Agreement {
  readonly name: string;
  /** The renderer whose picture ours is nearer to. */
  readonly nearest: Renderer;
  readonly ours: ImageComparison;
  /** Mesa's two renderers against each other. */
  readonly mesa: ImageComparison;
}

/** A capture that is not rendered, and why. */
interface Refusal {
  readonly name: string;
  readonly reason: string;
}

function listCaptures(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('trace.trace'))
    .map((path) => dirname(path))
    .filter((name) => RENDERERS.every((each) => existsSync(referencePath(folder, name, each))))
    .sort();
}

function referencePath(folder: string, name: string, renderer: Renderer): string {
  return join(folder, name, `ref-${renderer}.png`);
}

async function measure(
  folder: string,
  name: string,
  gpu: LocalGpu,
  timing: Timing,
): Promise<Agreement | Refusal> {
  const references = RENDERERS.map((renderer) => {
    const path = referencePath(folder, name, renderer);
    return decodePicture(readFileSync(path), path);
  }) as [Image, Image];
  let image: Image;
  try {
    const { frame } = readCapture(readFileSync(join(folder, name, 'trace.trace')), 0, gpu.programs);
    ({ image } = await gpu.render(frame, { ...DEFAULT_LOCAL_RENDER_OPTIONS, timing }));
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    return { name, reason: error.message };
  }
  const [toLlvmpipe, toSoftpipe] = references.map((reference) => compareImages(image, reference));
  const isNearerToSoftpipe = rank(toSoftpipe!) <= rank(toLlvmpipe!);
  return {
    name,
    nearest: isNearerToSoftpipe ? 'softpipe' : 'llvmpipe',
    ours: isNearerToSoftpipe ? toSoftpipe! : toLlvmpipe!,
    mesa: compareImages(...references),
  };
}

/** Less is nearer: pixels off by more than 1, then all that differ. */
function rank({ over1, differing, pixels }: ImageComparison): number {
  return over1 + differing / (pixels + 1);
}

function formatPsnr({ psnrDb }: ImageComparison): string {
  return psnrDb === null ? 'equal' : psnrDb.toFixed(1);
}

function makeTable(results: readonly (Agreement | Refusal)[]): string {
  const head = [
    '| capture | differing | >1 | >8 | inside | PSNR | nearest | Mesa: differing | >1 | >8 | PSNR |',
    '| --- | --: | --: | --: | --: | --: | --- | --: | --: | --: | --: |',
  ];
  const rows = results.map((result) => {
    if (!('ours' in result)) return `| ${result.name} | refused | | | | | | | | | |`;
    const { name, ours, mesa, nearest } = result;
    const cells = [
      ...[name, ours.differing, ours.over1, ours.over8, ours.inside, formatPsnr(ours), nearest],
      ...[mesa.differing, mesa.over1, mesa.over8, formatPsnr(mesa)],
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return [...head, ...rows].join('\n');
}

function makeCsv(results: readonly (Agreement | Refusal)[]): string {
  const figures = [
    'pixels',
    'differing',
    'over1',
    'over2',
    'over8',
    'over32',
    'inside',
    'largest',
    'meanAbsolute',
    'psnrDb',
  ] as const;
  const lines = [`capture,pair,${figures.join()}`];
  for (const result of results) {
    if (!('ours' in result)) continue;
    const { name, nearest, ours, mesa } = result;
    const pairs = [
      [`tessera-${nearest}`, ours],
      ['llvmpipe-softpipe', mesa],
    ] as const;
    for (const [pair, comparison] of pairs) {
      const values = figures.map((figure) => {
        const value = comparison[figure];
        if (value === null) return '';
        return Number.isInteger(value) ? value : value.toFixed(6);
      });
      lines.push([name, pair, ...values].join());
    }
  }
  return `${lines.join('\n')}\n`;
}

async function main(): Promise<void> {
  const { values, positionals } = parseOptions(process.argv.slice(2), {
    csv: { type: 'string', default: join(ROOT, 'results/capture-agreement.csv') },
    chiplets: { type: 'string', default: '4' },
    timing: { type: 'string', default: 'functional' },
  });
  const folder = resolve(positionals[0] ?? join(ROOT, '../shared/captures'));
  const timing = TIMINGS.find((name) => name === values.timing);
  if (timing === undefined || !existsSync(folder)) {
    throw new RenderError(
      'REQUEST_INVALID',
      timing === undefined ? `timing: '${values.timing}'` : `${folder}: there is no such folder`,
    );
  }
  const gpu = new LocalGpu(integerOption('chiplets', values.chiplets, 1, 64));
  const results: (Agreement | Refusal)[] = [];
  for (const name of listCaptures(folder)) {
    process.stderr.write(`${name}\n`);
    results.push(await measure(folder, name, gpu, timing));
  }
  mkdirSync(dirname(values.csv), { recursive: true });
  writeFileSync(values.csv, makeCsv(results));
  process.stdout.write(`${makeTable(results)}\n`);
  for (const result of results) {
    if (!('ours' in result)) process.stdout.write(`\n${result.name}: ${result.reason}\n`);
  }
}

try {
  await main();
} catch (error) {
  if (!(error instanceof RenderError)) throw error;
  process.stderr.write(`study:captures: ${error.message} (${error.code})\n`);
  process.exitCode = 2;
}
