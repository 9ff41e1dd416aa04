/**
 * Kernel of quad-traces.ts. It forms the traces of fragment warps like warp-trace.ts, for programs
 * without loops whose quads were shaded in order. A module imports `env.memory` and exports `run`
 * ({@link QuadTraceRun}).
 *
 * Without loops, the records of a quad are in the order of its sites. The next lookup of a warp is
 * thus that of the smallest site among its quads' next records. A section that a quad entered adds
 * its cost to all lookups behind its start.
 */

import { END_OF_TRACE, TRACE } from '@tessera/chip/records';
import { EXECUTION_LOG, LOG_RECORD } from '@tessera/shader/codegen';
import {
  block,
  br,
  brIf,
  createLabel,
  type Expr,
  type FunctionBuilder,
  get,
  i32,
  i32x4,
  i64,
  ifThen,
  type Local,
  loop,
  ret,
  type Stmt,
  select,
  set,
  v128,
  whileLoop,
} from '@tessera/shader/wasm';
import { encodeKernel } from '../kernel/encode-kernel.ts';
import type { ChipletMemory } from '../memory/chiplet-memory.ts';
import { QUAD_TRACES, TRACE_SITE } from '../records/trace-layout.ts';
import { wordOfLineZero } from '../texture/layout/line-table.ts';
import { NO_SITE, TEXELS_PER_PASS } from './warp-trace.ts';

/**
 * Forms traces from the records in the execution log and writes them to the chiplet's memory
 * (trace-layout.ts).
 *
 * @param groupPtr Quad record of the first group.
 * @param groupBytes Distance between consecutive groups.
 * @param firstGroup Group to continue with. The first call passes 0.
 * @param instructions Instructions of the program outside of sections. The next parameters are the
 *   issue cycles and stalls of the same code.
 * @returns Group to continue with, or `groupCount` if all are done; −1 if records of quads are
 *   interleaved.
 */
export type QuadTraceRun = (
  groupPtr: number,
  groupBytes: number,
  groupCount: number,
  firstGroup: number,
  instructions: number,
  issueCycles: number,
  stallCycles: number,
) => number;

const PARAMS = [
  'groupPtr',
  'groupBytes',
  'groupCount',
  'firstGroup',
  'instructions',
  'issueCycles',
  'stallCycles',
] as const;
/** Parts of a cost, in the order of a site's and of a clause's words. */
const COSTS = ['instructions', 'issueCycles', 'stallCycles'] as const;
type CostPart = (typeof COSTS)[number];
type Param = (typeof PARAMS)[number];

/** 32-bit variables. */
type Scalar =
  | 'group'
  /**
   * Groups in the warp, times four: their number, the current one, the first that makes the current
   * lookup.
   */
  | 'streams'
  | 'stream'
  | 'first'
  /** A record or vector, and the end of the records or vectors. */
  | 'at'
  | 'end'
  | 'pointer'
  | 'startAt'
  /**
   * Write positions of the next trace word and the next warp; first words of the warp and of the
   * lookup.
   */
  | 'outAt'
  | 'warpAt'
  | 'lookupAt'
  | 'position'
  /** Costs of the warp: of sections entered, up to the lookup, and up to the one before it. */
  | `${CostPart}OfSections`
  | `${CostPart}Until`
  | `${CostPart}Written`
  /** Properties of the current lookup. */
  | 'site'
  | 'firstLine'
  | 'passes'
  | 'stamp'
  | 'line'
  | 'place'
  /** Totals of the call. */
  | 'lookups'
  | 'lines';

/**
 * Returns the module for a chiplet's memory.
 *
 * @param warpGroups Number of quads per warp.
 */
export function generateTraceKernel(
  memory: ChipletMemory,
  warpGroups: number,
): Uint8Array<ArrayBuffer> {
  return encodeKernel(
    'formTraces',
    PARAMS.map(() => 'i32' as const),
    ['i32'],
    (fn) => {
      fn.emit(...new TraceEmitter(memory, warpGroups, fn).emit());
    },
  );
}

