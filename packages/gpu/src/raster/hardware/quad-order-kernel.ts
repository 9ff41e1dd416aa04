/**
 * Code of the entry walk for the quads of a primitive: their positions in its blocks, and their
 * order.
 */
import { QUAD_RECORD } from '@tessera/shader/codegen';
import {
  block,
  br,
  brIf,
  createLabel,
  type Expr,
  i32,
  ifThen,
  loop,
  type Stmt,
  v128,
} from '@tessera/shader/wasm';
import { KernelCode } from '../../kernel/kernel-code.ts';
import type { ChipletMemory } from '../../memory/chiplet-memory.ts';
import { ENTRY_WALK } from '../../records/entry-walk-layout.ts';
import { blockOf, type WalkScalar, type WalkVariables } from './entry-walk-variables.ts';

/** Emits the code that sorts the quads of a primitive. */
export class QuadOrder {
  readonly #memory: ChipletMemory;
  readonly #at: WalkVariables;

  constructor(memory: ChipletMemory, variables: WalkVariables) {
    this.#memory = memory;
    this.#at = variables;
  }

  /** Emits the collection of masks and numbers, by block, of the primitive's quads from `quad`. */
  gather(primitiveNumber: Expr): Stmt[] {
    const { entryWalkPtr, quadsPtr } = this.#memory;
    const code = new KernelCode(this.#at.fn);
    const primitive = code.keep(primitiveNumber);
    const gathered = createLabel('quads gathered');
    code.add(
      block(
        loop((again) => {
          const inner = new KernelCode(this.#at.fn);
          inner.add(brIf(gathered, i32.geS(this.#at.get('quad'), this.#at.param('endQuad'))));
          const at = inner.keep(i32.mul(this.#at.get('quad'), i32.const(QUAD_RECORD.bytes)));
          const field = (word: number) => i32.load(at, { offset: quadsPtr + 4 * word });
          inner.add(brIf(gathered, i32.ne(field(3), primitive)));
          const x = inner.keep(i32.sub(field(0), this.#at.param('left')));
          const row16 = i32.load16U(at, { offset: quadsPtr + QUAD_RECORD.y });
          const y = inner.keep(i32.sub(row16, this.#at.param('top')));
          const lanes = inner.keep(field(2));
          const bits = i32.or(
            i32.and(lanes, i32.const(3)),
            i32.shl(i32.and(lanes, i32.const(12)), i32.const(2)),
          );
          const column = inner.keep(i32.and(x, i32.const(2)));
          const row = inner.keep(i32.and(y, i32.const(2)));
          const blockNumber = inner.keep(blockOf(x, y));
          const maskAt = inner.keep(i32.shl(blockNumber, i32.const(2)));
          const shift = i32.or(column, i32.shl(row, i32.const(2)));
          const masks = { offset: entryWalkPtr + ENTRY_WALK.depthMasks };
          const quadOfBlock = i32.or(i32.shrU(column, i32.const(1)), row);
          inner.add(
            i32.store(maskAt, i32.or(i32.load(maskAt, masks), i32.shl(bits, shift)), masks),
            i32.store(i32.shl(i32.or(maskAt, quadOfBlock), i32.const(2)), this.#at.get('quad'), {
              offset: entryWalkPtr + ENTRY_WALK.quadNumbers,
            }),
            this.#at.add('quad', 1),
            br(again),
          );
          return inner.statements;
        }),
        gathered,
      ),
    );
    return code.statements;
  }

  /** Emits the sort of the entry's quads, and of the depths beside them, into packing order. */
  sort(count: Expr, packedPtr: Expr): Stmt[] {
    const { entryWalkPtr, quadsPtr, quadDepthsPtr } = this.#memory;
    const v = (name: WalkScalar) => this.#at.get(name);
    const packed = (index: Expr) => i32.load(i32.add(packedPtr, i32.shl(index, i32.const(2))));
    const sorted = createLabel('sorted');
    const copies = entryWalkPtr + ENTRY_WALK.quadCopies;
    const bytes = (index: Expr) => i32.shl(index, i32.const(4));
    const reorder = (pool: number): Stmt[] => [
      this.#at.set('at', v('sorted')),
      loop((again) => [
        v128.store(
          bytes(v('at')),
          v128.load(bytes(i32.add(v('firstOfEntry'), v('at'))), { offset: pool }),
          { offset: copies },
        ),
        this.#at.add('at', 1),
        brIf(again, i32.ltU(v('at'), count)),
      ]),
      this.#at.set('at', v('sorted')),
      loop((again) => [
        v128.store(
          bytes(i32.add(v('firstOfEntry'), v('at'))),
          v128.load(bytes(i32.sub(packed(v('at')), v('firstOfEntry'))), { offset: copies }),
          { offset: pool },
        ),
        this.#at.add('at', 1),
        brIf(again, i32.ltU(v('at'), count)),
      ]),
    ];
    return [
      this.#at.set('sorted', i32.const(0)),
      block(
        [
          block((unsorted) => [
            loop((again) => [
              brIf(sorted, i32.geU(v('sorted'), count)),
              brIf(unsorted, i32.ne(packed(v('sorted')), i32.add(v('firstOfEntry'), v('sorted')))),
              this.#at.add('sorted', 1),
              br(again),
            ]),
          ]),
          ...reorder(quadsPtr),
          ifThen(this.#at.param('hasDepths'), reorder(quadDepthsPtr)),
        ],
        sorted,
      ),
    ];
  }
}
