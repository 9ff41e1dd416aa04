/**
 * Targets of the benchmarks. Prints a line for each target that new results decide: met or missed.
 */
import type { BenchResult } from './bench-results.ts';

/** A target and the result that decides it. */
interface Bar {
  readonly what: string;
  /** Scene of the deciding result. */
  readonly scene: string;
  readonly quantity: string;
  readonly unit: string;
  /** Whether a larger value is better. */
  readonly isRate: boolean;
  readonly wanted: number;
  readonly aim: number;
}

const MEAN = 'all captures';
const LARGEST = 'largest capture';

const BARS: readonly Bar[] = [
  {
    ...{
      what: 'functional, against softpipe',
      scene: MEAN,
      quantity: 'functional against softpipe',
    },
    ...{ unit: '×', isRate: true, wanted: 12, aim: 25 },
  },
  {
    ...{
      what: 'functional, against llvmpipe',
      scene: MEAN,
      quantity: 'functional against llvmpipe',
    },
    ...{ unit: '×', isRate: true, wanted: 0.5, aim: 1 },
  },
  {
    ...{ what: 'with cycle statistics, against softpipe', scene: MEAN },
    ...{ quantity: 'with cycles against softpipe', unit: '×', isRate: true, wanted: 1, aim: 3 },
  },
  {
    ...{ what: 'simulated cycles per CPU second', scene: MEAN },
    ...{ quantity: 'simulated cycles a CPU second', unit: 'M', isRate: true, wanted: 1.2, aim: 3 },
  },
  {
    ...{ what: '100,352 triangles, 1280×720, functional', scene: 'terrain' },
    ...{ quantity: 'functional: CPU', unit: 'ms', isRate: false, wanted: 100, aim: 45 },
  },
  {
    ...{ what: 'the same with cycle statistics', scene: 'terrain' },
    ...{ quantity: 'cycle: CPU', unit: 'ms', isRate: false, wanted: 1200, aim: 500 },
  },
  {
    ...{ what: 'what the service adds to a frame, coordinator', scene: 'terrain, functional' },
    ...{
      quantity: 'coordinator a frame, less import and encode in process',
      unit: 'ms',
      isRate: false,
      wanted: 40,
      aim: 15,
    },
  },
  {
    ...{ what: '4 workers against 1 on two cores, wall', scene: 'terrain, cycle' },
    ...{ quantity: '4 workers against 1, wall', unit: '×', isRate: true, wanted: 1.7, aim: 1.95 },
  },
  {
    ...{ what: 'memory of a worker on the largest capture', scene: LARGEST },
    ...{ quantity: 'memory of a worker, most', unit: 'MB', isRate: false, wanted: 400, aim: 250 },
  },
  {
    ...{ what: 'npm start to ready', scene: 'service' },
    ...{ quantity: 'npm start to ready, wall', unit: 'ms', isRate: false, wanted: 3000, aim: 1000 },
  },
  {
    ...{ what: 'memory of an idle worker', scene: 'idle', quantity: 'memory of a worker' },
    ...{ unit: 'MB', isRate: false, wanted: 120, aim: 80 },
  },
];

/** Scene name of the geometric means over all captures. */
export const ALL_CAPTURES = MEAN;

/** Scene name of the capture with the largest file. */
export const LARGEST_CAPTURE = LARGEST;

/** Prints a line for each target that one of the results decides. */
export function printBars(results: readonly BenchResult[]): void {
  process.stdout.write('\n');
  for (const { what, scene, quantity, unit, isRate, wanted, aim } of BARS) {
    const result = results.find((one) => one.scene === scene && one.quantity === quantity);
    if (result === undefined) continue;
    const { median } = result;
    const reaches = (bar: number) => (isRate ? median >= bar : median <= bar);
    const verdict = reaches(aim) ? 'aim met' : reaches(wanted) ? 'met' : 'NOT MET';
    const digits = median < 100 ? 2 : 0;
    process.stdout.write(
      `${verdict.padEnd(8)} ${what.padEnd(44)} ${median.toFixed(digits)} ${unit}, ` +
        `${isRate ? 'at least' : 'at most'} ${wanted}, aim ${aim}\n`,
    );
  }
}
