/**
 * Instruction fetch of one shader core: it keeps the last two programs of each stage. Another one is read from its
 * block in memory as a whole before its first warp runs; one program at a time.
 */
import type { i32 } from '../portable/number-types.ts';
import { DRAW, PROGRAM } from '../records/record-layout.ts';
import { NEVER } from '../sim/schedule.ts';
import type { ClientPort } from './client-port.ts';

const KEPT = 2;
const NONE = -1;

export class ProgramFetch {
  private readonly port: ClientPort;
  /** Numbers of the programs that are there, by stage; the newest first. */
  private readonly kept: Int32Array = new Int32Array(2 * KEPT);
  /** First word in the table of draws of the program that is read. */
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

  /** Where the words of a draw's program are, by the stage of a warp: 0 for vertices, 1 for fragments. */
  static wordsOf(draw: i32, stage: i32): i32 {
    return draw + (stage === 0 ? DRAW.vertexProgram : DRAW.fragmentProgram);
  }

  has(stage: i32, number: i32): boolean {
    return this.kept[KEPT * stage] === number || this.kept[KEPT * stage + 1] === number;
  }

  /**
   * Goes on reading the program whose words are at `at` in the table of draws, or begins to, unless another one is
   * read. @returns Whether a program has come in.
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

  /** When the program that is read may be there; the port wakes the core where that is NEVER. */
  nextWake(): i32 {
    if (this.fetching === NONE || this.nextLine < this.endLine) return NEVER;
    return this.port.doneCycle(this.ticket);
  }
}
