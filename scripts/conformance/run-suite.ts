/** Runs the cases of a WebGL suite in worker processes. */
import type { WorkerArguments } from './case-worker.ts';
import { type RunOptions, runCases } from './run-cases.ts';
import type { CaseName, Verdict } from './verdict.ts';

/** Cases of a suite to run, and limits of the run. */
type SuiteRun = WorkerArguments &
  Omit<RunOptions<CaseName, Verdict>, 'worker' | 'argument' | 'lose'>;

/**
 * Runs all cases and returns the verdicts in their order.
 *
 * @throws {Error} If a process cannot start.
 */
export function runSuite({ suite, context, ...limits }: SuiteRun): Promise<Verdict[]> {
  const argument: WorkerArguments = { suite, context, isVerbose: limits.isVerbose };
  return runCases<CaseName, Verdict>({
    ...limits,
    worker: new URL('./case-worker.ts', import.meta.url),
    argument,
    lose: (testCase, outcome, message) => ({
      ...testCase,
      outcome,
      assertions: 0,
      failed: 0,
      messages: [message],
      missing: [],
      cpuMs: null,
    }),
  });
}
