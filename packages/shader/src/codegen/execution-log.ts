/**
 * Log that a kernel optionally records of its execution: texture lookups with the texels they read,
 * and loops with their rounds. For any grouping of the invocations into warps, the log determines
 * the sequence of lookups and the number of instructions issued.
 *
 * The log is at an address of the memory. Records are contiguous from `records`, in the order of
 * execution. The records of a group are in order, but those of several groups are interleaved. A
 * record consists of a header, the current rounds of the enclosing loops (from 0, one word each,
 * outermost first), a word, and vectors. For a lookup the word counts the texels read per lane.
 * Each vector names the cache lines of such texels by lane, with −1 in lanes that read none. A
 * vector that equals the previous one is omitted. For a loop the vector has its rounds by lane.
 */
import type { IsaProgram } from '@tessera/frame';
import { decodeInstructions, type Instruction } from '../isa/instruction.ts';
import { QUAD_RECORD, STAGE_STATUS } from '../isa/stage-memory.ts';
import type { IsaNode } from '../isa/structure.ts';
import {
  type Expr,
  type FunctionBuilder,
  get,
  i32,
  i32x4,
  ifThen,
  type Local,
  ret,
  type Stmt,
  set,
  v128,
} from '../wasm/index.ts';

/** Byte offsets in the log. */
export const EXECUTION_LOG = {
  /**
   * Address of the end of the last record; the caller initializes it to the address of `records`.
   */
  cursor: 0,
  /** Number of texels read per lane in the current lookup; texture functions count them. */
  reads: 4,
  /** Vector with −1 in lanes that the current lookup does not read for. */
  deadLanes: 16,
  records: 32,
} as const;

/** Byte offsets in the header of a record. */
export const LOG_RECORD = {
  /** Number of the {@link LogSite}. */
  site: 0,
  /** Pointer to the group's input: its first vector, or its quad record. */
  group: 4,
  /** Bit mask of the lanes that the lookup reads for, or that were in the loop. */
  lanes: 8,
  /** Size of the record, including the header. */
  bytes: 12,
  headerBytes: 16,
} as const;

/** log2 of the size of a cache line in bytes. */
export const LOG_LINE_SHIFT = 6;
/**
 * Value stored before the first vector while a record is written. No vector of lines ends with it.
 */
const NO_LINE = -2;

/** Upper bound on the bytes that a texture function logs for one lookup. */
const MAX_LOOKUP_BYTES = 1280;

/** Texture lookup or loop of a program. Each execution of it appends a record. */
export interface LogSite {
  readonly kind: 'lookup' | 'loop';
  /** Texture slot of a lookup; −1 for a loop. */
  readonly slot: number;
  /** Sites of the enclosing loops, outermost first. */
  readonly loops: readonly number[];
  /**
   * Instruction counts of consecutive sections, without inner loops. The first section starts with
   * the program, each later one with a round of an enclosing loop. A section ends at the next inner
   * loop, and the last one at the site.
   */
  readonly instructions: readonly number[];
  /** Instructions per round of a loop, without those of inner loops; 0 for a lookup. */
  readonly roundInstructions: number;
}

/** Sites of a program in the order of its code; a loop is listed at its end. */
export interface LogSites {
  readonly sites: readonly LogSite[];
  /** Number of instructions outside of loops. */
  readonly instructions: number;
}

const sitesByProgram = new WeakMap<IsaProgram, LogSites>();

/** Returns the sites of a program, cached because every draw needs them. */
export function findLogSites(program: IsaProgram): LogSites {
  const known = sitesByProgram.get(program);
  if (known !== undefined) return known;
  const sites = readLogSites(program);
  sitesByProgram.set(program, sites);
  return sites;
}

