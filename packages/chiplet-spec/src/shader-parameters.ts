/** Parameters of shader cores, which are part of the table in chiplet-spec.ts. */

/** Classes of instructions with a timing of their own; see LATENCY_CLASSES of packages/shader. */
const CLASSES = {
  alu: 'an addition, multiplication, comparison or conversion',
  division: 'a floating-point division',
  special: 'a square root, exponential, logarithm, sine or cosine',
  integerDivision: 'an integer quotient or remainder',
  interpolation: 'an instruction that reads a varying, a built-in input or an attribute',
  constantLoad: 'a load from the constant bank at a dynamic index',
  arrayAccess: 'an access to private memory',
  output: 'an instruction that writes an output',
  control: 'a branch or another change of the execution mask',
} as const;

/** Name of a class with a timing. */
export type TimedClass = keyof typeof CLASSES;

/** Names of the classes with a timing. */
export const TIMED_CLASSES = Object.keys(CLASSES) as TimedClass[];

type TimingField = `${TimedClass}IssueCycles` | `${TimedClass}LatencyCycles`;
/** Range and meaning of a parameter in cycles. */
export interface CyclesInfo {
  readonly unit: 'cycles';
  readonly min: number;
  readonly max: number;
  readonly meaning: string;
}

/** Fields of the timings of instructions. */
const TIMING_FIELDS = Object.fromEntries(
  Object.entries(CLASSES).flatMap(([name, what]): [string, CyclesInfo][] => [
    [
      `${name}IssueCycles`,
      {
        unit: 'cycles',
        min: 1,
        max: 64,
        meaning: `time for which ${what} occupies the issue port of its core`,
      },
    ],
    [
      `${name}LatencyCycles`,
      {
        unit: 'cycles',
        min: 1,
        max: 1000,
        meaning: `time from the issue of ${what} to that of an instruction that needs its result`,
      },
    ],
  ]),
) as Record<TimingField, CyclesInfo>; // The keys are built from the same names.

/** Integer fields of shader cores. */
export const SHADER_SPEC_FIELDS = {
  ...TIMING_FIELDS,
  registerFileBytes: {
    unit: 'bytes',
    min: 4096,
    max: 2 ** 24,
    meaning:
      'size of the registers of a shader core; a warp waits in its slot until its registers are free',
  },
  instructionCacheBytes: {
    unit: 'bytes',
    min: 1024,
    max: 2 ** 22,
    meaning:
      'size of the instruction cache of a shader core, which holds whole programs; the last one always fits',
  },
  constantCacheBytes: {
    unit: 'bytes',
    min: 0,
    max: 2 ** 22,
    meaning:
      'size of the constant cache of a shader core, which holds all constants of a draw; the last ones always fit; 0 if constants arrive with the state of the draw',
  },
} as const;
