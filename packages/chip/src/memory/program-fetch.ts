/**
 * Instruction fetch of one shader core. The core keeps the last two programs of each stage. A new
 * program is read from its block in memory as a whole before its first warp runs, one program at a
 * time.
 */
import type { i32 } from '../portable/number-types.ts';
import { DRAW, PROGRAM } from '../records/record-layout.ts';
import { NEVER } from '../sim/schedule.ts';
import type { ClientPort } from './client-port.ts';

const KEPT = 2;
const NONE = -1;

/** Programs of a shader core and the read in progress. */
export class ProgramFetch {
  private readonly port: ClientPort;
  /** Numbers of the resident programs, by stage, newest first. */
  private readonly kept: Int32Array = new Int32Array(2 * KEPT);
  /** First word of the program being read, in the table of draws. */
  private fetching: i32 = NONE;
  private stage: i32 = 0;
  private number: i32 = 0;
  private nextLine: i32 = 0;
  private endLine: i32 = 0;
  private ticket: i32 = 0;

  constructor(port: ClientPort) {
    this.port = port;
  }

  reset(): void {
    this.kept.fill(NONE);
    this.fetching = NONE;
  }

  /**
   * Returns the position of the words of a draw's program. The stage is 0 for vertices and 1 for
   * fragments.
   */
  static wordsOf(draw: i32, stage: i32): i32 {
    return draw + (stage === 0 ? DRAW.vertexProgram : DRAW.fragmentProgram);
  }

  has(stage: i32, number: i32): boolean {
    return this.kept[KEPT * stage] === number || this.kept[KEPT * stage + 1] === number;
  }

  /**
   * Continues to read a program. If none is being read, starts with the one whose words are at `at`
   * in the table of draws. Returns whether a program is complete.
   */
  advance(draws: Int32Array, at: i32, stage: i32, cycle: i32): boolean {
    if (this.fetching === NONE) {
      this.fetching = at;
      this.stage = stage;
      this.number = draws[at + PROGRAM.number]!;
      this.nextLine = draws[at + PROGRAM.line]!;
      this.endLine = this.nextLine + draws[at + PROGRAM.lines]!;
      this.ticket = this.port.open(cycle);
    }
    while (this.nextLine < this.endLine && this.port.hasRoom(1, cycle)) {
      this.port.read(this.ticket, this.nextLine++, cycle);
    }
    this.port.endBurst(cycle);
    if (this.nextLine < this.endLine || !this.port.isDone(this.ticket, cycle)) return false;
    this.port.close(this.ticket);
    this.fetching = NONE;
    this.kept[KEPT * this.stage + 1] = this.kept[KEPT * this.stage]!;
    this.kept[KEPT * this.stage] = this.number;
    return true;
  }

  /**
   * Returns the cycle in which the program being read may be complete. If it is NEVER, the port
   * wakes the core.
   */
  nextWake(): i32 {
    if (this.fetching === NONE || this.nextLine < this.endLine) return NEVER;
    return this.port.doneCycle(this.ticket);
  }
}
