/**
 * Functions of the instructions that change the execution mask. Each returns the address of the
 * next word. If no lane is left, that is the next place where lanes may become active again.
 *
 * Every construct has an entry in the control stack, two rows of masks. Its place is known when the
 * program is linked:
 *
 *     if            waiting: lanes of the other side     second: lanes that have run the first side
 *     block         waiting: lanes that left by `exit`
 *     loop          waiting: lanes that left by `exit`   second: lanes that wait for the next round
 */

import { ZERO } from '../codegen/vector-operators.ts';
import type { Mnemonic } from '../isa/instructions.ts';
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
  select,
  set,
  v128,
  type WasmModuleBuilder,
} from '../wasm/index.ts';
import { InstructionCode } from './instruction-code.ts';
import { ENTRY_BYTES_LOG2, NEXT_WORD, ROW_BYTES, SCRATCH } from './interpreter-memory.ts';

const WORD_BYTES = 16;
/** Offsets of the rows in an entry. */
const WAITING = 0;
const SECOND = ROW_BYTES;

/** Adds a function for each control instruction. */
export function addControlFunctions(module: WasmModuleBuilder): Map<Mnemonic, FunctionBuilder> {
  const rows: Partial<Record<Mnemonic, (code: ControlCode) => void>> = {
    if: emitIf,
    else: (code) =>
      code.overEntry(() => {
        code.storeEntry(SECOND, code.active());
        code.setActive(code.entryVector(WAITING));
        code.storeEntry(WAITING, ZERO);
      }),
    endif: (code) =>
      code.overEntry(() => {
        const sides = v128.or(code.entryVector(WAITING), code.entryVector(SECOND));
        code.setActive(v128.or(code.active(), sides));
      }),
    block: (code) => code.overEntry(() => code.enter()),
    endblock: (code) =>
      code.overEntry(() => code.setActive(v128.or(code.active(), code.entryVector(WAITING)))),
    loop: (code) => {
      code.overEntry(() => {
        code.enter();
        code.charge();
      });
      code.stopIfSpent();
    },
    endloop: emitEndLoop,
    exit: (code) => code.overEntry(() => leaveTo(code, WAITING)),
    continue: (code) => code.overEntry(() => leaveTo(code, SECOND)),
  };
  return new Map(
    Object.entries(rows).map(([name, emit]) => {
      const mnemonic = name as Mnemonic; // the keys are those of the table above
      const code = new ControlCode(module, mnemonic);
      emit(code);
      return [mnemonic, code.finishSkipping(mnemonic === 'endloop' ? 3 : 2)];
    }),
  );
}

function emitIf(code: ControlCode): void {
  const condition = code.source(1);
  code.overEntry(() => {
    const lanes = code.keep(i32x4.ne(condition, ZERO));
    const entered = code.keep(code.active());
    code.storeEntry(WAITING, v128.andnot(entered, lanes));
    code.storeEntry(SECOND, ZERO);
    code.setActive(v128.and(entered, lanes));
  });
}

function leaveTo(code: ControlCode, row: number): void {
  code.storeEntry(row, v128.or(code.entryVector(row), code.active()));
  code.setActive(ZERO);
}

/**
 * Reactivates the lanes that wait for the next round. If there are none, the lanes that left the
 * loop continue.
 */
function emitEndLoop(code: ControlCode): void {
  code.overEntry(() => {
    code.setActive(v128.or(code.active(), code.entryVector(SECOND)));
    code.storeEntry(SECOND, ZERO);
    code.charge();
  });
  const nextRound = code.collect(() => {
    code.stopIfSpent();
    code.emit(ret(code.part(2)));
  });
  code.emit(ifThen(code.isAnyActive(), nextRound));
  code.forgetActive();
  code.overEntry(() => code.setActive(code.entryVector(WAITING)));
}

/** Code of a control instruction. It walks over the rows of its entry in the control stack. */
class ControlCode {
  readonly #code: InstructionCode;
  readonly #entry: Local;
  /** Active lanes of all groups so far. */
  readonly #anyActive: Local;
  /** Lanes that have exceeded the budget. */
  readonly #overspent: Local;

  constructor(module: WasmModuleBuilder, mnemonic: Mnemonic) {
    this.#code = new InstructionCode(module, mnemonic, ['i32']);
    this.#entry = this.#code.fn.local('i32');
    this.#anyActive = this.#code.fn.local('v128');
    this.#overspent = this.#code.fn.local('v128');
  }

  readonly keep = (value: Expr): Expr => this.#code.keep(value);

  emit(statement: Stmt): void {
    this.#code.emit(statement);
  }

  collect(emitInner: () => void): Stmt[] {
    return this.#code.collect(emitInner);
  }

  part(index: number): Expr {
    return this.#code.part(index);
  }

  source(index: number): Expr {
    return this.#code.source(index);
  }

  /** Runs the code that `emitGroup` emits for every group of the warp. */
  overEntry(emitGroup: () => void): void {
    const code = this.#code;
    const index = i32.shrU(code.part(0), i32.const(16));
    const offset = i32.shl(index, i32.const(ENTRY_BYTES_LOG2));
    code.overGroups(
      () => emitGroup(),
      [{ pointer: this.#entry, address: i32.add(code.callWord(SCRATCH.stackPtr), offset) }],
    );
  }

  active(): Expr {
    return this.#code.rowVector(SCRATCH.active);
  }

  setActive(lanes: Expr): void {
    const kept = this.keep(lanes);
    this.emit(v128.store(get(this.#code.row), kept, { offset: SCRATCH.active }));
    this.emit(set(this.#anyActive, v128.or(get(this.#anyActive), kept)));
  }

  entryVector(row: number): Expr {
    return v128.load(get(this.#entry), { offset: row });
  }

  storeEntry(row: number, lanes: Expr): void {
    this.emit(v128.store(get(this.#entry), lanes, { offset: row }));
  }

  /** Clears the entry: no lane waits at it yet. */
  enter(): void {
    this.storeEntry(WAITING, ZERO);
    this.storeEntry(SECOND, ZERO);
    this.setActive(this.active());
  }

  /** Charges the active lanes of the group for one round. The price of the round is in part 1. */
  charge(): void {
    const code = this.#code;
    const price = v128.and(this.active(), i32x4.splat(code.part(1)));
    const spent = this.keep(i32x4.add(code.rowVector(SCRATCH.spent), price));
    const budget = i32x4.splat(code.callWord(SCRATCH.instructionBudget));
    this.emit(v128.store(get(code.row), spent, { offset: SCRATCH.spent }));
    this.emit(set(this.#overspent, v128.or(get(this.#overspent), i32x4.gtS(spent, budget))));
  }

  stopIfSpent(): void {
    const stop = ret(i32.const(NEXT_WORD.budgetExceeded));
    this.emit(ifThen(v128.anyTrue(get(this.#overspent)), stop));
  }

  isAnyActive(): Expr {
    return v128.anyTrue(get(this.#anyActive));
  }

  forgetActive(): void {
    this.emit(set(this.#anyActive, ZERO));
  }

  /** Ends with the next word, or with the address in part `skipPart` if no lane is left. */
  finishSkipping(skipPart: number): FunctionBuilder {
    const following = i32.add(get(this.#code.word), i32.const(WORD_BYTES));
    this.emit(ret(select(following, this.part(skipPart), this.isAnyActive())));
    return this.#code.finish();
  }
}
