/** Energy of a frame with other technologies, from its report. */
import type { EnergyReport, Report } from '@tessera/frame';
import { accountEnergy } from './account-energy.ts';
import type { EnergyOptions } from './energy-options.ts';
import { laneInstructionsOf } from './lane-instructions.ts';

/**
 * Returns the energy of a reported frame with technologies. Counts of passes and bins are not in a
 * report, so all energies of chiplets are `notByPass` and `notByBin`.
 *
 * @throws {Error} If the report has no energy.
 */
export function energyOfReport(report: Report, options: EnergyOptions): EnergyReport {
  const { energy, totals, spec, chiplets, link } = report;
  if (energy === null || totals.cycles === null) throw new Error('energy: the report has none');
  const laneInstructions = laneInstructionsOf(
    chiplets.map(({ counters }) => counters),
    spec,
  );
  return accountEnergy({
    spec,
    cycles: totals.cycles,
    chipletCount: chiplets.length,
    passCount: 0,
    bins: [],
    runs: chiplets.map(({ id, counters }, i) => ({
      ...{ chipletId: id, passIndex: null, binIndex: null, counters },
      laneInstructions: laneInstructions[i]!,
    })),
    channels: link.channels,
    options,
  });
}
