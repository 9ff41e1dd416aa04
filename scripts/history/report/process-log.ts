/** Reads from the log of the processes when one ends, and which bugs it reports. */
import type { Recorder } from '../record/recorder.ts';

const LINE = /^(?<name>[\w-]+(?: \d+)?): (?<text>.*)$/s;
/**
 * Ends that the run causes itself. A process that was asked to stop exits with status 1 if frames
 * and last answers need too long. A process with an uncaught error does so too, but writes a stack.
 */
const CAUSED_END = /^died \((SIGKILL|SIGTERM|exit status [01])\)/;
const BUG = /because of a bug|uncaught|unhandled|event loop stalled|DETERMINISM_VIOLATED/i;
/** Lines of a stack, which only an uncaught error writes outside of JSON. */
const STACK = /^\s+at /;

/** Log of all processes of a run. */
export class ProcessLog {
  readonly #onLine: (line: string) => void;
  #recorder: Recorder | null = null;

  /** @param onLine Receives lines about ends that the run did not cause, and about bugs. */
  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  /** Records events of processes from now on. */
  recordTo(recorder: Recorder): void {
    this.#recorder = recorder;
  }

  /** Reads a line, which begins with the name of its process. */
  add(line: string): void {
    const { name, text } = LINE.exec(line)?.groups ?? {};
    if (name === undefined || text === undefined) return;
    const isEnd = text.startsWith('died (');
    if (isEnd) this.#recorder?.noteProcess(name, 'ended', text);
    // Cells print the stacks of warnings too.
    const isStack = STACK.test(text) && !name.startsWith('cell');
    const isBug = isEnd ? !CAUSED_END.test(text) : BUG.test(text) || isStack;
    if (!isBug) return;
    this.#recorder?.noteProcess(name, 'bug', text.slice(0, 2000));
    this.#onLine(line.slice(0, 2000));
  }
}
