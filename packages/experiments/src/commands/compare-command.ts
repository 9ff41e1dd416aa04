/**
 * `tessera compare A reference.png`: compares two images and writes two images of the difference.
 */
import { writeFile } from 'node:fs/promises';
import { type Image, MAX_CHIPLETS, RenderError } from '@tessera/frame';
import { encodePng } from '@tessera/frame/png';
import { LocalGpu } from '@tessera/local-gpu';
import { decodeImageFile, isImageFile } from '../images/decode-image-file.ts';
import { compareImages, type ImageComparison, subtractImages } from '../images/image-comparison.ts';
import { benchmarkSceneOf } from '../inputs/benchmark-scene.ts';
import { isCapture } from '../inputs/read-capture.ts';
import { type ReadFrameOptions, readFrame, readInput } from '../inputs/read-frame.ts';
import {
  integerOption,
  numberOption,
  parseOptions,
  pixelsOption,
} from '../terminal/command-options.ts';
import { printJson, printNote, printText } from '../terminal/terminal-output.ts';
import { MODEL_LOOK_OPTIONS, readCaptureFrame, readModelLookOptions } from './frame-file.ts';

const COUNTS = ['differing', 'over1', 'over2', 'over8', 'over32', 'inside'] as const;
type Count = (typeof COUNTS)[number];

const COUNT_TITLES: Readonly<Record<Count, string>> = {
  differing: 'differing pixels',
  over1: '  by more than 1',
  over2: '  by more than 2',
  over8: '  by more than 8',
  over32: '  by more than 32',
  inside: '  inside shapes',
};

/** Limits on the differences between two images. Differences without a limit are not checked. */
export interface ComparisonGates {
  /** Upper bounds on the pixels of each kind. */
  readonly most?: Partial<Readonly<Record<Count, number>>>;
  readonly mostLargest?: number | undefined;
  readonly leastPsnrDb?: number | undefined;
}

/**
 * Runs the command. An exceeded limit sets the exit status to 1.
 *
 * @throws {RenderError} On bad options, unreadable files, or images of different sizes.
 */
export async function runCompareCommand(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseOptions(args, {
    output: { type: 'string', short: 'o', default: 'difference' },
    json: { type: 'boolean', default: false },
    frame: { type: 'string' },
    call: { type: 'string' },
    chiplets: { type: 'string', default: '4' },
    ...MODEL_LOOK_OPTIONS,
    'max-differing': { type: 'string' },
    'max-over1': { type: 'string' },
    'max-over2': { type: 'string' },
    'max-over8': { type: 'string' },
    'max-over32': { type: 'string' },
    'max-inside': { type: 'string' },
    'max-largest': { type: 'string' },
    'min-psnr': { type: 'string' },
  });
  const [path, referencePath] = positionals;
  if (path === undefined || referencePath === undefined || positionals.length > 2) {
    throw new RenderError('REQUEST_INVALID', 'give an image, capture or model, and a reference');
  }
  const chiplets = integerOption('chiplets', values.chiplets, 1, MAX_CHIPLETS);
  const captureFrame = readCaptureFrame(values);
  const reference = decodeImageFile(await readInput(referencePath), referencePath);
  const pixels = reference.widthPx * reference.heightPx;
  const most: Partial<Record<Count, number>> = {};
  for (const count of COUNTS) {
    const name = `max-${count}` as const;
    const text = values[name];
    if (text !== undefined) most[count] = pixelsOption(name, text, pixels);
  }
  const gates: ComparisonGates = {
    most,
    mostLargest:
      values['max-largest'] === undefined
        ? undefined
        : integerOption('max-largest', values['max-largest'], 0, 255),
    leastPsnrDb:
      values['min-psnr'] === undefined ? undefined : numberOption('min-psnr', values['min-psnr']),
  };

  const image = await readOrRender(
    path,
    reference,
    { ...readModelLookOptions(values), captureFrame },
    chiplets,
  );
  const comparison = compareImages(image, reference);
  const { positive, negative } = subtractImages(image, reference);
  const imagePaths = [`${values.output}-positive.png`, `${values.output}-negative.png`];
  await writeFile(imagePaths[0]!, await encodePng(positive));
  await writeFile(imagePaths[1]!, await encodePng(negative));
  const broken = listBrokenGates(comparison, gates);
  if (values.json) printJson({ ...comparison, pictures: imagePaths, broken });
  else
    printText(
      `${path} against ${referencePath}, ${image.widthPx}×${image.heightPx}\n` +
        `${describeComparison(comparison)}${imagePaths.join(', ')}\n`,
    );
  for (const line of broken) printNote(`limit exceeded: ${line}\n`);
  if (broken.length > 0) process.exitCode = 1;
}

/** Returns one line for each exceeded limit. */
export function listBrokenGates(comparison: ImageComparison, gates: ComparisonGates): string[] {
  const broken = COUNTS.filter(
    (count) => comparison[count] > (gates.most?.[count] ?? Infinity),
  ).map((count) => `${count}: ${comparison[count]} pixels, at most ${gates.most?.[count]}`);
  const { mostLargest = 255, leastPsnrDb = -Infinity } = gates;
  const { largest, psnrDb } = comparison;
  if (largest > mostLargest) broken.push(`largest: ${largest}, at most ${mostLargest}`);
  if (psnrDb !== null && psnrDb < leastPsnrDb) {
    broken.push(`psnr: ${psnrDb.toFixed(2)} dB, at least ${leastPsnrDb}`);
  }
  return broken;
}

function describeComparison(comparison: ImageComparison): string {
  const { pixels, largest, meanAbsolute, psnrDb } = comparison;
  const counts = COUNTS.map((count) => {
    const share = ((100 * comparison[count]) / pixels).toFixed(4);
    return `${COUNT_TITLES[count].padEnd(20)}${String(comparison[count]).padStart(9)} ${share.padStart(9)} %\n`;
  });
  return [
    ...counts,
    `${'largest difference'.padEnd(20)}${String(largest).padStart(9)}\n`,
    `${'mean difference'.padEnd(20)}${meanAbsolute.toFixed(6).padStart(9)}\n`,
    `${'PSNR'.padEnd(20)}${(psnrDb === null ? 'equal' : psnrDb.toFixed(2)).padStart(9)}${psnrDb === null ? '' : ' dB'}\n`,
  ].join('');
}

/**
 * Reads an image, or renders a capture, model or generated scene. The last two get the size of the
 * reference.
 */
async function readOrRender(
  path: string,
  { widthPx, heightPx }: Image,
  options: ReadFrameOptions,
  chiplets: number,
): Promise<Image> {
  let size = {};
  if (!(await isCapture(path))) {
    const bytes = benchmarkSceneOf(path) === null ? await readInput(path) : null;
    if (bytes !== null && isImageFile(bytes)) return decodeImageFile(bytes, path);
    size = { widthPx, heightPx };
  }
  const gpu = new LocalGpu({ chipletCount: chiplets });
  const { frame, warnings } = await readFrame(path, { ...options, ...size }, gpu.programs);
  for (const warning of warnings) printNote(`warning: ${warning}\n`);
  const { image } = await gpu.render(frame);
  return image;
}
