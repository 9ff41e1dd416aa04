/** Options of `tessera sequence --sample`, and the text that it prints. */
import { RenderError } from '@tessera/frame';
import {
  SAMPLE_RANGES,
  type SampledSequenceOptions,
  type SampledSequenceReport,
} from '@tessera/local-gpu';
import { integerOption } from '../terminal/command-options.ts';
import { formatColumns } from '../terminal/text-columns.ts';

/** Options for `parseOptions`. */
export const SAMPLE_OPTIONS = {
  sample: { type: 'string' },
  figures: { type: 'string' },
  seed: { type: 'string' },
  images: { type: 'boolean' },
} as const;

interface SampleValues {
  readonly sample?: string | undefined;
  readonly figures?: string | undefined;
  readonly seed?: string | undefined;
  readonly images?: boolean | undefined;
  readonly timing: string;
  readonly timeline?: string | undefined;
  readonly 'in-flight'?: string | undefined;
  readonly 'timeline-cycles'?: string | undefined;
}

/**
 * Reads the options of a sample; returns null if none is requested.
 *
 * @throws {RenderError} REQUEST_INVALID, naming the option.
 */
export function readSampleOptions(
  values: SampleValues,
): Pick<SampledSequenceOptions, 'goal' | 'figures' | 'seed' | 'rendersAllFrames'> | null {
  const { sample, figures, seed, images, timing, timeline } = values;
  if (sample === undefined) {
    requireMissing({ figures, seed, images }, 'requires --sample');
    return null;
  }
  if (timing !== 'cycle') {
    throw new RenderError('REQUEST_INVALID', 'sample: requires --timing cycle');
  }
  const timelineCycles = values['timeline-cycles'];
  requireMissing(
    { timeline, 'in-flight': values['in-flight'], 'timeline-cycles': timelineCycles },
    'does not apply to --sample, which times frames alone',
  );
  return {
    goal: parseGoal(sample),
    figures: figures?.split(','),
    rendersAllFrames: images,
    seed:
      seed === undefined
        ? undefined
        : integerOption('seed', seed, SAMPLE_RANGES.seed.min, SAMPLE_RANGES.seed.max),
  };
}

/** Returns the text that describes a sample: its figures with intervals. */
export function describeSample(output: string, report: SampledSequenceReport): string {
  const { totals, strata, goal, seed } = report;
  const isCounter = (name: string) => name.includes('.') && !goal.figures.includes(name);
  const rows = report.figures
    .filter(({ name }) => !isCounter(name))
    .map(({ name, kind, estimate, halfWidth, halfWidthShare }) => [
      name,
      kind,
      formatFigure(estimate),
      `± ${formatFigure(halfWidth)}`,
      `${(100 * halfWidthShare).toFixed(2)} %`,
    ]);
  const confidence = `${Number((100 * goal.confidence).toFixed(3))} %`;
  return [
    `${output}: sampled: ${totals.sampledFrames} of ${totals.frames} frames were timed ` +
      `(${strata.length} strata, seed ${seed}); intervals of ${confidence}`,
    ...(goal.isMet ? [] : [`the goal was not met for ${goal.figures.join(', ')}`]),
    ...(totals.isExhaustive ? ['all frames were needed, so all figures are exact'] : []),
    formatColumns(rows),
  ].join('\n');
}

function parseGoal(text: string): SampledSequenceOptions['goal'] {
  const [, width, confidence] = /^(?:±|\+-)?(\d+(?:\.\d+)?)%@(\d+(?:\.\d+)?)%$/.exec(text) ?? [];
  if (width === undefined || confidence === undefined) {
    throw new RenderError(
      'REQUEST_INVALID',
      `sample: '${text}' is not a goal such as ±1%@95%: half the width of an interval, then its confidence`,
    );
  }
  return {
    halfWidthShare: readShare(width, 'half width', SAMPLE_RANGES.halfWidthShare),
    confidence: readShare(confidence, 'confidence', SAMPLE_RANGES.confidence),
  };
}

/** Reads a percentage whose range is given as a share. */
function readShare(text: string, part: string, { min, max }: { min: number; max: number }): number {
  const share = Number(text) / 100;
  if (share >= min && share <= max) return share;
  const range = `${Number((100 * min).toFixed(4))} % to ${Number((100 * max).toFixed(4))} %`;
  throw new RenderError('REQUEST_INVALID', `sample: the ${part} ${text} % is not in ${range}`);
}

function requireMissing(
  options: Readonly<Record<string, string | boolean | undefined>>,
  reason: string,
): void {
  for (const [name, value] of Object.entries(options)) {
    if (value !== undefined) throw new RenderError('REQUEST_INVALID', `${name}: ${reason}`);
  }
}

function formatFigure(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: Math.abs(value) < 100 ? 3 : 0 });
}
