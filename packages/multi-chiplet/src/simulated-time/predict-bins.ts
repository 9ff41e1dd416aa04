/** Predicted costs of the bins of a pass. */
import type { BinHistory } from '../bin-assignment/bin-history.ts';
import type { PolicyEntry } from '../bin-assignment/policies.ts';
import type { PassState } from './simulation-state.ts';

/** Sets the predicted cycles of a pass's bins and the source of the prediction. */
export function predictBins(pass: PassState, policy: PolicyEntry, history: BinHistory): void {
  const { bins, historyKey } = pass.measurement;
  let known = 0;
  pass.predictedCycles = bins.map(({ estimatedCycles }, binIndex) => {
    if (policy.prediction !== 'history') return estimatedCycles;
    const cycles = history.predict(historyKey, binIndex);
    if (cycles !== undefined) known++;
    return cycles ?? estimatedCycles;
  });
  pass.prediction = policy.prediction;
  if (pass.prediction === 'history' && known < bins.length) {
    pass.prediction = known === 0 ? 'estimate' : 'mixed';
  }
}
