/** Causes of the time of a frame, for its report. */
import type { CausesReport } from '@tessera/frame';
import { findCriticalPath, sumSteps } from '../causes/critical-path.ts';
import { type ExplainedReport, explainCauses } from '../causes/explain-causes.ts';
import { findBounds } from '../causes/find-bounds.ts';
import { FrameRuns } from '../causes/frame-runs.ts';
import { findIdleReasons } from '../causes/idle-reasons.ts';
import { FramePredictor } from '../causes/predict-cycles.ts';
import { measureLoads } from '../causes/run-loads.ts';
import type { ReportInput } from './make-report.ts';

/**
 * Returns the causes of a frame with cycle timing.
 *
 * @param parts Parts of its report that the explanation names.
 */
export function reportCauses(
  input: ReportInput,
  parts: Omit<ExplainedReport, 'causes'>,
): CausesReport {
  const { measurement, simulated, simulation, passes, spec, interconnect } = input;
  const frame = simulated.frames[0]!;
  const runs = new FrameRuns(simulated, input.chipletCount);
  const path = findCriticalPath(measurement, frame, runs);
  const loads = measureLoads(passes, measurement, simulated, runs, spec);
  const predictor = new FramePredictor({
    measurement,
    simulated,
    options: simulation,
    runs,
    loads,
  });
  const linkCycles = simulated.channels.reduce(
    (most, { busyCycles }) => Math.max(most, busyCycles),
    0,
  );
  const cycles = frame.endCycle;
  const causes = {
    criticalPath: sumSteps(path),
    idle: findIdleReasons(frame, runs),
    bounds: findBounds({ path, loads, predictor, spec, interconnect, cycles, linkCycles }),
  };
  return { ...causes, explanation: explainCauses({ ...parts, causes }) };
}