function readLogSites({ code, literals }: IsaProgram): LogSites {
  const open: { site: number; instructions: number }[] = [{ site: -1, instructions: 0 }];
  const found: { site: Omit<LogSite, 'loops'>; loops: readonly { site: number }[] }[] = [];
  for (const { mnemonic, immediates } of decodeInstructions(code, literals)) {
    const inner = open.at(-1)!;
    inner.instructions++;
    if (mnemonic === 'loop') open.push({ site: -1, instructions: 0 });
    if (mnemonic === 'endloop') {
      open.pop();
      inner.site = found.length;
    }
    if (mnemonic !== 'tex' && mnemonic !== 'endloop') continue;
    const isLoop = mnemonic === 'endloop';
    found.push({
      site: {
        kind: isLoop ? 'loop' : 'lookup',
        slot: isLoop ? -1 : immediates[0]!,
        instructions: open.map(({ instructions }) => instructions),
        roundInstructions: isLoop ? inner.instructions : 0,
      },
      loops: open.slice(1),
    });
  }
  return {
    sites: found.map(({ site, loops }) => ({ ...site, loops: loops.map((loop) => loop.site) })),
    instructions: open[0]!.instructions,
  };
}

/** Returns the maximum number of bytes that one group logs between two checks: all sites once. */
export function logBytesPerGroup({ sites }: LogSites): number {
  const bytes = sites.map(({ loops }) => MAX_LOOKUP_BYTES + 4 * loops.length);
  return bytes.reduce((sum, size) => sum + size, 0);
}

/** Location of a kernel's log in memory. */
export interface LogPlace {
  readonly ptr: number;
  readonly bytes: number;
}

/** Emits the code that appends records. */
export class ExecutionLogEmitter {
  readonly #fn: FunctionBuilder;
  readonly #place: LogPlace;
  readonly #group: Local;
  readonly #isFragment: boolean;
  readonly #record: Local;
  readonly #lanes: Local;
  readonly #siteByInstruction = new Map<Instruction, number>();
  readonly #siteByLoop = new Map<IsaNode, number>();
  readonly #limitPtr: number;
  /** Round counters of the loops around the current code, outermost first. */
  readonly #rounds: Local[] = [];

  /**
   * @param group Local that points to the current group's input.
   * @param warpGroups Maximum number of groups between two checks.
   */
  constructor(
    program: IsaProgram,
    nodes: readonly IsaNode[],
    fn: FunctionBuilder,
    group: Local,
    warpGroups: number,
    place: LogPlace,
  ) {
    this.#fn = fn;
    this.#place = place;
    this.#group = group;
    this.#isFragment = program.stage === 'fragment';
    this.#record = fn.local('i32');
    this.#lanes = fn.local('v128');
    // Twice the size, because there is one check per round and code follows the last check.
    const slackBytes = 2 * warpGroups * logBytesPerGroup(findLogSites(program));
    this.#limitPtr = place.ptr + place.bytes - slackBytes;
    this.#number(nodes, 0);
  }

