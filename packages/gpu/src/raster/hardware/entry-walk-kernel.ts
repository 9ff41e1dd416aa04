/**
 * Kernel of entry-walk.ts for one sample per pixel: WebAssembly SIMD, one lane per edge. For the
 * entries of a fine bin, its results equal those of seven-level-traversal.ts, block-depths.ts
 * and the packing order, which process entries one by one. A module imports `env.memory` and
 * exports `run` (EntryWalkRun in entry-walk-variables.ts).
 *
 * Edge values are doubled, so that half a pixel is a whole number, and relative to the fine bin's
 * corner. They are 32-bit integers clamped to ±2^30. Clamping changes no sign, because all tests
 * together move a value by less (entry-edges-kernel.ts). Tiles are numbered by their first block in
 * Z-order, the order of the recursion. The four sub-tiles of a tile are tested together, one per
 * lane.
 */

import { LEVEL_COUNT, MAX_BIN_BLOCKS, POSITION_BITS } from '@tessera/chip/records';
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
  type Label,
  type Local,
  loop,
  ret,
  type Stmt,
  select,
  set,
  v128,
} from '@tessera/shader/wasm';
import { encodeKernel } from '../../kernel/encode-kernel.ts';
import { KernelCode } from '../../kernel/kernel-code.ts';
import { type ChipletMemory, RASTER_RECORD_BYTES } from '../../memory/chiplet-memory.ts';
import { DEPTH_USES, ENTRY_WALK } from '../../records/entry-walk-layout.ts';
import { BOX_X0, BOX_X1, BOX_Y0, BOX_Y1, PRIMITIVE_RECORD } from '../../records/raster-record.ts';
import { BlockDepthsCode } from './block-depths-kernel.ts';
import { BlockMasks } from './block-mask-kernel.ts';
import { emitEdges } from './entry-edges-kernel.ts';
import {
  BLOCK_LOG2,
  type Bounds,
  blockOf,
  ENTRY_WALK_PARAMS,
  type EntryWalkParam,
  QUARTERS,
  type Quarter,
  splatLane,
  type WalkScalar,
  WalkVariables,
} from './entry-walk-variables.ts';
import { QuadOrder } from './quad-order-kernel.ts';
import type { TraversalSwitches } from './seven-level-traversal.ts';

/** Width of one counter of passing tiles in a 64-bit word of five counters, in bits. */
const SIZE_BITS = 12;
/** Number of tile sizes above blocks: 4 × 2^n pixels. */
const TILE_SIZES = 5;

/**
 * Returns the module for a chiplet's memory.
 *
 * @param switches Switches of the rasterizer.
 */
export function generateEntryWalkKernel(
  memory: ChipletMemory,
  switches: TraversalSwitches,
): Uint8Array<ArrayBuffer> {
  return encodeKernel(
    'walkEntries',
    ENTRY_WALK_PARAMS.map(() => 'i32' as const),
    ['i32'],
    (fn) => {
      fn.emit(...new WalkEmitter(memory, switches, fn).emit());
    },
  );
}

class WalkEmitter {
  readonly #memory: ChipletMemory;
  readonly #switches: TraversalSwitches;
  readonly #at: WalkVariables;
  readonly #masks: BlockMasks;
  readonly #depths: BlockDepthsCode;
  readonly #quads: QuadOrder;
  readonly #done = createLabel('entries done');
  /** Tiles that passed in the entry, by size. */
  readonly #passed: Local;

  constructor(memory: ChipletMemory, switches: TraversalSwitches, fn: FunctionBuilder) {
    this.#memory = memory;
    this.#switches = switches;
    this.#at = new WalkVariables(fn);
    this.#passed = fn.local('i64');
    this.#masks = new BlockMasks(switches, this.#at);
    this.#depths = new BlockDepthsCode(this.#at);
    this.#quads = new QuadOrder(memory, this.#at);
  }

