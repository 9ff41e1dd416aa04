/**
 * Cache of one shader core for blocks of memory that are read as a whole: programs, or the
 * constants of draws. It evicts the least recently used blocks. A block is read before the first
 * warp that needs it runs, one block at a time.
 */
import { divide } from '../portable/integers.ts';
import type { i32 } from '../portable/number-types.ts';
import { LINE_BYTES } from '../records/memory-line.ts';
import { NEVER } from '../sim/schedule.ts';
import type { ClientPort } from './client-port.ts';

/** Upper bound on the number of blocks that are held. */
const MAX_HELD = 64;
const NONE = -1;

/** Blocks of a shader core and the read in progress. */
export class BlockCache {
  private readonly port: ClientPort;
  private readonly capacityLines: i32;
  /** Keys of the blocks held, most recently used first, and their lines. */
  private readonly held: Int32Array = new Int32Array(MAX_HELD);
  private readonly heldLines: Int32Array = new Int32Array(MAX_HELD);
  private heldCount: i32 = 0;
  private usedLines: i32 = 0;
  /** Key of the block being read, or NONE, and its lines. */
  private fetching: i32 = NONE;
  private lines: i32 = 0;
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

  /** Whether a block is in the cache. It then becomes the most recently used one. */
  has(key: i32): boolean {
    let place = 0;
    while (place < this.heldCount && this.held[place] !== key) place++;
    if (place === this.heldCount) return false;
    if (place > 0) this.moveToFront(place, key, this.heldLines[place]!);
    return true;
  }

  /**
   * Continues to read a block. If none is being read, starts with this one. Returns whether a block
   * is complete.
   */
  advance(key: i32, line: i32, lines: i32, cycle: i32): boolean {
    if (this.fetching === NONE) {
      this.fetching = key;
      this.lines = lines;
      this.nextLine = line;
      this.endLine = line + lines;
      this.ticket = this.port.open(cycle);
    }
    while (this.nextLine < this.endLine && this.port.hasRoom(1, cycle)) {
      this.port.read(this.ticket, this.nextLine++, cycle);
    }
    this.port.endBurst(cycle);
    if (this.nextLine < this.endLine || !this.port.isDone(this.ticket, cycle)) return false;
    this.port.close(this.ticket);
    this.hold(this.fetching, this.lines);
    this.fetching = NONE;
    return true;
  }

  /**
   * Returns the cycle in which the block being read may be complete, or the next cycle if none is
   * being read. If it is NEVER, the port wakes the core.
   */
  nextWake(cycle: i32): i32 {
    if (this.fetching === NONE) return cycle + 1;
    if (this.nextLine < this.endLine) return NEVER;
    return this.port.doneCycle(this.ticket);
  }

  /** Adds a block and evicts others until all fit, or only this one is left. */
  private hold(key: i32, lines: i32): void {
    this.usedLines += lines;
    while (
      this.heldCount > 0 &&
      (this.usedLines > this.capacityLines || this.heldCount === MAX_HELD)
    ) {
      this.usedLines -= this.heldLines[--this.heldCount]!;
    }
    this.moveToFront(this.heldCount++, key, lines);
  }

  /** Moves the blocks before `place` back by one and writes another one in front. */
  private moveToFront(place: i32, key: i32, lines: i32): void {
    for (let to = place; to > 0; to--) {
      this.held[to] = this.held[to - 1]!;
      this.heldLines[to] = this.heldLines[to - 1]!;
    }
    this.held[0] = key;
    this.heldLines[0] = lines;
  }
}
