import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assemble } from '../isa/assemble.ts';
import type { Instruction } from '../isa/instruction.ts';
import { findLogSites } from './log-sites.ts';
import { LookupWaits } from './lookup-waits.ts';

/** Returns a lookup with four results from register `first` on. */
function lookup(first: number, u = 'r0'): string {
  return `tex r${first}, 0, lod, 2d, color, ${u}, r1, r1`;
}

/** Returns the lookups in flight at the start of each clause that ends in a lookup. */
function inFlight(...lines: string[]): number[] {
  const text = ['.stage fragment', 'input r0, 0, smooth', 'input r1, 1, smooth', ...lines];
  const { sites } = findLogSites(assemble(text.join('\n')));
  return sites.filter(({ kind }) => kind === 'lookup').map((site) => site.lookupsInFlight);
}

const LONG_SECTION = Array.from({ length: 12 }, () => 'fadd r2, r1, r1');

describe('waits for lookups', () => {
  it('are none while no result is used', () => {
    expect(inFlight(lookup(4), lookup(8), 'fadd r2, r0, r1', lookup(12))).toEqual([0, 1, 2]);
  });

  it('are for all in a chain', () => {
    expect(inFlight(lookup(4), lookup(8, 'r4'), lookup(12, 'r8'))).toEqual([0, 0, 0]);
  });

  it('are for the lookups up to the latest that the clause uses', () => {
    const use = ['fadd r2, r4, r1', 'fadd r2, r2, r8'];
    const lookups = [lookup(4), lookup(8), lookup(12)];
    expect(inFlight(...lookups, ...use, lookup(16), lookup(20))).toEqual([0, 1, 2, 1, 4]);
  });

  it('are none for a component that is overwritten and never read', () => {
    expect(inFlight(lookup(4), lookup(8), 'fadd r7, r0, r1', lookup(12))).toEqual([0, 1, 2]);
  });

  it('are for a component that some lanes overwrite', () => {
    const masked = ['if r0', 'fadd r7, r0, r1', 'endif'];
    expect(inFlight(lookup(4), lookup(8), ...masked, lookup(12))).toEqual([0, 1, 1]);
    // Lanes that left the block keep the texel.
    const left = ['block', 'if r0', 'exit 0', 'endif', 'fadd r7, r0, r1', 'endblock'];
    expect(inFlight(lookup(4), lookup(8), ...left, lookup(12))).toEqual([0, 1, 1]);
  });

  it.each([
    ['a loop', ['loop', 'if r0', 'exit 0', 'endif', 'endloop']],
    ['a section', ['if r0', ...LONG_SECTION, 'endif']],
    ['a discard', ['discard']],
  ])('are for all in a clause with %s', (_, lines) => {
    expect(inFlight(lookup(4), ...lines, lookup(8), lookup(12))).toEqual([0, 0, 1]);
  });

  it('are for all at the start of a section or a round', () => {
    const section = ['if r0', lookup(8), lookup(12), 'endif'];
    expect(inFlight(lookup(4), ...section, lookup(16))).toEqual([0, 0, 1, 0]);
    const loop = ['loop', lookup(8), lookup(12), 'if r0', 'exit 0', 'endif', 'endloop'];
    expect(inFlight(lookup(4), ...loop, lookup(16))).toEqual([0, 0, 1, 0]);
  });

  it('let every result arrive before its use, and no later than that', () => {
    const register = fc.nat(11);
    const anyInstruction = fc
      .record({
        isLookup: fc.boolean(),
        result: register,
        sources: fc.array(register, { maxLength: 2 }),
      })
      .map(({ isLookup, result, sources }) => ({
        mnemonic: isLookup ? ('tex' as const) : ('fadd' as const),
        result,
        immediates: [],
        sources: sources.map((index) => ({ kind: 'register' as const, index })),
      }));
    fc.assert(
      fc.property(fc.array(anyInstruction, { maxLength: 40 }), (code: readonly Instruction[]) => {
        const waits = new LookupWaits();
        const writer = new Map<number, number>();
        let issued = 0;
        let latestUsed = -1;
        for (const instruction of code) {
          waits.issue(instruction);
          const { mnemonic, result, sources } = instruction;
          for (const source of sources) {
            if (source.kind !== 'register') continue;
            latestUsed = Math.max(latestUsed, writer.get(source.index) ?? -1);
          }
          if (mnemonic !== 'tex') {
            writer.delete(result);
            continue;
          }
          // Lookups 0 to `latestUsed` must have returned, all later ones need not.
          expect(waits.endClause(instruction)).toBe(issued - latestUsed - 1);
          for (let part = 0; part < 4; part++) writer.set(result + part, issued);
          issued++;
          latestUsed = -1;
        }
      }),
    );
  });
});
