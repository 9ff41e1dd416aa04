import { describe, expect, it } from 'vitest';
import { assemble } from './assemble.ts';
import { disassemble } from './disassemble.ts';
import { decodeInstructions, encodeInstructions, type Instruction } from './instruction.ts';
import { instructionInfo, MNEMONICS } from './instructions.ts';

const SOURCES = [
  { kind: 'register', index: 65535 },
  { kind: 'constant', index: 4095 },
  { kind: 'literal', bits: -1 },
] as const;

/** An instruction of each mnemonic, with the largest value in each field. */
const FULL_INSTRUCTIONS = MNEMONICS.map((mnemonic): Instruction => {
  const { resultCount, immediates, sources } = instructionInfo(mnemonic);
  const sourceCount = sources === 'list' ? 10 : sources.length;
  return {
    mnemonic,
    result: resultCount === 0 ? -1 : 65536 - resultCount,
    immediates: immediates.map(({ bits, names }) => (names?.length ?? 2 ** bits) - 1),
    sources: Array.from({ length: sourceCount }, (_, position) => SOURCES[position % 3]!),
  };
});

const TEXT = `.stage fragment
input r0, 3, smooth
input r1, 7, flat
builtin r2, fragCoord.y
loop
  if r2
    exit 0
  else
    fmad r0, r0, c12, 0x3f000000 ; 0.5
  endif
  continue 0
endloop
tex r4, 2, grad, cube, shadow, r0, r0, r0, r1, r1, r1, r2, r2, r2, r0
texsize r8, 2, 0x00000000 ; 0
outf 0, r4
outi 4, r8
`;

describe('instruction words', () => {
  it.each(FULL_INSTRUCTIONS)('keep every field of $mnemonic', (instruction) => {
    const { code, literals } = encodeInstructions([instruction, instruction]);
    expect(decodeInstructions(code, literals)).toEqual([instruction, instruction]);
  });

  it('are 128 bits, and a lookup with ten operands takes four of them', () => {
    const tex = FULL_INSTRUCTIONS.find(({ mnemonic }) => mnemonic === 'tex')!;
    const mov = FULL_INSTRUCTIONS.find(({ mnemonic }) => mnemonic === 'mov')!;
    expect(encodeInstructions([mov]).code.length).toBe(4);
    expect(encodeInstructions([tex]).code.length).toBe(16);
  });

  it('refuse a field that does not fit', () => {
    const load: Instruction = {
      mnemonic: 'aload',
      result: 0,
      immediates: [0, 65536],
      sources: [SOURCES[0]],
    };
    expect(() => encodeInstructions([load])).toThrow('aload: length 65536 is not from 0 to 65535');
  });

  it('refuse an opcode that no row of the table has', () => {
    expect(() => decodeInstructions(Uint32Array.of(200, 0, 0, 0), new Uint32Array())).toThrow(
      '200',
    );
  });
});

describe('assemble', () => {
  it('accepts the output of disassemble', () => {
    const program = assemble(TEXT);
    expect(disassemble(program)).toBe(TEXT);
    expect(assemble(disassemble(program))).toEqual(program);
  });

  it('derives the features that the program uses', () => {
    expect(assemble(TEXT)).toMatchObject({
      stage: 'fragment',
      registerCount: 11,
      arrayWords: 0,
      inputSlots: [3, 7],
      flatInputSlots: [7],
      outputSlots: [0, 4],
      usesDiscard: false,
      usesDerivatives: false,
      usesVertexId: false,
    });
  });

  it.each([
    ['fadd r0, r1', 'line 2: fadd: b is missing'],
    ['fadd r0, r1, r2, r3', 'line 2: fadd: r3 is an extra operand'],
    ['fadd c0, r1, r2', 'line 2: result c0 is not a register'],
    ['fadd r0, r1, x2', 'line 2: x2 is not an operand'],
    ['frobnicate r0', 'line 2: unknown instruction frobnicate'],
    ['input r0, 0, round', 'line 2: round is not a valid interpolation'],
    ['exit 0', 'exit 0 inside 0 blocks and loops'],
    ['if r0', 'found end of code, expected else or endif'],
    ['endloop', 'endloop without its start'],
    ['block\nloop\ncontinue 1\nendloop\nendblock', 'continue 1 names a block'],
  ])('refuses %j', (text, message) => {
    expect(() => assemble(`.stage fragment\n${text}`)).toThrow(message);
  });

  it.each(['discard', 'fddx r0, r1'])('refuses %s in a vertex program', (text) => {
    expect(() => assemble(`.stage vertex\n${text}`)).toThrow('fragment programs');
  });
});
