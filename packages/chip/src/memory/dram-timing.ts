/**
 * Commands to the banks of one memory channel and the times between them that the memory chips
 * require (JEDEC's names in parentheses): rows are closed, opened, and read or written column by
 * column. The rules within a bank group are longer than those between groups (GDDR6, JESD250;
 * LPDDR5, JESD209-5; HBM, JESD235). A rule of 0 cycles does not apply.
 */

import { divide, greater } from '../portable/integers.ts';
import type { i32 } from '../portable/number-types.ts';
import { LINE_BYTES } from '../records/memory-line.ts';
import type { TimingSpec } from '../records/timing-spec.generated.ts';

/** Value of a bank without an open row. */
export const NO_ROW = -1;
/** Cycle of a command that was never given, earlier than all others by more than any rule. */
const LONG_AGO = -1_000_000;
/** Number of rows that tFAW limits. */
const ACTIVATES = 4;

/** Open rows and the cycles from which commands are allowed. */
export class DramTiming {
  /** Open row by bank, or NO_ROW. */
  readonly openRows: Int32Array;
  private readonly spec: TimingSpec;
  private readonly groupMask: i32;
  private readonly lineCycles: i32;
  /** Cycle in which a row was last opened, by bank. */
  readonly activatedAt: Int32Array;
  /** Cycle from which the columns of the open row can be accessed, by bank. */
  private readonly rowOpenAt: Int32Array;
  /**
   * Cycle from which the row of a bank may be closed, and from which a row may be opened, by bank.
   */
  private readonly closableAt: Int32Array;
  private readonly openableAt: Int32Array;
  /** Cycle of the last row opened, of the last four, and by bank group. */
  private lastActivate: i32 = LONG_AGO;
  private readonly activates: Int32Array = new Int32Array(ACTIVATES);
  private oldestActivate: i32 = 0;
  private readonly groupActivates: Int32Array;
  /** Cycle of the last column access and end of the last data written, by bank group. */
  private readonly groupColumns: Int32Array;
  private readonly groupWriteEnds: Int32Array;
  private lastWriteEnd: i32 = LONG_AGO;

  constructor(spec: TimingSpec) {
    this.spec = spec;
    this.groupMask = spec.dramBankGroups - 1;
    this.lineCycles = divide(LINE_BYTES, spec.dramBytesPerCycle);
    this.openRows = new Int32Array(spec.dramBanks);
    this.activatedAt = new Int32Array(spec.dramBanks);
    this.rowOpenAt = new Int32Array(spec.dramBanks);
    this.closableAt = new Int32Array(spec.dramBanks);
    this.openableAt = new Int32Array(spec.dramBanks);
    this.groupActivates = new Int32Array(spec.dramBankGroups);
    this.groupColumns = new Int32Array(spec.dramBankGroups);
    this.groupWriteEnds = new Int32Array(spec.dramBankGroups);
    this.reset();
  }

  reset(): void {
    this.openRows.fill(NO_ROW);
    this.activatedAt.fill(LONG_AGO);
    this.rowOpenAt.fill(0);
    this.closableAt.fill(0);
    this.openableAt.fill(0);
    this.lastActivate = LONG_AGO;
    this.activates.fill(LONG_AGO);
    this.oldestActivate = 0;
    this.groupActivates.fill(LONG_AGO);
    this.groupColumns.fill(LONG_AGO);
    this.groupWriteEnds.fill(LONG_AGO);
    this.lastWriteEnd = LONG_AGO;
  }

  /** Returns whether a bank may close its open row, or open one if it has none, in a cycle. */
  canOpen(bank: i32, cycle: i32): boolean {
    const from = this.openRows[bank] === NO_ROW ? this.openableAt[bank]! : this.closableAt[bank]!;
    return from <= cycle;
  }

  /** Opens a row from `cycle` on, after closing the bank's open row. */
  open(bank: i32, row: i32, cycle: i32): void {
    const spec = this.spec;
    if (this.openRows[bank] !== NO_ROW) {
      this.closableAt[bank] = greater(this.closableAt[bank]!, cycle);
      this.close(bank);
    }
    const group = bank & this.groupMask;
    let at = greater(cycle, this.openableAt[bank]!);
    if (spec.dramRowCycleCycles > 0) {
      at = greater(at, this.activatedAt[bank]! + spec.dramRowCycleCycles);
    }
    if (spec.dramActivateSpacingCycles > 0) {
      at = greater(at, this.lastActivate + spec.dramActivateSpacingCycles);
    }
    if (spec.dramActivateSpacingSameGroupCycles > 0) {
      at = greater(at, this.groupActivates[group]! + spec.dramActivateSpacingSameGroupCycles);
    }
    if (spec.dramFourActivatesCycles > 0) {
      // In order, so that the fourth last is also the fourth latest.
      at = greater(at, this.lastActivate);
      at = greater(at, this.activates[this.oldestActivate]! + spec.dramFourActivatesCycles);
    }
    this.openRows[bank] = row;
    this.activatedAt[bank] = at;
    this.lastActivate = at;
    this.groupActivates[group] = at;
    this.activates[this.oldestActivate] = at;
    this.oldestActivate = (this.oldestActivate + 1) % ACTIVATES;
    this.rowOpenAt[bank] = at + spec.dramActivateCycles;
    this.closableAt[bank] = at + spec.dramRowActiveCycles;
  }

  /**
   * Transfers a line of the bank's open row.
   *
   * @param busFreeAt Cycle from which the data bus can be used in this direction.
   * @returns The cycle in which its last byte has been transferred.
   */
  moveLine(bank: i32, isWrite: boolean, cycle: i32, busFreeAt: i32): i32 {
    const spec = this.spec;
    const group = bank & this.groupMask;
    let column = greater(cycle, this.rowOpenAt[bank]!);
    if (spec.dramColumnSpacingSameGroupCycles > 0) {
      column = greater(column, this.groupColumns[group]! + spec.dramColumnSpacingSameGroupCycles);
    }
    if (!isWrite && spec.dramWriteToReadCycles > 0) {
      column = greater(column, this.lastWriteEnd + spec.dramWriteToReadCycles);
    }
    if (!isWrite && spec.dramWriteToReadSameGroupCycles > 0) {
      column = greater(column, this.groupWriteEnds[group]! + spec.dramWriteToReadSameGroupCycles);
    }
    const start = greater(busFreeAt, column + spec.dramColumnCycles);
    const end = start + this.lineCycles;
    const access = start - spec.dramColumnCycles;
    this.groupColumns[group] = access;
    if (isWrite) {
      this.lastWriteEnd = end;
      this.groupWriteEnds[group] = end;
    }
    const closable = isWrite
      ? end + spec.dramWriteRecoveryCycles
      : access + spec.dramReadToPrechargeCycles;
    this.closableAt[bank] = greater(this.closableAt[bank]!, closable);
    return end;
  }

  /** Closes the bank's row as soon as that is allowed. */
  close(bank: i32): void {
    this.openRows[bank] = NO_ROW;
    this.openableAt[bank] = this.closableAt[bank]! + this.spec.dramPrechargeCycles;
  }

  /** Closes all rows for a refresh that ends in `cycle`. */
  closeAll(cycle: i32): void {
    this.openRows.fill(NO_ROW);
    this.openableAt.fill(cycle);
  }
}
