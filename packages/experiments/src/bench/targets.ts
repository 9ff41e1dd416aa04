/**
 * Targets of the benchmarks. Prints a line for each target that new results decide: met or missed.
 */
import type { BenchResult } from './bench-results.ts';

/** A target and the result that decides it. */
interface Target {
  /** Label in the output. */
  readonly what: string;
  /** Scene of the deciding result. */
  readonly scene: string;
  readonly quantity: string;
  readonly unit: string;
  /** Whether a larger value is better. */
  readonly isRate: boolean;
  /** Value that must be reached. */
  readonly required: number;
  /** Better value that is the goal. */
  readonly aim: number;
}

const MEAN = 'all captures';
const LARGEST = 'largest capture';

const TARGETS: readonly Target[] = [
  {
    what: 'functional, against softpipe',
    scene: MEAN,
    quantity: 'functional against softpipe',
    unit: '×',
    isRate: true,
    required: 12,
    aim: 25,
  },
  {
    what: 'functional, against llvmpipe',
    scene: MEAN,
    quantity: 'functional against llvmpipe',
    unit: '×',
    isRate: true,
    required: 0.5,
    aim: 1,
  },
  {
    what: 'cycle, against softpipe',
    scene: MEAN,
    quantity: 'with cycles against softpipe',
    unit: '×',
    isRate: true,
    required: 1,
    aim: 3,
  },
  {
    what: 'simulated cycles per CPU second',
    scene: MEAN,
    quantity: 'simulated cycles a CPU second',
    unit: 'M',
    isRate: true,
    required: 1.2,
    aim: 3,
  },
  {
    what: '100,352 triangles, 1280×720, functional',
    scene: 'terrain',
    quantity: 'functional: CPU',
    unit: 'ms',
    isRate: false,
    required: 100,
    aim: 45,
  },
  {
    what: '100,352 triangles, 1280×720, cycle',
    scene: 'terrain',
    quantity: 'cycle: CPU',
    unit: 'ms',
    isRate: false,
    required: 1200,
    aim: 500,
  },
  {
    what: '20 specifications of terrain, in frames',
    scene: 'terrain',
    quantity: 'together against one frame',
    unit: '×',
    isRate: false,
    required: 12,
    aim: 8,
  },
  {
    what: '4 coupled chiplets, replicated',
    scene: MEAN,
    quantity: 'replicated against isolated',
    unit: '×',
    isRate: false,
    required: 1.1,
    aim: 1,
  },
  {
    what: '4 coupled chiplets, interleaved',
    scene: MEAN,
    quantity: 'interleaved against isolated',
    unit: '×',
    isRate: false,
    required: 1.5,
    aim: 1.2,
  },
  {
    what: 'cost of the service per frame, coordinator',
    scene: 'terrain, functional',
    quantity: 'coordinator a frame, less import and encode in process',
    unit: 'ms',
    isRate: false,
    required: 40,
    aim: 15,
  },
  {
    what: '4 workers with coupled chiplets, wall',
    scene: 'terrain, cycle',
    quantity: '4 workers, coupled against isolated, wall',
    unit: '×',
    isRate: false,
    required: 1,
    aim: 0.9,
  },
  {
    what: '4 workers against 1 on two cores, wall',
    scene: 'terrain, cycle',
    quantity: '4 workers against 1, wall',
    unit: '×',
    isRate: true,
    required: 1.7,
    aim: 1.95,
  },
  {
    what: 'memory of a worker on the largest capture',
    scene: LARGEST,
    quantity: 'memory of a worker, most',
    unit: 'MB',
    isRate: false,
    required: 400,
    aim: 250,
  },
  {
    what: 'npm start until ready',
    scene: 'service',
    quantity: 'npm start to ready, wall',
    unit: 'ms',
    isRate: false,
    required: 3000,
    aim: 1000,
  },
  {
    what: 'memory of an idle worker',
    scene: 'idle',
    quantity: 'memory of a worker',
    unit: 'MB',
    isRate: false,
    required: 120,
    aim: 80,
  },
  {
    what: 'a help text of the command line, CPU',
    scene: 'command',
    quantity: 'help text, CPU',
    unit: 'ms',
    isRate: false,
    required: 300,
    aim: 100,
  },
];

/** Scene name of the geometric means over all captures. */
export const ALL_CAPTURES = MEAN;

/** Scene name of the capture with the largest file. */
export const LARGEST_CAPTURE = LARGEST;

/** Prints a line for each target that one of the results decides. */
export function printTargets(results: readonly BenchResult[]): void {
  process.stdout.write('\n');
  for (const { what, scene, quantity, unit, isRate, required, aim } of TARGETS) {
    const result = results.find((one) => one.scene === scene && one.quantity === quantity);
    if (result === undefined) continue;
    const { median } = result;
    const reaches = (limit: number) => (isRate ? median >= limit : median <= limit);
    const verdict = reaches(aim) ? 'aim met' : reaches(required) ? 'met' : 'NOT MET';
    const digits = median < 100 ? 2 : 0;
    process.stdout.write(
      `${verdict.padEnd(8)} ${what.padEnd(44)} ${median.toFixed(digits)} ${unit}, ` +
        `${isRate ? 'at least' : 'at most'} ${required}, aim ${aim}\n`,
    );
  }
}
