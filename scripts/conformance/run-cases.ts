/**
 * Hands cases out to processes: each runs some, then a fresh one takes over, so that what a case leaves behind
 * does not reach far. A process that dies or does not answer in time is a verdict, and the next one goes on.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { WorkerArguments } from './case-worker.ts';
import type { CaseName, Verdict } from './verdict.ts';

export interface RunOptions extends WorkerArguments {
  readonly cases: readonly CaseName[];
  readonly casesPerProcess: number;
  /** Processes at work at once. */
  readonly jobs: number;
  /** Wall time a case may take. */
  readonly timeoutMs: number;
  readonly onVerdict?: (verdict: Verdict) => void;
}

const WORKER = fileURLToPath(new URL('./case-worker.ts', import.meta.url));
const START_TIMEOUT_MS = 120_000;
/** Most of what a short page costs is to compile this repository, which is done once. */
const COMPILE_CACHE = join(tmpdir(), 'tessera-conformance');

/** Verdicts in the order of the cases. @throws {Error} If a process cannot even start. */
export async function runCases(options: RunOptions): Promise<Verdict[]> {
  const verdicts = new Map<CaseName, Verdict>();
  let next = 0;
  const takeCase = (): CaseName | undefined => options.cases[next++];
  const workAll = async (): Promise<void> => {
    for (let first = takeCase(); first !== undefined; first = takeCase()) {
      const worker = await CaseProcess.start(options);
      let testCase: CaseName | undefined = first;
      for (let count = 1; testCase !== undefined; count++) {
        const verdict = await worker.run(testCase, options.timeoutMs);
        verdicts.set(testCase, verdict);
        options.onVerdict?.(verdict);
        const isSpent = count >= options.casesPerProcess || worker.isGone;
        testCase = isSpent ? undefined : takeCase();
      }
      worker.stop();
    }
  };
  await Promise.all(Array.from({ length: options.jobs }, workAll));
  return options.cases.map((testCase) => verdicts.get(testCase)!);
}

class CaseProcess {
  readonly #child: ChildProcess;
  isGone = false;

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.once('exit', () => {
      this.isGone = true;
    });
  }

  static async start({ suite, context, isVerbose }: WorkerArguments): Promise<CaseProcess> {
    const argument: WorkerArguments = { suite, context, isVerbose };
    const child = fork(WORKER, [JSON.stringify(argument)], {
      execArgv: [],
      env: { NODE_COMPILE_CACHE: COMPILE_CACHE, ...process.env },
      stdio: ['ignore', isVerbose ? 'inherit' : 'ignore', 'pipe', 'ipc'],
    });
    let complaint = '';
    child.stderr!.on('data', (text: Buffer) => {
      complaint = (complaint + text.toString()).slice(-2000);
    });
    const worker = new CaseProcess(child);
    const answer = await worker.#answer(START_TIMEOUT_MS);
    if (answer !== 'ready') {
      worker.stop();
      throw new Error(`the process of cases did not start: ${complaint || String(answer)}`);
    }
    return worker;
  }

  async run(testCase: CaseName, timeoutMs: number): Promise<Verdict> {
    if (!this.isGone) this.#child.send(testCase);
    const answer = await this.#answer(timeoutMs);
    if (typeof answer === 'object') return answer as Verdict;
    this.stop();
    const isLate = answer === 'late';
    const message = isLate ? `no end after ${timeoutMs / 1000} s` : `its process ended: ${answer}`;
    const outcome = isLate ? 'timeout' : 'crash';
    return { ...testCase, outcome, assertions: 0, failed: 0, messages: [message], cpuMs: null };
  }

  stop(): void {
    this.isGone = true;
    this.#child.kill('SIGKILL');
  }

  /** A message of the process, `late`, or how it ended. */
  #answer(timeoutMs: number): Promise<unknown> {
    return new Promise((resolve) => {
      const settle = (answer: unknown): void => {
        clearTimeout(timer);
        this.#child.off('message', settle);
        this.#child.off('exit', noteExit);
        resolve(answer);
      };
      const noteExit = (code: number | null, signal: string | null): void =>
        settle(signal ?? `status ${code}`);
      const timer = setTimeout(() => settle('late'), timeoutMs);
      this.#child.on('message', settle);
      this.#child.on('exit', noteExit);
      if (this.isGone) settle('gone');
    });
  }
}
