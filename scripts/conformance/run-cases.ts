/**
 * Distributes cases to worker processes. A process is replaced after a number of cases, to limit
 * the effect of state that a case leaves behind. A process that crashes or exceeds the timeout
 * results in a verdict, and the run continues with a new process.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CaseName } from './verdict.ts';

/** Cases to run, and limits of the run. */
export interface RunOptions<Case extends CaseName, Result extends object> {
  /** Module of the worker process, which answers each case with a result. */
  readonly worker: URL;
  /** Argument of the worker process, as JSON. */
  readonly argument: object;
  readonly isVerbose: boolean;
  readonly cases: readonly Case[];
  readonly casesPerProcess: number;
  /** Number of concurrent processes. */
  readonly jobs: number;
  /** Wall time limit of a case. */
  readonly timeoutMs: number;
  /** Result of a case whose process ended or that took too long. */
  readonly lose: (testCase: Case, outcome: 'timeout' | 'crash', message: string) => Result;
  readonly onResult?: (result: Result) => void;
}

const START_TIMEOUT_MS = 120_000;
/**
 * Compile cache shared by the processes. Most of the cost of a short page is compiling this
 * repository.
 */
const COMPILE_CACHE = join(tmpdir(), 'tessera-conformance');

/**
 * Runs all cases and returns the results in their order.
 *
 * @throws {Error} If a process cannot start.
 */
export async function runCases<Case extends CaseName, Result extends object>(
  options: RunOptions<Case, Result>,
): Promise<Result[]> {
  const results = new Map<Case, Result>();
  let next = 0;
  const takeCase = (): Case | undefined => options.cases[next++];
  const runWorker = async (): Promise<void> => {
    for (let first = takeCase(); first !== undefined; first = takeCase()) {
      const worker = await CaseProcess.start(options);
      let testCase: Case | undefined = first;
      for (let count = 1; testCase !== undefined; count++) {
        const result = await worker.run(testCase, options);
        results.set(testCase, result);
        options.onResult?.(result);
        const isSpent = count >= options.casesPerProcess || worker.isGone;
        testCase = isSpent ? undefined : takeCase();
      }
      worker.stop();
    }
  };
  await Promise.all(Array.from({ length: options.jobs }, runWorker));
  return options.cases.map((testCase) => results.get(testCase)!);
}

type StartOptions = Pick<RunOptions<CaseName, object>, 'worker' | 'argument' | 'isVerbose'>;

class CaseProcess {
  readonly #child: ChildProcess;
  isGone = false;

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.once('exit', () => {
      this.isGone = true;
    });
  }

  static async start({ worker: module, argument, isVerbose }: StartOptions): Promise<CaseProcess> {
    const child = fork(fileURLToPath(module), [JSON.stringify(argument)], {
      execArgv: [],
      env: { NODE_COMPILE_CACHE: COMPILE_CACHE, ...process.env },
      stdio: ['ignore', isVerbose ? 'inherit' : 'ignore', 'pipe', 'ipc'],
    });
    let errorText = '';
    child.stderr!.on('data', (text: Buffer) => {
      errorText = (errorText + text.toString()).slice(-2000);
    });
    const worker = new CaseProcess(child);
    const answer = await worker.#answer(START_TIMEOUT_MS);
    if (answer !== 'ready') {
      worker.stop();
      throw new Error(`the worker process did not start: ${errorText || String(answer)}`);
    }
    return worker;
  }

  async run<Case extends CaseName, Result extends object>(
    testCase: Case,
    { timeoutMs, lose }: RunOptions<Case, Result>,
  ): Promise<Result> {
    if (!this.isGone) this.#child.send(testCase);
    const answer = await this.#answer(timeoutMs);
    if (typeof answer === 'object') return answer as Result;
    this.stop();
    const isLate = answer === 'late';
    const message = isLate
      ? `timeout after ${timeoutMs / 1000} s`
      : `the worker process ended: ${answer}`;
    return lose(testCase, isLate ? 'timeout' : 'crash', message);
  }

  stop(): void {
    this.isGone = true;
    this.#child.kill('SIGKILL');
  }

  /** Resolves to a message of the process, `late`, or the reason why the process ended. */
  #answer(timeoutMs: number): Promise<unknown> {
    return new Promise((resolve) => {
      const finish = (answer: unknown): void => {
        clearTimeout(timer);
        this.#child.off('message', finish);
        this.#child.off('exit', noteExit);
        resolve(answer);
      };
      const noteExit = (code: number | null, signal: string | null): void =>
        finish(signal ?? `status ${code}`);
      const timer = setTimeout(() => finish('late'), timeoutMs);
      this.#child.on('message', finish);
      this.#child.on('exit', noteExit);
      if (this.isGone) finish('gone');
    });
  }
}
