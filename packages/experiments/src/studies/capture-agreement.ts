/**
 * Study: how far pictures of captured OpenGL programs are from those of Mesa's two software renderers, and
 * how far these are from each other. Each capture is rendered with each timing over each number of chiplets,
 * which must give the same picture, bit for bit. Prints the Markdown table of docs/studies/captures.md, writes
 * results/capture-agreement.csv, and ends with status 1 where a picture is outside of its gate.
 *
 *   npm run study:captures -- [FOLDER] [--csv FILE] [--chiplets N,N] [--timing functional|cycle|both]
 *                             [--only NAME]
 *
 * A capture is a folder under FOLDER with `trace.trace`, `ref-llvmpipe.png` and `ref-softpipe.png`.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Image, RenderError, TIMINGS, type Timing } from '@tessera/frame';
import { DEFAULT_CHIPLET_SPEC } from '@tessera/gpu';
import { integerOption, parseOptions } from '../command-options.ts';
import { decodePicture } from '../compare-command.ts';
import { compareImages, type ImageComparison } from '../image-comparison.ts';
import { DEFAULT_LOCAL_RENDER_OPTIONS, LocalGpu } from '../local-gpu.ts';
import { readCaptureFile } from '../read-capture.ts';
import { compareNearness, gateOf, isWithin } from './capture-gates.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');
const RENDERERS = ['llvmpipe', 'softpipe'] as const;
type Renderer = (typeof RENDERERS)[number];

interface Agreement {
  readonly name: string;
  /** The renderer whose picture ours is nearer to; softpipe, which computes in 32-bit floats, if neither is. */
  readonly nearest: Renderer;
  readonly ours: Readonly<Record<Renderer, ImageComparison>>;
  /** Mesa's two renderers against each other. */
  readonly mesa: ImageComparison;
  readonly isWithinGate: boolean;
}

/** One way to render: all must give the same picture. */
interface Way {
  readonly timing: Timing;
  readonly chiplets: number;
  readonly gpu: LocalGpu;
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
  ways: readonly Way[],
): Promise<Agreement | Refusal> {
  const references = RENDERERS.map((renderer) => {
    const path = referencePath(folder, name, renderer);
    return decodePicture(readFileSync(path), path);
  }) as [Image, Image];
  let image: Image | null = null;
  try {
    for (const { gpu, timing, chiplets } of ways) {
      const path = join(folder, name, 'trace.trace');
      const { frame } = await readCaptureFile(path, 0, gpu.programs);
      const rendered = await gpu.render(frame, { ...DEFAULT_LOCAL_RENDER_OPTIONS, timing });
      image ??= rendered.image;
      const { differing } = compareImages(image, rendered.image);
      if (differing > 0) {
        const reason = `${differing} pixels differ with timing ${timing} over ${chiplets} chiplets`;
        return { name, reason };
      }
    }
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    return { name, reason: error.message };
  }
  if (image === null) throw new Error('no way to render');
  const [llvmpipe, softpipe] = references.map((reference) => compareImages(image, reference));
  const ours = { llvmpipe: llvmpipe!, softpipe: softpipe! };
  const gate = gateOf(name);
  return {
    name,
    nearest: compareNearness(ours.softpipe, ours.llvmpipe) <= 0 ? 'softpipe' : 'llvmpipe',
    ours,
    mesa: compareImages(...references),
    isWithinGate: RENDERERS.some((renderer) => isWithin(ours[renderer], gate)),
  };
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
    const { name, mesa, nearest } = result;
    const ours = result.ours[nearest];
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
    const { name, ours, mesa } = result;
    const pairs = [
      ['tessera-llvmpipe', ours.llvmpipe],
      ['tessera-softpipe', ours.softpipe],
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

/** Every timing that is asked for over every number of chiplets, each chiplet a host of its own. */
function listWays(timing: string, chiplets: string): Way[] {
  const timings = TIMINGS.filter((name) => timing === 'both' || timing === name);
  if (timings.length === 0) throw new RenderError('REQUEST_INVALID', `timing: '${timing}'`);
  const counts = chiplets.split(',').map((count) => integerOption('chiplets', count, 1, 64));
  return counts.flatMap((count) => {
    const gpu = new LocalGpu(count, DEFAULT_CHIPLET_SPEC, count);
    return timings.map((name) => ({ timing: name, chiplets: count, gpu }));
  });
}

/** Gives the exit status. */
async function main(): Promise<number> {
  const { values, positionals } = parseOptions(process.argv.slice(2), {
    csv: { type: 'string', default: join(ROOT, 'results/capture-agreement.csv') },
    chiplets: { type: 'string', default: '1,4' },
    timing: { type: 'string', default: 'both' },
    only: { type: 'string' },
  });
  const folder = resolve(positionals[0] ?? join(ROOT, '../shared/captures'));
  if (!existsSync(folder)) {
    throw new RenderError('REQUEST_INVALID', `${folder}: there is no such folder`);
  }
  const ways = listWays(values.timing, values.chiplets);
  const names = listCaptures(folder).filter((name) => name === (values.only ?? name));
  const results: (Agreement | Refusal)[] = [];
  for (const name of names) {
    process.stderr.write(`${name}\n`);
    results.push(await measure(folder, name, ways));
  }
  mkdirSync(dirname(values.csv), { recursive: true });
  writeFileSync(values.csv, makeCsv(results));
  process.stdout.write(`${makeTable(results)}\n`);
  const failures = results.flatMap((result) => {
    if (!('ours' in result)) return [`${result.name}: ${result.reason}`];
    return result.isWithinGate ? [] : [`${result.name}: outside of its gate`];
  });
  for (const failure of failures) process.stdout.write(`\n${failure}\n`);
  return failures.length === 0 ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof RenderError)) throw error;
  process.stderr.write(`study:captures: ${error.message} (${error.code})\n`);
  process.exitCode = 2;
}
