/** Energy of a row: of a frame on a number of chiplets, from the counters of its simulation. */
import { accountEnergy, type EnergyOptions, laneInstructionsOf } from '@tessera/energy';
import type { ChannelReport, Counters, SpecSummary } from '@tessera/frame';

/** Energy, power and energy × delay of a frame; see ENERGY_COLUMNS for meanings. */
export interface RowEnergy {
  readonly energyLowPj: number;
  readonly energyTypicalPj: number;
  readonly energyHighPj: number;
  readonly powerLowMw: number;
  readonly powerTypicalMw: number;
  readonly powerHighMw: number;
  readonly energyDelayLowPjS: number;
  readonly energyDelayTypicalPjS: number;
  readonly energyDelayHighPjS: number;
}

/** Frame of a row as the simulation gives it. */
export interface RowSimulation {
  readonly spec: Pick<SpecSummary, 'clockHz' | 'parameters'>;
  readonly cycles: number;
  readonly chipletCount: number;
  /** Counters, summed over the chiplets. */
  readonly counters: Counters;
  readonly channels: readonly Pick<ChannelReport, 'channel' | 'bytes'>[];
}

/**
 * Returns the energy of a row. It is that of the frame's report but for rounding: a report rounds
 * each event of each run to a picojoule, a row each event of the frame.
 */
export function rowEnergy(
  { spec, cycles, chipletCount, counters, channels }: RowSimulation,
  options: EnergyOptions,
): RowEnergy {
  const [laneInstructions = 0] = laneInstructionsOf([counters], spec);
  const { total, averagePower } = accountEnergy({
    ...{ spec, cycles, chipletCount, channels, options, passCount: 0, bins: [] },
    runs: [{ chipletId: 0, passIndex: null, binIndex: null, counters, laneInstructions }],
  });
  const { lowPj, typicalPj, highPj } = total.total;
  const delay = (pj: number) => rounded((pj * cycles) / spec.clockHz);
  return {
    energyLowPj: lowPj,
    energyTypicalPj: typicalPj,
    energyHighPj: highPj,
    powerLowMw: rounded(averagePower.lowMw),
    powerTypicalMw: rounded(averagePower.typicalMw),
    powerHighMw: rounded(averagePower.highMw),
    energyDelayLowPjS: delay(lowPj),
    energyDelayTypicalPjS: delay(typicalPj),
    energyDelayHighPjS: delay(highPj),
  };
}

/** Rounds to six digits, which are more than the energies have. */
function rounded(value: number): number {
  return Number(value.toPrecision(6));
}