class TraceEmitter {
  readonly #memory: ChipletMemory;
  readonly #warpGroups: number;
  readonly #fn: FunctionBuilder;
  readonly #scalars = new Map<Scalar, Local>();
  /**
   * Line with its lookup's stamp in the high half: the current one, the one in its slot, the stamp
   * alone.
   */
  readonly #key: Local;
  readonly #known: Local;
  readonly #stampKey: Local;
  /** Addresses of the table entries of a vector's lines, before the offset of the table. */
  readonly #entries: Local;

  constructor(memory: ChipletMemory, warpGroups: number, fn: FunctionBuilder) {
    this.#memory = memory;
    this.#warpGroups = warpGroups;
    this.#fn = fn;
    this.#key = fn.local('i64');
    this.#known = fn.local('i64');
    this.#stampKey = fn.local('i64');
    this.#entries = fn.local('v128');
  }

  /** Emits the function: records by group, then warp by warp. */
  emit(): Stmt[] {
    const done = createLabel('warps done');
    const { quadTracesPtr } = this.#memory;
    const base = i32.const(quadTracesPtr);
    const words = quadTracesPtr + QUAD_TRACES.words;
    const warps = quadTracesPtr + QUAD_TRACES.warps;
    const store = (offset: number, value: Expr) => i32.store(base, value, { offset });
    return [
      ifThen(i32.eqz(this.#param('firstGroup')), this.#findStarts()),
      this.#set('group', this.#param('firstGroup')),
      this.#set('outAt', i32.const(words)),
      this.#set('warpAt', i32.const(warps)),
      this.#set('stamp', i32.load(base, { offset: QUAD_TRACES.stamp })),
      block(
        loop((again) => [
          brIf(done, i32.geU(this.#v('group'), this.#param('groupCount'))),
          brIf(done, i32.gtU(this.#v('outAt'), i32.const(words + QUAD_TRACES.bytesBeforeStop))),
          brIf(done, i32.geU(this.#v('warpAt'), i32.const(warps + 4 * QUAD_TRACES.maxWarps))),
          ...this.#formWarp(words),
          br(again),
        ]),
        done,
      ),
      store(QUAD_TRACES.stamp, this.#v('stamp')),
      store(QUAD_TRACES.lookups, this.#v('lookups')),
      store(QUAD_TRACES.lines, this.#v('lines')),
      store(QUAD_TRACES.wordCount, fourth(i32.sub(this.#v('outAt'), i32.const(words)))),
      store(QUAD_TRACES.warpCount, fourth(i32.sub(this.#v('warpAt'), i32.const(warps)))),
      ret(this.#v('group')),
    ];
  }

  #param(name: Param): Expr {
    return get(this.#fn.param(PARAMS.indexOf(name)));
  }

  #scalar(name: Scalar): Local {
    const local = this.#scalars.get(name) ?? this.#fn.local('i32');
    this.#scalars.set(name, local);
    return local;
  }

  #v(name: Scalar): Expr {
    return get(this.#scalar(name));
  }

  #set(name: Scalar, value: Expr): Stmt {
    return set(this.#scalar(name), value);
  }

  #add(name: Scalar, value: Expr | number): Stmt {
    const by = typeof value === 'number' ? i32.const(value) : value;
    return this.#set(name, i32.add(this.#v(name), by));
  }

  /**
   * Emits the search for the start of each group's records and the end of the last. Leaves the
   * function if groups are interleaved.
   */
  #findStarts(): Stmt[] {
    const { executionLogPtr, traceStartsPtr } = this.#memory;
    const v = (name: Scalar) => this.#v(name);
    const beginGroup = [
      this.#add('pointer', this.#param('groupBytes')),
      this.#add('startAt', 4),
      i32.store(v('startAt'), v('at')),
    ];
    const groups = i32.mul(this.#param('groupCount'), this.#param('groupBytes'));
    const lastPointer = i32.add(this.#param('groupPtr'), groups);
    return [
      this.#set('at', i32.const(executionLogPtr + EXECUTION_LOG.records)),
      this.#set('end', i32.load(i32.const(executionLogPtr), { offset: EXECUTION_LOG.cursor })),
      this.#set('pointer', this.#param('groupPtr')),
      this.#set('startAt', i32.const(traceStartsPtr)),
      i32.store(v('startAt'), v('at')),
      whileLoop(i32.ltU(v('at'), v('end')), [
        ifThen(i32.ltU(this.#field('group'), v('pointer')), ret(i32.const(-1))),
        whileLoop(i32.ltU(v('pointer'), this.#field('group')), beginGroup),
        this.#add('at', this.#field('bytes')),
      ]),
      whileLoop(i32.ltU(v('pointer'), lastPointer), beginGroup),
    ];
  }

  /** Returns a field of the current record. */
  #field(name: 'site' | 'group' | 'lanes' | 'bytes'): Expr {
    return i32.load(this.#v('at'), { offset: LOG_RECORD[name] });
  }

  #formWarp(words: number): Stmt[] {
    const v = (name: Scalar) => this.#v(name);
    const { quadTracesPtr, traceStartsPtr } = this.#memory;
    const left = i32.sub(this.#param('groupCount'), v('group'));
    const most = i32.const(this.#warpGroups);
    const formed = createLabel('warp formed');
    const siteOf = i32.load(v('stream'), { offset: quadTracesPtr + QUAD_TRACES.site });
    return [
      i32.store(v('warpAt'), fourth(i32.sub(v('outAt'), i32.const(words)))),
      this.#add('warpAt', 4),
      this.#set('streams', times4(select(left, most, i32.ltS(left, most)))),
      // 1. The first record of each group.
      this.#set('stream', i32.const(0)),
      loop((again) => [
        this.#set(
          'at',
          i32.load(i32.add(times4(v('group')), v('stream')), { offset: traceStartsPtr }),
        ),
        ...this.#seek(),
        this.#add('stream', 4),
        brIf(again, i32.ltU(v('stream'), v('streams'))),
      ]),
      // 2. Lookup by lookup.
      ...COSTS.flatMap((part) => [
        this.#set(`${part}OfSections`, i32.const(0)),
        this.#set(`${part}Written`, i32.const(0)),
      ]),
      block(
        loop((again) => [
          this.#set('site', i32.const(NO_SITE)),
          this.#set('stream', i32.const(0)),
          loop((next) => [
            ifThen(i32.ltS(siteOf, v('site')), [
              this.#set('site', siteOf),
              this.#set('first', v('stream')),
            ]),
            this.#add('stream', 4),
            brIf(next, i32.ltU(v('stream'), v('streams'))),
          ]),
          brIf(formed, i32.eq(v('site'), i32.const(NO_SITE))),
          ifThen(this.#ofSite('isSection'), this.#takeSection(), this.#takeLookup()),
          br(again),
        ]),
        formed,
      ),
      // 3. The rest of the program.
      ...this.#writeClause((part) => this.#param(part), i32.const(0), i32.const(END_OF_TRACE)),
      this.#add('outAt', 4 * (TRACE.passes + 1)),
      this.#add('group', fourth(v('streams'))),
    ];
  }

  /** Emits a clause up to a cost outside of sections, and the two words after it. */
  #writeClause(until: (part: CostPart) => Expr, lookupsInFlight: Expr, passes: Expr): Stmt[] {
    const v = (name: Scalar) => this.#v(name);
    return [
      ...COSTS.flatMap((part) => {
        const clause = i32.sub(v(`${part}Until`), v(`${part}Written`));
        const least = i32.const(part === 'issueCycles' ? 1 : 0);
        return [
          this.#set(`${part}Until`, i32.add(until(part), v(`${part}OfSections`))),
          i32.store(v('outAt'), select(clause, least, i32.gtS(clause, least)), {
            offset: 4 * TRACE[part],
          }),
          this.#set(`${part}Written`, v(`${part}Until`)),
        ];
      }),
      i32.store(v('outAt'), lookupsInFlight, { offset: 4 * TRACE.lookupsInFlight }),
      i32.store(v('outAt'), passes, { offset: 4 * TRACE.passes }),
    ];
  }

  /** Returns a word of the current site. */
  #ofSite(word: keyof typeof TRACE_SITE): Expr {
    const at = i32.shl(this.#v('site'), i32.const(Math.log2(QUAD_TRACES.siteBytes)));
    const offset = this.#memory.quadTracesPtr + QUAD_TRACES.sites + 4 * TRACE_SITE[word];
    return i32.load(at, { offset });
  }

  /** Whether the next record of group `stream` belongs to the current site. */
  #isOne(): Expr {
    const offset = this.#memory.quadTracesPtr + QUAD_TRACES.site;
    return i32.eq(i32.load(this.#v('stream'), { offset }), this.#v('site'));
  }

  /** Emits the entry into the section of `site` by all groups whose next record belongs to it. */
  #takeSection(): Stmt[] {
    const offset = this.#memory.quadTracesPtr + QUAD_TRACES.next;
    return [
      ...COSTS.map((part) => this.#add(`${part}OfSections`, this.#ofSite(part))),
      this.#set('stream', this.#v('streams')),
      loop((again) => [
        this.#add('stream', -4),
        ifThen(this.#isOne(), [
          this.#set('at', i32.load(this.#v('stream'), { offset })),
          this.#add('at', this.#field('bytes')),
          ...this.#seek(),
        ]),
        brIf(again, i32.gtS(this.#v('stream'), this.#v('first'))),
      ]),
    ];
  }

  /** Emits the advance from `at` to the next record of group `stream` with a reading lane. */
  #seek(): Stmt[] {
    const v = (name: Scalar) => this.#v(name);
    const { quadTracesPtr, traceStartsPtr } = this.#memory;
    const found = createLabel('found');
    return [
      this.#set(
        'end',
        i32.load(i32.add(times4(v('group')), v('stream')), { offset: traceStartsPtr + 4 }),
      ),
      this.#set('position', i32.const(NO_SITE)),
      block(
        loop((again) => [
          brIf(found, i32.geU(v('at'), v('end'))),
          ifThen(this.#field('lanes'), [this.#set('position', this.#field('site')), br(found)]),
          this.#add('at', this.#field('bytes')),
          br(again),
        ]),
        found,
      ),
      i32.store(v('stream'), v('at'), { offset: quadTracesPtr + QUAD_TRACES.next }),
      i32.store(v('stream'), v('position'), { offset: quadTracesPtr + QUAD_TRACES.site }),
    ];
  }

  /** Emits the lookup of `site` by all groups whose next record belongs to it, the last first. */
  #takeLookup(): Stmt[] {
    const v = (name: Scalar) => this.#v(name);
    const { quadTracesPtr } = this.#memory;
    const reads = i32.load(v('at'), { offset: LOG_RECORD.headerBytes });
    const passes = i32.shrS(
      i32.add(reads, i32.const(TEXELS_PER_PASS - 1)),
      i32.const(Math.log2(TEXELS_PER_PASS)),
    );
    return [
      ...this.#writeClause(
        (part) => this.#ofSite(part),
        this.#ofSite('lookupsInFlight'),
        i32.const(0),
      ),
      this.#set('firstLine', this.#ofSite('firstLine')),
      this.#set('lookupAt', v('outAt')),
      this.#add('outAt', 4 * TRACE.lines),
      this.#add('stamp', 1),
      this.#set('passes', i32.const(0)),
      set(this.#stampKey, i64.shl(i64.extendI32U(v('stamp')), i64.const(32))),
      this.#set('stream', v('streams')),
      loop((again) => [
        this.#add('stream', -4),
        ifThen(this.#isOne(), [
          this.#set('at', i32.load(v('stream'), { offset: quadTracesPtr + QUAD_TRACES.next })),
          this.#set('position', passes),
          this.#add('passes', select(v('position'), i32.const(1), v('position'))),
          this.#set('end', i32.add(v('at'), this.#field('bytes'))),
          this.#add('at', LOG_RECORD.headerBytes + 4),
          whileLoop(i32.ltU(v('at'), v('end')), [...this.#takeVector(), this.#add('at', 16)]),
          ...this.#seek(),
        ]),
        brIf(again, i32.gtS(v('stream'), v('first'))),
      ]),
      i32.store(v('lookupAt'), v('passes'), { offset: 4 * TRACE.passes }),
      this.#set(
        'position',
        i32.sub(fourth(i32.sub(v('outAt'), v('lookupAt'))), i32.const(TRACE.lines)),
      ),
      i32.store(v('lookupAt'), v('position'), { offset: 4 * TRACE.lineCount }),
      this.#add('lookups', 1),
      this.#add('lines', v('position')),
    ];
  }

  /**
   * Emits the lines of the vector at `at` that are new in the lookup. Each is translated by the
   * table of lines; −1 has the entry before the first. There are no branches, except for lines
   * whose slot holds another line. Repeated lines are written too, and the next line overwrites
   * them.
   */
  #takeVector(): Stmt[] {
    const v = (name: Scalar) => this.#v(name);
    const place = { offset: this.#memory.quadTracesPtr + QUAD_TRACES.places };
    const lastSlot = i32.const(QUAD_TRACES.lineSlots - 1);
    const slot = i32.and(i32.xor(v('line'), i32.shrU(v('line'), i32.const(12))), lastSlot);
    const key = get(this.#key);
    const known = get(this.#known);
    const isNew = i64.ne(key, known);
    const { lineTable } = this.#memory;
    const lineBeforePool = i32.const(lineTable.poolPtr / 64 - 1);
    const entries = get(this.#entries);
    const offset = 4 * wordOfLineZero(lineTable);
    return [
      set(this.#entries, i32x4.maxS(v128.load(v('at')), i32x4.splat(lineBeforePool))),
      set(this.#entries, i32x4.shl(entries, i32.const(2))),
    ].concat(
      [0, 1, 2, 3].flatMap((lane) => [
        this.#set('line', i32.load(i32x4.extractLane(entries, lane), { offset })),
        this.#set('place', i32.shl(slot, i32.const(3))),
        set(this.#key, i64.or(i64.extendI32U(v('line')), get(this.#stampKey))),
        set(this.#known, i64.load(v('place'), place)),
        ifThen(i32.and(isNew, i32.eq(high(known), v('stamp'))), this.#probe()),
        i64.store(v('place'), key, place),
        i32.store(v('outAt'), i32.add(v('line'), v('firstLine'))),
        this.#add('outAt', times4(i32.and(isNew, i32.ne(v('line'), i32.const(-1))))),
      ]),
    );
  }

  /** Emits the probe for the slot of the current line, or for the first free slot. */
  #probe(): Stmt[] {
    const v = (name: Scalar) => this.#v(name);
    const place = { offset: this.#memory.quadTracesPtr + QUAD_TRACES.places };
    const known = get(this.#known);
    const next = i32.and(
      i32.add(v('place'), i32.const(8)),
      i32.const(8 * QUAD_TRACES.lineSlots - 1),
    );
    return [
      loop((again) => [
        this.#set('place', next),
        set(this.#known, i64.load(v('place'), place)),
        brIf(again, i32.and(i64.ne(get(this.#key), known), i32.eq(high(known), v('stamp')))),
      ]),
    ];
  }
}

function high(value: Expr): Expr {
  return i32.wrapI64(i64.shrU(value, i64.const(32)));
}

function times4(value: Expr): Expr {
  return i32.shl(value, i32.const(2));
}

function fourth(value: Expr): Expr {
  return i32.shrU(value, i32.const(2));
}
