/** Parameters that set the rates of units: how to make a unit twice as fast. */
import type { SpecSummary, TimedUnit } from '@tessera/frame';
import { SPEC_FIELDS } from './parameters.ts';

type FieldName = keyof typeof SPEC_FIELDS;

/** Parameters of the rate of a unit. */
interface UnitRate {
  /** Parameters that are rates or numbers of instances, which are doubled. */
  readonly doubled?: readonly FieldName[];
  /** Parameters that are times, which are halved. */
  readonly halved?: readonly FieldName[];
  /** Other units that become as much faster. */
  readonly others?: readonly TimedUnit[];
  /** Cycles for one item; by default, they are proportional to the parameters. */
  readonly itemCycles?: (parameters: Parameters) => number;
}

type Parameters = Readonly<Partial<Record<string, number | boolean | string>>>;

const CORNERS = 3;

/** Units whose rate parameters set; that of all others is fixed. */
const UNIT_RATES: Partial<Record<TimedUnit, UnitRate>> = {
  commandProcessor: { halved: ['streamDecoderIntervalCycles', 'drawStateCycles'] },
  vertexFetch: {
    doubled: ['vertexLookupsPerCycle'],
    itemCycles: ({ vertexLookupsPerCycle }) => Math.ceil(CORNERS / Number(vertexLookupsPerCycle)),
  },
  clipCull: { halved: ['clipPieceCycles'] },
  triangleSetup: { halved: ['setupIntervalCycles'] },
  earlyDepth: { doubled: ['depthQuadsPerCycle', 'hierarchicalDepthBlocksPerCycle'] },
  interpolator: { doubled: ['interpolatedComponentsPerCycle'] },
  // Twice as many cores need twice as many warps.
  shaderCore: {
    doubled: ['smCount', 'fragmentWarpWindow', 'vertexResultWarps'],
    others: ['textureUnit'],
  },
  textureUnit: { doubled: ['textureQuadsPerCycle', 'textureLinesPerCycle'] },
  outputMerger: { doubled: ['outputQuadsPerCycle'] },
  outputBus: { doubled: ['outputBusBytesPerCycle'] },
  l2Cache: { doubled: ['l2LinesPerCycle'] },
  dram: { doubled: ['dramChannels'] },
};

/** Least factor that counts as faster. */
const LEAST_FACTOR = 1.25;

/** Settings that make units faster. */
export interface FasterUnits {
  /** Values by parameter. */
  readonly settings: Readonly<Record<string, number>>;
  /** Factor by which they are faster: 2, or as near to it as whole numbers permit. */
  readonly factor: number;
}

/** Returns the units that the parameters of a unit make faster, the unit first. */
export function unitsFasterWith(unit: TimedUnit): readonly TimedUnit[] {
  return [unit, ...(UNIT_RATES[unit]?.others ?? [])];
}

/**
 * Returns the settings that make a unit twice as fast.
 *
 * @returns Null if no parameter sets the rate of the unit, or if one is at the end of its range.
 */
export function makeTwiceAsFast(
  { parameters }: Pick<SpecSummary, 'parameters'>,
  unit: TimedUnit,
): FasterUnits | null {
  const { doubled = [], halved = [], itemCycles } = UNIT_RATES[unit] ?? {};
  const changes = [
    ...doubled.map((name) => [name, 2 * Number(parameters[name]), 2] as const),
    ...halved.map((name) => {
      const before = Number(parameters[name]);
      const after = Math.ceil(before / 2);
      return [name, after, before / after] as const;
    }),
  ];
  if (changes.length === 0) return null;
  const isInRange = changes.every(([name, value]) => value <= SPEC_FIELDS[name].max);
  const settings = Object.fromEntries(changes.map(([name, value]) => [name, value]));
  const factor =
    itemCycles === undefined
      ? Math.min(...changes.map(([, , each]) => each))
      : itemCycles(parameters) / itemCycles({ ...parameters, ...settings });
  return isInRange && factor >= LEAST_FACTOR ? { settings, factor } : null;
}
