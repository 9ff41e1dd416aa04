/**
 * Measured bins of scenes, for the coefficients of the cost model and for simulating any assignment
 * without rendering.
 */
import {
  BIN_COST_MODEL,
  BIN_COST_TERMS,
  DEFAULT_INTERCONNECT,
  fitBinCost,
  type InterconnectSpec,
} from '@tessera/multi-chiplet';
import type { CsvRecord, KeyedTable, Table } from '../../tables/csv.ts';
import {
  binPhase,
  meanOf,
  POLICIES,
  rowsWhere,
  simulateAlone,
  simulateSteady,
  simulationOf,
} from '../chiplets/chiplet-study.ts';
import { binsOf, type MeasuredScene } from './hold-out.ts';

/** Formats the coefficients that fit the scenes best, beside those in use. */
export function describeFit(scenes: readonly MeasuredScene[]): string {
  const model = fitBinCost(binsOf(scenes));
  const lines = BIN_COST_TERMS.map(
    (name) =>
      `${name.padEnd(30)}${model[name].toPrecision(4).padStart(12)}` +
      `${BIN_COST_MODEL[name].toPrecision(4).padStart(12)}`,
  );
  return `${'coefficient'.padEnd(30)}${'fitted'.padStart(12)}${'in use'.padStart(12)}\n${lines.join('\n')}\n`;
}

/**
 * Compares the policies on each scene, once chiplets hold the resources: the bin phase beside
 * max(total ÷ N, longest bin), and the speed-up of a sequence in steady state beside min(N, 1 ÷
 * serial fraction).
 */
export function compareAssignments(
  scenes: readonly MeasuredScene[],
  chiplets: number,
  interconnect: InterconnectSpec = DEFAULT_INTERCONNECT,
): KeyedTable {
  return {
    head: [
      'scene',
      'policy',
      'chiplets',
      'makespanCycles',
      'lowerBoundCycles',
      'speedUp',
      'speedUpBound',
    ],
    keyColumns: 3,
    rows: scenes.flatMap(({ scene, measurement }) =>
      POLICIES.map((policy) => {
        const { simulated } = simulateAlone(measurement, chiplets, { policy, interconnect });
        const { makespanCycles, lowerBoundCycles } = binPhase(simulated, chiplets);
        const simulation = simulationOf(chiplets, { policy, interconnect });
        const { speedUp, speedUpBound } = simulateSteady(measurement, simulation);
        const phase = [makespanCycles, lowerBoundCycles];
        return [scene, policy, chiplets, ...phase, speedUp.toFixed(4), speedUpBound.toFixed(4)];
      }),
    ),
  };
}

/**
 * Returns the means over the scenes by policy, and the scene farthest from the bound, from a
 * results file.
 */
export function summarizeAssignments(rows: readonly CsvRecord[]): Table {
  const excess = (row: CsvRecord) => Number(row.makespanCycles) / Number(row.lowerBoundCycles);
  const steady = (row: CsvRecord) => Number(row.speedUp) / Number(row.speedUpBound);
  return {
    head: ['policy', 'makespan', 'worst', 'its scene', 'steady', 'worst'],
    rows: POLICIES.map((policy) => {
      const own = rowsWhere(rows, { policy });
      const worst = own.reduce((most, row) => (excess(row) > excess(most) ? row : most));
      return [
        policy,
        meanOf(own, excess).toFixed(3),
        excess(worst).toFixed(3),
        worst.scene!,
        meanOf(own, steady).toFixed(3),
        Math.min(...own.map(steady)).toFixed(3),
      ];
    }),
  };
}
