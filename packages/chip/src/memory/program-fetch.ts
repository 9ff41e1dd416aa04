/**
 * Instruction cache of one shader core. It holds whole programs and evicts the least recently used
 * ones. A new program is read from its block in memory as a whole before its first warp runs, one
 * program at a time.
 */
import { divide } from '../portable/integers.ts';
import type { i32 } from '../portable/number-types.ts';
import { LINE_BYTES } from '../records/memory-line.ts';
import { DRAW, PROGRAM } from '../records/record-layout.ts';
import { NEVER } from '../sim/schedule.ts';
import type { ClientPort } from './client-port.ts';

/** Upper bound on the number of programs that are held. */
const MAX_HELD = 64;
const NONE = -1;

/** Programs of a shader core and the read in progress. */
export class ProgramFetch {
  private readonly port: ClientPort;
  private readonly capacityLines: i32;
  /** Programs held, most recently used first: number × 2, plus 1 for fragments; and their lines. */
  private readonly held: Int32Array = new Int32Array(MAX_HELD);
  private readonly heldLines: Int32Array = new Int32Array(MAX_HELD);
  private heldCount: i32 = 0;
  private usedLines: i32 = 0;
  /** First word of the program being read, in the table of draws. */
  private fetching: i32 = NONE;
  private stage: i32 = 0;
  private number: i32 = 0;
  private nextLine: i32 = 0;
  private endLine: i32 = 0;
  private ticket: i32 = 0;

  constructor(port: ClientPort, bytes: i32) {
    this.port = port;
    this.capacityLines = divide(bytes, LINE_BYTES);
  }

  reset(): void {
    this.heldCount = 0;
    this.usedLines = 0;
    this.fetching = NONE;
  }

  /**
   * Returns the position of the words of a draw's program. The stage is 0 for vertices and 1 for
   * fragments.
   */
  static wordsOf(draw: i32, stage: i32): i32 {
    return draw + (stage === 0 ? DRAW.vertexProgram : DRAW.fragmentProgram);
  }

  /** Whether a program is in the cache. It then becomes the most recently used one. */
  has(stage: i32, number: i32): boolean {
    const program = number * 2 + stage;
    let place = 0;
    while (place < this.heldCount && this.held[place] !== program) place++;
    if (place === this.heldCount) return false;
    if (place > 0) this.moveToFront(place, program, this.heldLines[place]!);
    return true;
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
    this.hold(this.number * 2 + this.stage, draws[this.fetching + PROGRAM.lines]!);
    this.fetching = NONE;
    return true;
  }

  /**
   * Returns the cycle in which the program being read may be complete, or the next cycle if none is
   * being read. If it is NEVER, the port wakes the core.
   */
  nextWake(cycle: i32): i32 {
    if (this.fetching === NONE) return cycle + 1;
    if (this.nextLine < this.endLine) return NEVER;
    return this.port.doneCycle(this.ticket);
  }

  /** Adds a program and evicts others until all fit, or only this one is left. */
  private hold(program: i32, lines: i32): void {
    this.usedLines += lines;
    while (
      this.heldCount > 0 &&
      (this.usedLines > this.capacityLines || this.heldCount === MAX_HELD)
    ) {
      this.usedLines -= this.heldLines[--this.heldCount]!;
    }
    this.moveToFront(this.heldCount++, program, lines);
  }

  /** Moves the programs before `place` back by one and writes another one in front. */
  private moveToFront(place: i32, program: i32, lines: i32): void {
    for (let to = place; to > 0; to--) {
      this.held[to] = this.held[to - 1]!;
      this.heldLines[to] = this.heldLines[to - 1]!;
    }
    this.held[0] = program;
    this.heldLines[0] = lines;
  }
}
