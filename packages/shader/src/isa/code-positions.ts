/** Positions of reads, writes and loops in a flat list of instructions over virtual registers. */
import type { Instruction } from './instruction.ts';
import { instructionInfo } from './instructions.ts';

/** First and last position of a loop or body. For a loop these are `loop` and `endloop`. */
export interface LoopRange {
  readonly start: number;
  readonly end: number;
}

/** Accesses of one register, as ascending positions in the list. */
export interface RegisterAccesses {
  readonly reads: number[];
  readonly writes: number[];
}

/** Positions in one list of instructions. */
export interface CodePositions {
  /** Accesses by register; undefined for unused registers. */
  readonly accesses: readonly (RegisterAccesses | undefined)[];
  /** Used registers in the order of their first access. */
  readonly registers: readonly number[];
  /** Ranges of the loops, outer loops before inner ones. */
  readonly loops: readonly LoopRange[];
  /** Number of the innermost body that contains the position, by position. */
  readonly bodyOf: readonly number[];
  /** Ranges of the bodies. */
  readonly bodies: readonly LoopRange[];
}

const OPENERS: ReadonlySet<string> = new Set(['if', 'else', 'block', 'loop']);
const CLOSERS: ReadonlySet<string> = new Set(['else', 'endif', 'endblock', 'endloop']);

/** Scans `instructions` once. */
export function findPositions(instructions: readonly Instruction[]): CodePositions {
  const accesses: (RegisterAccesses | undefined)[] = [];
  const registers: number[] = [];
  const loops: { start: number; end: number }[] = [];
  const openLoops: { start: number; end: number }[] = [];
  const bodies: { start: number; end: number }[] = [{ start: 0, end: instructions.length - 1 }];
  const openBodies = [0];
  const bodyOf: number[] = [];
  const accessesOf = (register: number): RegisterAccesses => {
    const known = accesses[register];
    if (known !== undefined) return known;
    while (accesses.length <= register) accesses.push(undefined);
    const made = { reads: [], writes: [] };
    accesses[register] = made;
    registers.push(register);
    return made;
  };
  for (let position = 0; position < instructions.length; position++) {
    const { mnemonic, result, sources } = instructions[position]!;
    const { resultCount, latencyClass } = instructionInfo(mnemonic);
    const isControl = latencyClass === 'control';
    if (isControl && CLOSERS.has(mnemonic)) bodies[openBodies.pop()!]!.end = position;
    bodyOf.push(openBodies.at(-1)!);
    if (isControl && OPENERS.has(mnemonic)) {
      openBodies.push(bodies.length);
      bodies.push({ start: position, end: position });
    }
    if (mnemonic === 'loop') {
      const range = { start: position, end: position };
      loops.push(range);
      openLoops.push(range);
    } else if (mnemonic === 'endloop') {
      openLoops.pop()!.end = position;
    }
    for (const source of sources) {
      if (source.kind === 'register') accessesOf(source.index).reads.push(position);
    }
    for (let part = 0; part < resultCount; part++) {
      accessesOf(result + part).writes.push(position);
    }
  }
  return { accesses, registers, loops, bodyOf, bodies };
}

/**
 * Returns the last position at which a register defined at `definition` may still be read. If a
 * loop begins after the definition, a read inside it keeps the register live until the end of the
 * loop.
 */
export function lastUse(
  definition: number,
  accesses: RegisterAccesses,
  loops: readonly LoopRange[],
): number {
  let last = definition;
  for (const list of [accesses.reads, accesses.writes]) {
    for (const position of list) {
      if (position > last) last = position;
      for (const loop of loops) {
        if (loop.start > position) break;
        if (loop.start > definition && loop.end >= position && loop.end > last) last = loop.end;
      }
    }
  }
  return last;
}
