/** Machine of a simulated service: starts its processes and starts them again when they end. */
import { type LogLine, logSink } from './log-lines.ts';
import type { ProcessEnd } from './sim-process.ts';
import { SimProcess } from './sim-process.ts';
import type { World } from './world.ts';

/** Process that the machine keeps running. */
export interface Role {
  readonly name: string;
  readonly url: URL;
  readonly env: Readonly<Record<string, string>>;
}

const RESTART_AFTER_MS = { shortest: 20, range: 800 } as const;

/** Processes of one machine. */
export class ClusterHost {
  readonly world: World;
  /** Current process of each role, by name. */
  readonly processes = new Map<string, SimProcess>();
  /** Called when a process ends by an error that nothing caught. */
  onFailure: (name: string, end: ProcessEnd) => void = () => {};
  /** Number of starts. */
  startCount = 0;
  /** Line that the process which ended last had printed instead of logging. */
  lastPrinted = '';
  /** Called with lines that report a bug. */
  onBug: (line: LogLine) => void = () => {};
  /** Called with every line. */
  onLine: (line: LogLine) => void = () => {};
  readonly #supervisor: SimProcess;
  #clockOffsetMs = 0;
  #isOff = false;

  constructor(world: World, roles: readonly Role[]) {
    this.world = world;
    this.#supervisor = new SimProcess(world, 'supervisor', {}, () => {});
    logSink.receive = (line) => {
      this.onLine(line);
      if (line.level === 'error' && /bug|cleanup/.test(line.message)) this.onBug(line);
    };
    for (const role of roles) this.#start(role);
  }

  /** Context for events of the machine itself. */
  get supervisor(): SimProcess {
    return this.#supervisor;
  }

  /** Sets the difference of the system clock to virtual time. */
  setClock(offsetMs: number): void {
    this.#clockOffsetMs = offsetMs;
    for (const process of this.processes.values()) process.clockOffsetMs = offsetMs;
  }

  /** Kills a process, as SIGKILL does. */
  kill(name: string): void {
    this.processes.get(name)?.finish({ kind: 'killed', cause: 'SIGKILL' });
  }

  /** Ends all processes at once; `whileOff` runs before they start again. */
  losePower(whileOff: () => void): void {
    this.#isOff = true;
    for (const name of this.processes.keys()) this.kill(name);
    whileOff();
    this.#isOff = false;
  }

  #start(role: Role): void {
    this.startCount++;
    const process = new SimProcess(this.world, role.name, role.env, (end) => {
      this.lastPrinted = process.lastPrinted;
      if (end.kind === 'failed') this.onFailure(role.name, end);
      this.#restart(role);
    });
    process.clockOffsetMs = this.#clockOffsetMs;
    this.processes.set(role.name, process);
    process.start(role.url);
  }

  #restart(role: Role): void {
    const { random } = this.world;
    const afterMs = RESTART_AFTER_MS.shortest + random.next() * RESTART_AFTER_MS.range;
    this.world.schedule(this.#supervisor, afterMs, () => {
      if (!this.#isOff) this.#start(role);
    });
  }
}
