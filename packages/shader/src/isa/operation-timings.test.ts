import { describe, expect, it } from 'vitest';
import { assemble } from './assemble.ts';
import { decodeInstructions } from './instruction.ts';
import { InOrderIssue, type OperationTimings, UNIT_TIMINGS } from './operation-timings.ts';

/** Multiplications every cycle with results after 4; square roots every 4 with results after 10. */
const TIMINGS: OperationTimings = {
  ...UNIT_TIMINGS,
  alu: { issueCycles: 1, latencyCycles: 4 },
  special: { issueCycles: 4, latencyCycles: 10 },
};

/** Returns the cost of instructions, without the output that follows them. */
function costOf(text: string, timings = TIMINGS) {
  const program = assemble(`.stage vertex\ninput r0, 0, smooth\n${text}\noutf 0, r0`);
  const issue = new InOrderIssue(timings);
  for (const instruction of decodeInstructions(program.code, program.literals).slice(1, -1)) {
    issue.issue(instruction);
  }
  return issue.cost;
}

describe('in-order issue', () => {
  it('does not stall on independent instructions', () => {
    const text = 'fadd r1, r0, r0\nfmul r2, r0, r0\nfsub r3, r0, r0';
    expect(costOf(text)).toEqual({ instructions: 3, issueCycles: 3, stallCycles: 0 });
  });

  it('waits for the operand of a chain', () => {
    // Issued in cycles 0, 4 and 8.
    const text = 'fadd r1, r0, r0\nfadd r2, r1, r0\nfadd r3, r2, r0';
    expect(costOf(text)).toEqual({ instructions: 3, issueCycles: 3, stallCycles: 6 });
  });

  it('fills the latency with other instructions', () => {
    // r1 is ready in cycle 4: two instructions fill cycles 1 and 2, and one cycle is lost.
    const text = 'fadd r1, r0, r0\nfmul r2, r0, r0\nfmul r3, r0, r0\nfadd r4, r1, r0';
    expect(costOf(text)).toEqual({ instructions: 4, issueCycles: 4, stallCycles: 1 });
  });

  it('occupies the port for the cycles of the class', () => {
    // Square roots in cycles 0 to 3 and 4 to 7; the sum waits for the second until cycle 14.
    const text = 'fsqrt r1, r0\nfsqrt r2, r0\nfadd r3, r1, r2';
    expect(costOf(text)).toEqual({ instructions: 3, issueCycles: 9, stallCycles: 6 });
  });

  it('takes a cycle for each instruction with unit timings', () => {
    const text = 'fsqrt r1, r0\nfadd r2, r1, r0\nfadd r3, r2, r1';
    expect(costOf(text, UNIT_TIMINGS)).toEqual({ instructions: 3, issueCycles: 3, stallCycles: 0 });
  });
});
