/**
 * Differences between images of captured OpenGL programs and those of Mesa's two software
 * renderers, and between the latter.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Image, MAX_CHIPLETS, RenderError, TIMINGS, type Timing } from '@tessera/frame';
import { LocalGpu } from '@tessera/local-gpu';
import { decodeImageFile } from '../../images/decode-image-file.ts';
import { compareImages, type ImageComparison } from '../../images/image-comparison.ts';
import { readCaptureFile } from '../../inputs/read-capture.ts';
import {
  type Cell,
  type CsvRecord,
  type KeyedTable,
  parseCsv,
  readRecords,
  type Table,
} from '../../tables/csv.ts';
import { formatMarkdownTable } from '../../tables/document-tables.ts';
import { integerOption } from '../../terminal/command-options.ts';
import { compareNearness, gateOf, isWithin } from './capture-gates.ts';

const RENDERERS = ['llvmpipe', 'softpipe'] as const;
type Renderer = (typeof RENDERERS)[number];

const FIGURES = [
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

/** Comparison of a capture that was rendered. */
export interface Agreement {
  readonly name: string;
  /**
   * Renderer whose image is nearer to ours; softpipe, which computes in 32-bit floats, on a tie.
   */
  readonly nearest: Renderer;
  readonly ours: Readonly<Record<Renderer, ImageComparison>>;
  /** Comparison of Mesa's two renderers. */
  readonly mesa: ImageComparison;
  readonly isWithinGate: boolean;
}

/** A number of chiplets and a timing. All give the same image. */
export interface Way {
  readonly timing: Timing;
  readonly chiplets: number;
  readonly gpu: LocalGpu;
}

/** A capture that is not rendered, with the reason. */
export interface Refusal {
  readonly name: string;
  readonly reason: string;
}

/** Lists the captures of a folder that have the images of both renderers, by their paths in it. */
export function listCaptures(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('trace.trace'))
    .map((path) => dirname(path))
    .filter((name) => RENDERERS.every((each) => existsSync(referencePath(folder, name, each))))
    .sort();
}

function referencePath(folder: string, name: string, renderer: Renderer): string {
  return join(folder, name, `ref-${renderer}.png`);
}

/** Renders a capture in each way, and compares the image with those of Mesa. */
export async function measureCapture(
  folder: string,
  name: string,
  ways: readonly Way[],
): Promise<Agreement | Refusal> {
  const references = RENDERERS.map((renderer) => {
    const path = referencePath(folder, name, renderer);
    return decodeImageFile(readFileSync(path), path);
  }) as [Image, Image];
  let image: Image | null = null;
  try {
    for (const { gpu, timing, chiplets } of ways) {
      const path = join(folder, name, 'trace.trace');
      const { frame } = await readCaptureFile(path, 0, gpu.programs);
      const rendered = await gpu.render(frame, { timing });
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
  if (image === null) throw new Error('captures: no timing and number of chiplets to render with');
  const [llvmpipe, softpipe] = references.map((reference) => compareImages(image, reference));
  const ours = { llvmpipe: llvmpipe!, softpipe: softpipe! };
  const gate = gateOf(name);
  return {
    name,
    nearest: nearestOf(ours),
    ours,
    mesa: compareImages(...references),
    isWithinGate: RENDERERS.some((renderer) => isWithin(ours[renderer], gate)),
  };
}

function nearestOf(ours: Agreement['ours']): Renderer {
  return compareNearness(ours.softpipe, ours.llvmpipe) <= 0 ? 'softpipe' : 'llvmpipe';
}

function formatPsnr({ psnrDb }: ImageComparison): string {
  return psnrDb === null ? 'equal' : psnrDb.toFixed(1);
}

/** Fields of a capture in the results file. */
type ReadAgreement = Pick<Agreement, 'name' | 'nearest' | 'ours' | 'mesa'>;

/** Returns the Markdown table of the document from a results file. */
export function showAgreement(csv: string): string {
  const captures = Map.groupBy(readRecords(parseCsv(csv)), ({ scene }) => scene!);
  const read = [...captures].map(([name, records]): ReadAgreement => {
    const of = (pair: string) => readComparison(records.find((each) => each.pair === pair)!);
    const ours = { llvmpipe: of('tessera-llvmpipe'), softpipe: of('tessera-softpipe') };
    return { name, ours, nearest: nearestOf(ours), mesa: of('llvmpipe-softpipe') };
  });
  return formatMarkdownTable(agreementTable(read), (column) => column !== 0 && column !== 6);
}

function readComparison(record: CsvRecord): ImageComparison {
  const number = (figure: (typeof FIGURES)[number]) => Number(record[figure]);
  return {
    pixels: number('pixels'),
    differing: number('differing'),
    over1: number('over1'),
    over2: number('over2'),
    over8: number('over8'),
    over32: number('over32'),
    inside: number('inside'),
    largest: number('largest'),
    meanAbsolute: number('meanAbsolute'),
    psnrDb: record.psnrDb === '' ? null : number('psnrDb'),
  };
}

function agreementTable(results: readonly ReadAgreement[]): Table {
  return {
    head: [
      'capture',
      'differing',
      '>1',
      '>8',
      'inside',
      'PSNR',
      'nearest',
      'Mesa: differing',
      '>1',
      '>8',
      'PSNR',
    ],
    rows: results.map((result) => {
      const { name, mesa, nearest } = result;
      const ours = result.ours[nearest];
      return [
        name,
        ours.differing,
        ours.over1,
        ours.over8,
        ours.inside,
        formatPsnr(ours),
        nearest,
        mesa.differing,
        mesa.over1,
        mesa.over8,
        formatPsnr(mesa),
      ];
    }),
  };
}

/** Returns the table of the results file. Rejected captures have no rows. */
export function comparisonsTable(results: readonly (Agreement | Refusal)[]): KeyedTable {
  const rows: Cell[][] = [];
  for (const result of results) {
    if (!('ours' in result)) continue;
    const { name, ours, mesa } = result;
    const pairs = [
      ['tessera-llvmpipe', ours.llvmpipe],
      ['tessera-softpipe', ours.softpipe],
      ['llvmpipe-softpipe', mesa],
    ] as const;
    for (const [pair, comparison] of pairs) {
      const values = FIGURES.map((figure) => {
        const value = comparison[figure];
        if (value === null) return '';
        return Number.isInteger(value) ? value : value.toFixed(6);
      });
      rows.push([name, pair, ...values]);
    }
  }
  return { head: ['scene', 'pair', ...FIGURES], rows, keyColumns: 2 };
}

/**
 * Lists every requested timing with every number of chiplets. Each chiplet has its own render host.
 */
export function listWays(timing: string, chiplets: string): Way[] {
  const timings = TIMINGS.filter((name) => timing === 'both' || timing === name);
  if (timings.length === 0) throw new RenderError('REQUEST_INVALID', `timing: '${timing}'`);
  const counts = chiplets
    .split(',')
    .map((count) => integerOption('chiplets', count, 1, MAX_CHIPLETS));
  return counts.flatMap((count) => {
    const gpu = new LocalGpu({ chipletCount: count, hostCount: count });
    return timings.map((name) => ({ timing: name, chiplets: count, gpu }));
  });
}
