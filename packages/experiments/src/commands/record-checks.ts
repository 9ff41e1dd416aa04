/** Checks of recorded frames: a reference image, and budgets of the report's figures. */
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Image, RenderError, type Report } from '@tessera/frame';
import { encodePng } from '@tessera/frame/png';
import { decodeImageFile } from '../images/decode-image-file.ts';
import { showDifference } from '../images/image-comparison.ts';
import { checkAgainstReference, type ReferenceImage } from '../images/reference-image.ts';
import { readInput } from '../inputs/read-frame.ts';
import { readFigures, splitLimits } from '../reports/report-figures.ts';
import { numberOption, pixelsOption } from '../terminal/command-options.ts';

/** Options for `parseOptions`. */
export const CHECK_OPTIONS = {
  expect: { type: 'string' },
  'max-over8': { type: 'string' },
  budget: { type: 'string', multiple: true },
} as const;

/** Result of one check. */
export interface CheckResult {
  readonly isMet: boolean;
  /** File, measured value and limit, on one line. */
  readonly text: string;
}

/** Files of a recorded frame, and what they contain. */
export interface RecordedFrame {
  readonly index: number;
  readonly imagePath: string;
  readonly image: Image;
  readonly report: Report;
}

interface Reference extends ReferenceImage {
  /** Upper bound on the pixels that differ by more than 8 of 255. */
  readonly mostOver8: number;
}

/** Place of the frame's number in the name of a reference. */
const FRAME_PLACE = '{frame}';

/** Checks of the frames of one run. */
export class RecordChecks {
  readonly #references: ReadonlyMap<number, Reference>;
  readonly #budgets: readonly (readonly [name: string, most: number])[];

  private constructor(
    references: ReadonlyMap<number, Reference>,
    budgets: readonly (readonly [string, number])[],
  ) {
    this.#references = references;
    this.#budgets = budgets;
  }

  /**
   * Reads the options and the reference images, before anything is rendered.
   *
   * @param outputPaths Images that the run writes, by frame.
   * @throws {RenderError} REQUEST_INVALID, naming the option; or an image that cannot be decoded.
   */
  static async read(
    values: {
      readonly expect?: string | undefined;
      readonly 'max-over8'?: string | undefined;
      readonly budget?: readonly string[] | undefined;
    },
    outputPaths: readonly string[],
  ): Promise<RecordChecks> {
    const { expect, 'max-over8': mostText, budget = [] } = values;
    const budgets = splitLimits('budget', budget).map(
      ([name, text]) => [name, numberOption(`budget ${name}`, text)] as const,
    );
    const references = new Map<number, Reference>();
    if (expect === undefined) {
      if (mostText === undefined) return new RecordChecks(references, budgets);
      throw new RenderError('REQUEST_INVALID', 'max-over8: applies only with --expect');
    }
    const last = outputPaths.length - 1;
    const indices = expect.includes(FRAME_PLACE) ? outputPaths.keys() : [last];
    for (const index of indices) {
      const path = expect.replace(FRAME_PLACE, String(index).padStart(4, '0'));
      if (outputPaths.some((output) => resolve(output) === resolve(path))) {
        const message = `expect: ${path} is also the output; give another name with -o`;
        throw new RenderError('REQUEST_INVALID', message);
      }
      const image = decodeImageFile(await readInput(path), path);
      const pixels = image.widthPx * image.heightPx;
      references.set(index, {
        path,
        image,
        mostOver8: pixelsOption('max-over8', mostText ?? '0', pixels),
      });
    }
    return new RecordChecks(references, budgets);
  }

  /**
   * Checks a frame. Writes the difference from its reference beside its image.
   *
   * @throws {RenderError} REQUEST_INVALID for a budget of a figure that the report does not have.
   */
  async check(frame: RecordedFrame): Promise<CheckResult[]> {
    const reference = this.#references.get(frame.index);
    const results = reference === undefined ? [] : [await compareFrame(frame, reference)];
    const figures = readFigures(frame.report);
    for (const [name, most] of this.#budgets) {
      const value = figures.get(name) ?? null;
      if (value === null) {
        const message = `budget: ${name} has no value with --timing ${frame.report.timing}`;
        throw new RenderError('REQUEST_INVALID', message);
      }
      const text = `${frame.imagePath}: ${name} ${value}, at most ${most}`;
      results.push({ isMet: value <= most, text });
    }
    return results;
  }
}

async function compareFrame(
  { image, imagePath }: RecordedFrame,
  reference: Reference,
): Promise<CheckResult> {
  const { isMet, hasSize, text } = checkAgainstReference(image, reference, reference.mostOver8);
  if (!hasSize) return { isMet, text: `${imagePath}: ${text}` };
  const differencePath = imagePath.replace(/(\.[^./]*)?$/, '-difference.png');
  await writeFile(differencePath, await encodePng(showDifference(image, reference.image)));
  return { isMet, text: `${imagePath}: ${text}; see ${differencePath}` };
}
