/**
 * The suites that can be run: the npm package `gl-conformance` (Khronos 1.0.3 compiled to CommonJS), and pages of a
 * checkout of the Khronos repository. Nothing of either is part of this repository.
 */
import type { CaseName, CaseReporter } from './verdict.ts';

/** Which suite, in a form that goes to the process of a case. */
export type SuiteChoice =
  | { readonly kind: 'npm' }
  | { readonly kind: 'pages'; readonly folder: string; readonly isWebGL2: boolean };

/** `createContext(width, height, attributes)`, in the manner of headless-gl. */
export type CreateContext = (width: number, height: number, attributes: object) => object | null;

/** A suite as the process of its cases sees it. */
export interface RunnableSuite {
  /** Runs a case; settles when it says that it has ended. What it throws by itself is the caller's to report. */
  run(testCase: CaseName, createContext: CreateContext, reporter: CaseReporter): Promise<void>;
}

/** A suite as the process sees it that hands out its cases. */
export interface ListedSuite {
  readonly title: string;
  readonly cases: readonly CaseName[];
  /** Cases that one process runs before a fresh one takes over. */
  readonly casesPerProcess: number;
}