  /**
   * Numbers the sites of `nodes` as {@link findLogSites} does.
   *
   * @returns The next number.
   */
  #number(nodes: readonly IsaNode[], first: number): number {
    let site = first;
    for (const node of nodes) {
      if (node.kind === 'straight') {
        for (const instruction of node.instructions) {
          if (instruction.mnemonic === 'tex') this.#siteByInstruction.set(instruction, site++);
        }
      } else if (node.kind === 'if') {
        site = this.#number(node.else, this.#number(node.then, site));
      } else if (node.kind === 'block') {
        site = this.#number(node.body, site);
      } else if (node.kind === 'loop') {
        site = this.#number(node.body, site);
        this.#siteByLoop.set(node, site++);
      }
    }
    return site;
  }

  /**
   * Emits the code before the call of a texture function.
   *
   * @param mask Active lanes; `null` if all four are active.
   * @param discarded Lanes that discarded, or `null`.
   */
  beginLookup(instruction: Instruction, mask: Expr | null, discarded: Expr | null): Stmt[] {
    const none = i32x4.const([0, 0, 0, 0]);
    let dead: Expr = mask === null ? none : v128.not(mask);
    if (discarded !== null) dead = v128.or(dead, discarded);
    if (this.#isFragment) {
      const mask = i32x4.splat(i32.load(get(this.#group), { offset: QUAD_RECORD.mask }));
      dead = v128.or(dead, i32x4.eq(v128.and(mask, i32x4.const([1, 2, 4, 8])), none));
    }
    const lanes = get(this.#lanes);
    return [
      set(this.#lanes, dead),
      v128.store(this.#word(), lanes, { offset: EXECUTION_LOG.deadLanes }),
      i32.store(this.#word(), i32.const(0), { offset: EXECUTION_LOG.reads }),
      ...this.#beginRecord(
        this.#siteByInstruction.get(instruction)!,
        i32.xor(i32x4.bitmask(lanes), i32.const(15)),
      ),
    ];
  }

  /** Emits the code after the call, which has appended vectors. */
  endLookup(): Stmt[] {
    const reads = i32.load(this.#word(), { offset: EXECUTION_LOG.reads });
    const offset = LOG_RECORD.headerBytes + 4 * this.#rounds.length;
    return [this.#storeLength(), i32.store(get(this.#record), reads, { offset })];
  }

  #storeLength(): Stmt {
    const bytes = i32.sub(this.#cursor(), get(this.#record));
    return i32.store(get(this.#record), bytes, { offset: LOG_RECORD.bytes });
  }

  /** Enters a loop whose current round is in `round`. */
  enterLoop(round: Local): void {
    this.#rounds.push(round);
  }

  /** Leaves the innermost loop. */
  leaveLoop(): void {
    this.#rounds.pop();
  }

  /**
   * Emits the check at the start of each round, which leaves the kernel if the log may not hold
   * another round.
   */
  checkRoom(): Stmt {
    return ifThen(
      i32.gtU(this.#cursor(), i32.const(this.#limitPtr)),
      ret(i32.const(STAGE_STATUS.logFull)),
    );
  }

  /**
   * Emits the code after a loop.
   *
   * @param rounds Number of rounds of each lane.
   */
  logLoop(node: IsaNode, rounds: Expr): Stmt {
    const none = i32x4.const([0, 0, 0, 0]);
    const lanes = get(this.#lanes);
    return ifThen(v128.anyTrue(rounds), [
      set(this.#lanes, rounds),
      ...this.#beginRecord(this.#siteByLoop.get(node)!, i32x4.bitmask(i32x4.gtS(lanes, none))),
      v128.store(this.#cursor(), lanes),
      i32.store(this.#word(), i32.add(this.#cursor(), i32.const(16))),
      this.#storeLength(),
    ]);
  }

  #beginRecord(site: number, lanes: Expr): Stmt[] {
    const record = get(this.#record);
    const { headerBytes } = LOG_RECORD;
    return [
      set(this.#record, this.#cursor()),
      i32.store(record, i32.const(site), { offset: LOG_RECORD.site }),
      i32.store(record, get(this.#group), { offset: LOG_RECORD.group }),
      i32.store(record, lanes, { offset: LOG_RECORD.lanes }),
      ...this.#rounds.map((round, depth) =>
        i32.store(record, get(round), { offset: headerBytes + 4 * depth }),
      ),
      i32.store(record, i32.const(NO_LINE), { offset: headerBytes + 4 * this.#rounds.length }),
      i32.store(
        this.#word(),
        i32.add(record, i32.const(headerBytes + 4 * this.#rounds.length + 4)),
      ),
    ];
  }

  #word(): Expr {
    return i32.const(this.#place.ptr + EXECUTION_LOG.cursor);
  }

  #cursor(): Expr {
    return i32.load(this.#word());
  }

  /** Returns a new counter of rounds. */
  createRound(): Local {
    return this.#fn.local('i32');
  }
}
