/**
 * Log that a kernel optionally records of its execution: texture lookups with the texels they read,
 * loops with their rounds, and sections that lanes entered (log-sites.ts). For any grouping of the
 * invocations into warps, the log determines the sequence of lookups and the instructions issued.
 *
 * The log is at an address of the memory. Records are contiguous from `records`, in the order of
 * execution. The records of a group are in order, but those of several groups are interleaved. A
 * record consists of a header, the current rounds of the enclosing loops (from 0, one word each,
 * outermost first), a word, and vectors. For a lookup the word counts the texels read per lane.
 * Each vector names the cache lines of such texels by lane, with −1 in lanes that read none. A
 * vector that equals the previous one is omitted. For a loop the vector has its rounds by lane. For
 * a section there is no vector.
 */
import type { IsaProgram } from '@tessera/frame';
import type { Instruction } from '../isa/instruction.ts';
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
import { findHelperLookups, type HelperLookups } from './helper-lookups.ts';
import { findLogSites, type LogSites, type NumberedSites, numberSites } from './log-sites.ts';

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
  /** Number of the LogSite. */
  site: 0,
  /** Pointer to the group's input: its first vector, or its quad record. */
  group: 4,
  /** Bit mask of the lanes that the lookup reads for, or that were in the loop or section. */
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

/**
 * Upper bound on the bytes that a texture function logs for one lookup: 16 probes of an anisotropic
 * filter, each of four texels in two levels.
 */
const MAX_LOOKUP_BYTES = 2048;
/** Upper bound on the bytes of a record of a loop or section, without rounds. */
const MAX_MARK_BYTES = 48;

/** Returns the maximum number of bytes that one group logs between two checks: all sites once. */
export function logBytesPerGroup({ sites }: LogSites): number {
  const bytes = sites.map(({ kind, loops }) => {
    return (kind === 'lookup' ? MAX_LOOKUP_BYTES : MAX_MARK_BYTES) + 4 * loops.length;
  });
  return bytes.reduce((sum, size) => sum + size, 0);
}

/** Location of a kernel's log in memory. */
export interface LogPlace {
  readonly ptr: number;
  readonly bytes: number;
}

/** Log of a kernel. */
export interface LogOptions extends LogPlace {
  /** Lookups for which helper lanes read texels; by default none. */
  readonly helperLookups?: HelperLookups;
}

/** Emits the code that appends records. */
export class ExecutionLogEmitter {
  readonly #fn: FunctionBuilder;
  readonly #place: LogPlace;
  readonly #group: Local;
  readonly #isFragment: boolean;
  readonly #record: Local;
  readonly #lanes: Local;
  readonly #sites: NumberedSites;
  readonly #helperLookups: ReadonlySet<Instruction>;
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
    place: LogOptions,
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
    this.#sites = numberSites(nodes);
    const policy = this.#isFragment ? (place.helperLookups ?? 'none') : 'none';
    this.#helperLookups = findHelperLookups(nodes, program.registerCount, policy);
  }

  /**
   * Emits the code before the call of a texture function. Helper lanes read together with a lane
   * that draws: a quad whose lanes have all discarded reads nothing.
   *
   * @param mask Active lanes; `null` if all four are active.
   * @param discarded Lanes that discarded, or `null`.
   */
  beginLookup(instruction: Instruction, mask: Expr | null, discarded: Expr | null): Stmt[] {
    const none = i32x4.const([0, 0, 0, 0]);
    let dead: Expr = mask === null ? none : v128.not(mask);
    if (discarded !== null) dead = v128.or(dead, discarded);
    if (this.#isFragment) dead = v128.or(dead, this.#uncovered());
    const lanes = get(this.#lanes);
    const addHelpers = this.#helperLookups.has(instruction)
      ? [
          ifThen(
            i32.eqz(i32x4.allTrue(lanes)),
            set(this.#lanes, mask === null ? none : v128.not(mask)),
          ),
        ]
      : [];
    return [
      set(this.#lanes, dead),
      ...addHelpers,
      v128.store(this.#word(), lanes, { offset: EXECUTION_LOG.deadLanes }),
      i32.store(this.#word(), i32.const(0), { offset: EXECUTION_LOG.reads }),
      ...this.#beginRecord(
        this.#sites.siteByInstruction.get(instruction)!,
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

  /**
   * Emits the code at the start of a section; nothing if none starts at `first`.
   *
   * @param first First node of the section.
   * @param mask Active lanes.
   * @param discarded Lanes that discarded, or `null` in a program that does not discard.
   */
  logSection(first: IsaNode, mask: Expr, discarded: Expr | null): Stmt[] {
    const site = this.#sites.siteBySection.get(first);
    if (site === undefined) return [];
    const drawn =
      discarded === null ? mask : v128.andnot(v128.andnot(mask, discarded), this.#uncovered());
    return [
      set(this.#lanes, drawn),
      ifThen(v128.anyTrue(get(this.#lanes)), [
        ...this.#beginRecord(site, i32x4.bitmask(get(this.#lanes))),
        this.#storeLength(),
      ]),
    ];
  }

  /** Returns the lanes of a quad that the primitive does not cover. */
  #uncovered(): Expr {
    const mask = i32x4.splat(i32.load(get(this.#group), { offset: QUAD_RECORD.mask }));
    return i32x4.eq(v128.and(mask, i32x4.const([1, 2, 4, 8])), i32x4.const([0, 0, 0, 0]));
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
      ...this.#beginRecord(
        this.#sites.siteByLoop.get(node)!,
        i32x4.bitmask(i32x4.gtS(lanes, none)),
      ),
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
