/**
 * Proves that the commands of a channel keep every rule of the memory chips. The oracle compares
 * all pairs of commands in a log, without the running maxima that the model keeps.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeTimingSpec, type TimingSpecValues } from '../testing/make-timing-spec.ts';
import { DramTiming, NO_ROW } from './dram-timing.ts';

const BANKS = 8;
const LINE_CYCLES = 4;
const COLUMN = 5;

const anyRules = fc.record({
  dramBankGroups: fc.constantFrom(1, 2, 4),
  dramActivateCycles: fc.integer({ min: 1, max: 20 }),
  dramPrechargeCycles: fc.integer({ min: 1, max: 20 }),
  dramRowActiveCycles: fc.nat(40),
  dramRowCycleCycles: fc.nat(60),
  dramActivateSpacingCycles: fc.nat(8),
  dramActivateSpacingSameGroupCycles: fc.nat(10),
  dramFourActivatesCycles: fc.nat(50),
  dramColumnSpacingSameGroupCycles: fc.nat(12),
  dramReadToPrechargeCycles: fc.nat(12),
  dramWriteRecoveryCycles: fc.nat(20),
  dramWriteToReadCycles: fc.nat(10),
  dramWriteToReadSameGroupCycles: fc.nat(16),
});

const anyAccesses = fc.array(
  fc.record({
    bank: fc.nat(BANKS - 1),
    row: fc.nat(2),
    isWrite: fc.boolean(),
    isClosed: fc.boolean(),
    after: fc.nat(12),
  }),
  { maxLength: 60 },
);

interface Access {
  readonly bank: number;
  readonly row: number;
  readonly isWrite: boolean;
  /** Cycles of the commands and the end of the data; the row was opened for it or before. */
  readonly activate: number;
  readonly column: number;
  readonly end: number;
}

/** Runs accesses and returns their commands. */
function run(
  rules: Partial<TimingSpecValues>,
  accesses: readonly (typeof anyAccesses extends fc.Arbitrary<(infer T)[]> ? T : never)[],
): Access[] {
  const timing = new DramTiming(
    makeTimingSpec({ ...rules, dramBanks: BANKS, dramBytesPerCycle: 16, dramColumnCycles: COLUMN }),
  );
  const log: Access[] = [];
  let cycle = 0;
  let busFreeAt = 0;
  for (const { bank, row, isWrite, isClosed, after } of accesses) {
    cycle += after;
    if (timing.openRows[bank] !== row) timing.open(bank, row, cycle);
    const end = timing.moveLine(bank, isWrite, cycle, busFreeAt);
    busFreeAt = end;
    const column = end - LINE_CYCLES - COLUMN;
    log.push({ bank, row, isWrite, activate: timing.activatedAt[bank]!, column, end });
    if (isClosed) timing.close(bank);
  }
  return log;
}

describe('DramTiming', () => {
  it('keeps every rule between all pairs of commands', () => {
    fc.assert(
      fc.property(anyRules, anyAccesses, (rules, accesses) => {
        const log = run(rules, accesses);
        const groupOf = (bank: number) => bank & (rules.dramBankGroups - 1);
        const activates = [
          ...new Map(log.map((access) => [`${access.bank} ${access.activate}`, access])).values(),
        ];
        const apart = (later: number, earlier: number, cycles: number) => {
          // A rule of 0 cycles does not apply.
          if (cycles > 0) expect(later - earlier).toBeGreaterThanOrEqual(cycles);
        };
        for (const [i, a] of log.entries()) {
          apart(a.column, a.activate, rules.dramActivateCycles);
          for (const b of log.slice(i + 1)) {
            const isSameGroup = groupOf(a.bank) === groupOf(b.bank);
            if (isSameGroup) apart(b.column, a.column, rules.dramColumnSpacingSameGroupCycles);
            if (a.isWrite && !b.isWrite) {
              apart(b.column, a.end, rules.dramWriteToReadCycles);
              if (isSameGroup) apart(b.column, a.end, rules.dramWriteToReadSameGroupCycles);
            }
            if (a.bank !== b.bank || a.activate === b.activate) continue;
            // The row of `a` was closed between the two.
            const close = b.activate - rules.dramPrechargeCycles;
            apart(close, a.activate, rules.dramRowActiveCycles);
            apart(
              close,
              a.isWrite ? a.end : a.column,
              a.isWrite ? rules.dramWriteRecoveryCycles : rules.dramReadToPrechargeCycles,
            );
            apart(b.activate, a.activate, rules.dramRowCycleCycles);
          }
        }
        for (const [i, a] of activates.entries()) {
          for (const b of activates.slice(i + 1)) {
            apart(b.activate, a.activate, rules.dramActivateSpacingCycles);
            if (groupOf(a.bank) !== groupOf(b.bank)) continue;
            apart(b.activate, a.activate, rules.dramActivateSpacingSameGroupCycles);
          }
          const fifth = activates[i + 4];
          if (fifth !== undefined) apart(fifth.activate, a.activate, rules.dramFourActivatesCycles);
        }
      }),
    );
  });

  it('is not later than the rules: an idle bank takes row, column and data time', () => {
    const [read] = run({ dramBankGroups: 1, dramActivateCycles: 7, dramPrechargeCycles: 9 }, [
      { bank: 0, row: 1, isWrite: false, isClosed: false, after: 100 },
    ]);
    expect(read).toMatchObject({ activate: 100, column: 107, end: 107 + COLUMN + LINE_CYCLES });
  });

  it('opens nothing twice and reports closed rows', () => {
    const timing = new DramTiming(
      makeTimingSpec({ dramBanks: BANKS, dramBankGroups: 1, dramBytesPerCycle: 16 }),
    );
    timing.open(3, 5, 0);
    expect(timing.openRows[3]).toBe(5);
    timing.close(3);
    expect(timing.openRows[3]).toBe(NO_ROW);
  });
});
