/** Where the virtual registers of a flat instruction list are read and written, and where its loops lie. */
import type { Instruction } from './instruction.ts';
import { instructionInfo } from './instructions.ts';

/** First and last position of a loop: its `loop` and `endloop`. */
export interface LoopRange {
  readonly start: number;
  readonly end: number;
}

/** Accesses of one register, by position in the list, ascending. */
export interface RegisterAccesses {
  readonly reads: number[];
  readonly writes: number[];
}

export interface CodePositions {
  /** By register; registers that nothing names have none. */
  readonly accesses: readonly (RegisterAccesses | undefined)[];
  /** The registers that are named, in the order of their first access. */
  readonly registers: readonly number[];
  /** Outer loops before the loops inside them. */
  readonly loops: readonly LoopRange[];
  /** For each position, a number of the innermost list of instructions (body) it stands in. */
  readonly bodyOf: readonly number[];
  /** For each body, first and last position. */
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
 * Last position at which a register defined at `definition` may still be read: in a loop that begins
 * after the definition, a read in one round keeps the register alive to the end of the loop.
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
