/**
 * Suites that can be run: the npm package `gl-conformance` (Khronos 1.0.3 compiled to CommonJS),
 * and pages of a checkout of the Khronos repository. Neither is part of this repository.
 */
import type { CaseName, CaseReporter } from './verdict.ts';

/** Selection of a suite, in a form that can be sent to a worker process. */
export type SuiteChoice =
  | { readonly kind: 'npm' }
  | { readonly kind: 'pages'; readonly folder: string; readonly isWebGL2: boolean };

/** Context factory in the style of headless-gl. */
export type CreateContext = (width: number, height: number, attributes: object) => object | null;

/** Suite as seen by the worker process that runs its cases. */
export interface RunnableSuite {
  /**
   * Runs a case and resolves when it reports its end. The caller handles exceptions of the case.
   */
  run(testCase: CaseName, createContext: CreateContext, reporter: CaseReporter): Promise<void>;
}

/** Suite as seen by the process that distributes its cases. */
export interface ListedSuite {
  readonly title: string;
  readonly cases: readonly CaseName[];
  /** Number of cases that one process runs before it is replaced. */
  readonly casesPerProcess: number;
}