  /** Emits the function, a loop over the entries. */
  emit(): Stmt[] {
    const { entryWalkPtr } = this.#memory;
    const blocksPtr = entryWalkPtr + ENTRY_WALK.blocks;
    const roomEnd = blocksPtr + ENTRY_WALK.blockBytes * ENTRY_WALK.blocksBeforeStop;
    const totals = [
      ['fragments', ENTRY_WALK.fragments],
      ['passed6', ENTRY_WALK.subTiles + 4 * (LEVEL_COUNT - 2)],
      ['passed7', ENTRY_WALK.subTiles + 4 * (LEVEL_COUNT - 1)],
      ['quad', ENTRY_WALK.quad],
    ] as const;
    const clear = i32x4.const([0, 0, 0, 0]);
    return [
      v128.store(i32.const(entryWalkPtr), clear, { offset: ENTRY_WALK.subTiles }),
      v128.store(i32.const(entryWalkPtr), clear, { offset: ENTRY_WALK.subTiles + 16 }),
      this.#at.setVector('lanes', i32x4.const([0, 1, 2, 3])),
      this.#at.set('quad', this.#at.param('firstQuad')),
      this.#at.set('blockAt', i32.const(blocksPtr)),
      this.#at.set('entryAt', i32.const(entryWalkPtr + ENTRY_WALK.entries)),
      block(
        loop((again) => [
          brIf(this.#done, i32.geU(this.#at.get('index'), this.#at.param('entryCount'))),
          brIf(this.#done, i32.gtU(this.#at.get('blockAt'), i32.const(roomEnd))),
          ...this.#emitEntry(),
          this.#at.add('index', 1),
          br(again),
        ]),
        this.#done,
      ),
      ...totals.map(([name, offset]) =>
        i32.store(i32.const(entryWalkPtr + offset), this.#at.get(name)),
      ),
      ret(this.#at.get('index')),
    ];
  }

  #emitEntry(): Stmt[] {
    const code = new KernelCode(this.#at.fn);
    const { entryWalkPtr, rasterRecordsPtr } = this.#memory;
    const entry = i32.load(
      i32.add(this.#at.param('entriesPtr'), i32.shl(this.#at.get('index'), i32.const(2))),
    );
    const record = code.keep(
      i32.add(i32.const(rasterRecordsPtr), i32.mul(entry, i32.const(RASTER_RECORD_BYTES))),
    );
    emitEdges(code, this.#at, record, this.#switches.tilePoint === 'corner', this.#done);
    code.add(
      this.#at.set('firstOfEntry', this.#at.get('quad')),
      ...this.#quads.gather(i32.load(record, { offset: 4 * PRIMITIVE_RECORD })),
      this.#at.set('packed', i32.const(0)),
      this.#at.set('lastLevelBlocks', i32.const(0)),
      this.#at.set('entryTiles', i32.const(0)),
      set(this.#passed, i64.const(0n)),
      this.#at.set('firstBlock', this.#at.get('blockAt')),
    );
    const walked = createLabel('entry walked');
    code.add(
      block(
        code.branch((inner) => this.#emitWalk(inner, record, walked)),
        walked,
      ),
    );
    this.#emitCounts(code);
    // Words of the entry itself.
    const blockBytes = i32.sub(this.#at.get('blockAt'), this.#at.get('firstBlock'));
    code.add(
      i32.store(this.#at.get('entryAt'), this.#at.get('steps')),
      i32.store(this.#at.get('entryAt'), i32.divU(blockBytes, i32.const(ENTRY_WALK.blockBytes)), {
        offset: 4,
      }),
      this.#at.add('entryAt', ENTRY_WALK.entryBytes),
    );
    // Each quad of the entry belongs to one of its blocks.
    const quads = code.keep(i32.sub(this.#at.get('quad'), this.#at.get('firstOfEntry')));
    const packed = code.keep(i32.shrU(this.#at.get('packed'), i32.const(2)));
    code.add(
      ifThen(i32.ne(quads, packed), ret(i32.const(ENTRY_WALK.failures.lostQuads))),
      ...this.#quads.sort(packed, i32.const(entryWalkPtr + ENTRY_WALK.packed)),
    );
    return code.statements;
  }

  /** Emits the primitive's box, its entry level, and the walk of that level's tiles in the box. */
  #emitWalk(code: KernelCode, record: Expr, walked: Label): void {
    const v = (name: WalkScalar) => this.#at.get(name);
    const cut = (
      name: 'x0' | 'y0' | 'x1' | 'y1',
      word: number,
      bound: EntryWalkParam,
      isLow: boolean,
    ) => {
      const value = code.keep(i32.load(record, { offset: 4 * word }));
      const isCut = isLow
        ? i32.gtS(value, this.#at.param(bound))
        : i32.ltS(value, this.#at.param(bound));
      code.add(this.#at.set(name, select(value, this.#at.param(bound), isCut)));
    };
    cut('x0', BOX_X0, 'left', true);
    cut('y0', BOX_Y0, 'top', true);
    cut('x1', BOX_X1, 'right', false);
    cut('y1', BOX_Y1, 'bottom', false);
    const spanX = code.keep(i32.sub(v('x1'), v('x0')));
    const spanY = code.keep(i32.sub(v('y1'), v('y0')));
    code.add(brIf(walked, i32.ltS(i32.or(spanX, spanY), i32.const(0))));
    this.#depths.emitPlane(code, record);

    // 1. The entry level. The log2 of its tile size is at least 1.
    const span = i32.or(i32.or(spanX, spanY), i32.const(1));
    const entryLog2 = code.keep(
      this.#switches.entersAtBoxLevel
        ? i32.sub(i32.const(32), i32.clz(span))
        : i32.const(LEVEL_COUNT),
    );
    const isBlock = code.keep(i32.leU(entryLog2, i32.const(BLOCK_LOG2)));
    code.add(
      this.#at.set('isLevel6', i32.gtU(entryLog2, i32.const(1))),
      // Tiles of several blocks: log2 of their edge in blocks. Smaller ones are tested as blocks.
      this.#at.set(
        'tileLog2',
        select(i32.const(0), i32.sub(entryLog2, i32.const(BLOCK_LOG2)), isBlock),
      ),
      this.#at.set(
        'tileStep',
        i32.shl(i32.const(1), i32.add(v('tileLog2'), i32.const(BLOCK_LOG2))),
      ),
      this.#at.set('tileY', i32.and(v('y0'), i32.sub(i32.const(0), v('tileStep')))),
      loop((nextRow) => [
        this.#at.set('tileX', i32.and(v('x0'), i32.sub(i32.const(0), v('tileStep')))),
        loop((nextTile) => [
          this.#at.add('entryTiles', 1),
          ...this.#walkTile(),
          this.#at.add('tileX', v('tileStep')),
          brIf(nextTile, i32.leS(v('tileX'), v('x1'))),
        ]),
        this.#at.add('tileY', v('tileStep')),
        brIf(nextRow, i32.leS(v('tileY'), v('y1'))),
      ]),
    );
  }

  /**
   * Emits the walk of the tile at which the primitive enters. For divided tiles, `pending` has a
   * bit per passing sub-tile not yet visited, four per size. The lowest bit is the next one in the
   * order of the recursion.
   */
  #walkTile(): Stmt[] {
    const v = (name: WalkScalar) => this.#at.get(name);
    const one = i32.const(1);
    return [
      this.#at.set('place', i32.const(0)),
      this.#at.set('sizeLog2', v('tileLog2')),
      this.#at.set('pending', i32.const(0)),
      loop((again) => {
        const code = new KernelCode(this.#at.fn);
        const blocks = (bits: Expr) => i32.shl(evenBits(code, bits), i32.const(BLOCK_LOG2));
        code.add(
          this.#at.set('x', i32.add(v('tileX'), blocks(v('place')))),
          this.#at.set('y', i32.add(v('tileY'), blocks(i32.shrU(v('place'), one)))),
        );
        const along = (step: 'stepX' | 'stepY', position: Expr) =>
          i32x4.mul(this.#at.vector(step), i32x4.splat(position));
        const fromLeft = along('stepX', i32.sub(v('x'), this.#at.param('left')));
        const fromTop = along('stepY', i32.sub(v('y'), this.#at.param('top')));
        code.add(
          this.#at.setVector(
            'edges',
            i32x4.add(i32x4.add(this.#at.vector('start'), fromLeft), fromTop),
          ),
          block((next) =>
            code.branch((inner) => {
              const divided = inner.branch((tile) => this.#divideTile(tile));
              inner.add(ifThen(v('sizeLog2'), [...divided, br(next)]));
              this.#emitBlock(inner, next);
            }),
          ),
        );
        // The low bits of a tile's place number its sub-tile.
        const first = code.branch((inner) => {
          const bit = inner.keep(i32.ctz(v('pending')));
          const low = inner.keep(i32.shl(i32.shrU(bit, i32.const(2)), one));
          inner.add(
            this.#at.set('pending', i32.and(v('pending'), i32.sub(v('pending'), one))),
            this.#at.set('sizeLog2', i32.shrU(bit, i32.const(2))),
            this.#at.set(
              'place',
              i32.or(
                i32.and(v('place'), i32.shl(i32.const(-4), low)),
                i32.shl(i32.and(bit, i32.const(3)), low),
              ),
            ),
            br(again),
          );
        });
        code.add(ifThen(v('pending'), first));
        return code.statements;
      }),
    ];
  }

  /** Emits the test of the four sub-tiles of the tile at x, y, one per lane. */
  #divideTile(code: KernelCode): void {
    const v = (name: WalkScalar) => this.#at.get(name);
    const size = code.keep(i32.shl(i32.const(1 << (BLOCK_LOG2 - 1)), v('sizeLog2')));
    const sizes = code.keep(i32x4.splat(size));
    const last = code.keep(i32x4.sub(sizes, code.splatI(1)));
    const isRight = i32x4.const([0, -1, 0, -1]);
    const isBelow = i32x4.const([0, 0, -1, -1]);
    const x = code.keep(i32x4.add(i32x4.splat(v('x')), v128.and(sizes, isRight)));
    const y = code.keep(i32x4.add(i32x4.splat(v('y')), v128.and(sizes, isBelow)));
    const [x0, y0, x1, y1]: Bounds = this.#switches.hasBoxTest
      ? [v('x0'), v('y0'), v('x1'), v('y1')]
      : this.#at.rectangle;
    const highest = (k: Quarter) =>
      i32x4.add(
        splatLane(this.#at.vector('edges'), k),
        i32x4.sub(i32x4.mul(this.#at.vector(`subTiles${k}`), sizes), this.#at.vector(`rise${k}`)),
      );
    // Signs that mark a sub-tile as outside of an edge or of the bounds.
    const outside = [
      highest(0),
      highest(1),
      highest(2),
      i32x4.sub(i32x4.add(x, last), i32x4.splat(x0)),
      i32x4.sub(i32x4.add(y, last), i32x4.splat(y0)),
      i32x4.sub(i32x4.splat(x1), x),
      i32x4.sub(i32x4.splat(y1), y),
    ].reduce((all, one) => v128.or(all, one));
    code.add(
      this.#at.setVector('outside', outside),
      ifThen(
        i32.eq(v('edgeCount'), i32.const(QUARTERS.length)),
        this.#at.setVector('outside', v128.or(this.#at.vector('outside'), highest(3))),
      ),
    );
    const passing = code.keep(i32.xor(i32x4.bitmask(this.#at.vector('outside')), i32.const(15)));
    const subSize = code.keep(i32.sub(v('sizeLog2'), i32.const(1)));
    const field = i64.extendI32U(i32.mul(subSize, i32.const(SIZE_BITS)));
    const count = i64.extendI32U(i32.popcnt(passing));
    code.add(
      set(this.#passed, i64.add(get(this.#passed), i64.shl(count, field))),
      this.#at.set(
        'pending',
        i32.or(v('pending'), i32.shl(passing, i32.shl(subSize, i32.const(2)))),
      ),
    );
  }

  /** Emits levels 6 and 7 of the block at x, y. Writes the block if it has a covered sample. */
  #emitBlock(code: KernelCode, next: Label): void {
    const { entryWalkPtr } = this.#memory;
    const v = (name: WalkScalar) => this.#at.get(name);
    this.#masks.emit(code);
    const mask = v('mask');
    code.add(brIf(next, i32.eqz(mask)));
    const blockNumber = blockOf(
      i32.sub(v('x'), this.#at.param('left')),
      i32.sub(v('y'), this.#at.param('top')),
    );
    const maskAt = code.keep(i32.shl(blockNumber, i32.const(2)));
    const masks = { offset: entryWalkPtr + ENTRY_WALK.depthMasks };
    const passed = code.keep(i32.load(maskAt, masks));
    const depths = this.#depths.emit(code, v('x'), v('y'), i32.eq(mask, i32.const(0xffff)));
    const raises = i32.eq(this.#at.param('depthUse'), i32.const(DEPTH_USES.raise));
    const others = i32.and(passed, i32.xor(mask, i32.const(-1)));
    const blockOfPx = (px: Expr) =>
      i32.and(i32.shrS(px, i32.const(BLOCK_LOG2)), i32.const(MAX_BIN_BLOCKS - 1));
    const place = i32.or(
      blockOfPx(v('x')),
      i32.shl(blockOfPx(v('y')), i32.const(POSITION_BITS / 2)),
    );
    code.add(
      i32.store(maskAt, i32.const(0), masks),
      ifThen(others, [
        v128.store(
          i32.const(entryWalkPtr + ENTRY_WALK.failed),
          i32x4.replaceLane(
            i32x4.replaceLane(i32x4.replaceLane(i32x4.splat(v('x')), 1, v('y')), 2, mask),
            3,
            passed,
          ),
        ),
        ret(i32.const(ENTRY_WALK.failures.masksDisagree)),
      ]),
      this.#at.add('fragments', i32.popcnt(mask)),
      i32.store(v('blockAt'), i32.or(place, i32.shl(raises, i32.const(POSITION_BITS)))),
      i32.store(v('blockAt'), i32.or(mask, i32.shl(passed, i32.const(16))), { offset: 4 }),
      i32.store(v('blockAt'), this.#at.param('draw'), { offset: 8 }),
      i32.store(v('blockAt'), depths, { offset: 12 }),
      this.#at.add('blockAt', ENTRY_WALK.blockBytes),
      ifThen(
        passed,
        [0x0033, 0x00cc, 0x3300, 0xcc00].flatMap((lanes, quad) => [
          // The number stays if the quad exists. Otherwise the next one overwrites it.
          i32.store(
            v('packed'),
            i32.load(i32.shl(maskAt, i32.const(2)), {
              offset: entryWalkPtr + ENTRY_WALK.quadNumbers + 4 * quad,
            }),
            { offset: entryWalkPtr + ENTRY_WALK.packed },
          ),
          this.#at.add(
            'packed',
            i32.shl(i32.ne(i32.and(passed, i32.const(lanes)), i32.const(0)), i32.const(2)),
          ),
        ]),
      ),
    );
  }

  /**
   * Emits `steps`, the cycles of the slowest level, and adds to the sub-tiles passed by levels 1 to
   * 5.
   */
  #emitCounts(code: KernelCode): void {
    const { entryWalkPtr } = this.#memory;
    const raise = (to: KernelCode, value: Expr) => {
      const isMore = i32.gtS(value, this.#at.get('steps'));
      to.add(this.#at.set('steps', select(value, this.#at.get('steps'), isMore)));
    };
    const counts = code.branch((inner) => {
      for (let size = 0; size < TILE_SIZES; size++) {
        const field = i64.shrU(get(this.#passed), i64.const(BigInt(SIZE_BITS * size)));
        const count = inner.keep(i32.and(i32.wrapI64(field), i32.const((1 << SIZE_BITS) - 1)));
        const total = { offset: ENTRY_WALK.subTiles + 4 * (TILE_SIZES - 1 - size) };
        const base = i32.const(entryWalkPtr);
        inner.add(i32.store(base, i32.add(i32.load(base, total), count), total));
        raise(inner, count);
      }
    });
    // Level 7 takes one block per cycle. If a primitive enters there, no tiles precede it.
    code.add(this.#at.set('steps', i32.const(1)));
    raise(code, this.#at.get('lastLevelBlocks'));
    raise(
      code,
      code.keep(select(this.#at.get('entryTiles'), i32.const(0), this.#at.get('isLevel6'))),
    );
    code.add(ifThen(i64.ne(get(this.#passed), i64.const(0n)), counts));
  }
}

/** Returns bits 0, 2, 4, 6 and 8, moved together. */
function evenBits(code: KernelCode, bits: Expr): Expr {
  const fold = (value: Expr, shift: number, mask: number) => {
    const kept = code.keep(value);
    return i32.and(i32.or(kept, i32.shrU(kept, i32.const(shift))), i32.const(mask));
  };
  return fold(fold(fold(i32.and(bits, i32.const(0x155)), 1, 0x133), 2, 0x10f), 4, 0x1f);
}
