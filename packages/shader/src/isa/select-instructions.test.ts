import { describe, expect, it } from 'vitest';
import type { IrNode, IrOperator, IrProgram, IrType, IrValue } from '../ir/ir.ts';
import { disassemble } from './disassemble.ts';
import { selectInstructions } from './select-instructions.ts';
import { summarizeProgram } from './statistics.ts';

const value = (id: number, type: IrType = 'f32'): IrValue => ({ id, type });
const input = (id: number, slot: number): IrNode => ({
  kind: 'input',
  result: value(id),
  slot,
  isFlat: false,
});
const apply = (op: IrOperator, id: number, operands: IrValue[], type: IrType = 'f32'): IrNode => ({
  kind: 'operator',
  op,
  result: value(id, type),
  operands,
});
const output = (slot: number, of: IrValue): IrNode => ({ kind: 'output', slot, value: of });

function select(body: IrNode[], extra: Partial<IrProgram> = {}): string[] {
  const ir: IrProgram = {
    stage: 'fragment',
    body,
    variables: [],
    arrays: [],
    valueCount: 20,
    ...extra,
  };
  return disassemble(selectInstructions(ir))
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.trim());
}

describe('selectInstructions', () => {
  it('makes constants and static uniforms operands', () => {
    const body: IrNode[] = [
      { kind: 'constant', result: value(0), bits: 0x40000000 },
      { kind: 'uniform', result: value(1), word: 9, index: null, wordCount: 1 },
      apply('fmul', 2, [value(0), value(1)]),
      output(0, value(2)),
    ];
    expect(select(body)).toEqual(['fmul r0, 0x40000000, c9 ; 2', 'outf 0, r0']);
  });

  it('converts a boolean uniform', () => {
    const body: IrNode[] = [
      { kind: 'uniform', result: value(0, 'bool'), word: 3, index: null, wordCount: 1 },
      output(0, value(0, 'bool')),
    ];
    expect(select(body)).toEqual(['i32AsBool r0, c3', 'outi 0, r0']);
  });

  it('resolves a constant index, and 0 outside the array', () => {
    const body: IrNode[] = [
      { kind: 'constant', result: value(0, 'i32'), bits: 2 },
      { kind: 'uniform', result: value(1), word: 4, index: value(0, 'i32'), wordCount: 3 },
      { kind: 'uniform', result: value(2), word: 4, index: value(0, 'i32'), wordCount: 2 },
      output(0, value(1)),
      output(1, value(2)),
    ];
    expect(select(body)).toEqual(['outf 0, c6', 'outf 1, 0x00000000 ; 0']);
  });

  it('reuses registers of dead values', () => {
    const body = [input(0, 0), input(1, 1), apply('fadd', 2, [value(0), value(1)])];
    body.push(apply('fneg', 3, [value(2)]), output(0, value(3)));
    expect(select(body)).toEqual([
      'input r0, 0, smooth',
      'input r1, 1, smooth',
      'fadd r0, r0, r1',
      'fneg r0, r0',
      'outf 0, r0',
    ]);
  });

  it('counts in place: a loop counter is one addition', () => {
    const one = value(0, 'i32');
    const body: IrNode[] = [
      { kind: 'constant', result: one, bits: 1 },
      {
        kind: 'loop',
        label: 0,
        body: [
          { kind: 'readVariable', result: value(1, 'i32'), variable: 0 },
          apply('iadd', 2, [value(1, 'i32'), one], 'i32'),
          { kind: 'writeVariable', variable: 0, value: value(2, 'i32') },
          { kind: 'exit', label: 0 },
        ],
      },
      { kind: 'readVariable', result: value(3, 'i32'), variable: 0 },
      output(0, value(3, 'i32')),
    ];
    const code = select(body, { variables: ['i32'] });
    expect(code.map((line) => line.replace(/ ;.*/, ''))).toEqual([
      'mov r0, 0x00000000',
      'loop',
      'iadd r0, r0, 0x00000001',
      'exit 0',
      'endloop',
      'outi 0, r0',
    ]);
  });

  it('keeps the value that was read when the variable changes before its use', () => {
    const body: IrNode[] = [
      input(0, 0),
      { kind: 'writeVariable', variable: 0, value: value(0) },
      { kind: 'readVariable', result: value(1), variable: 0 },
      { kind: 'writeVariable', variable: 0, value: value(1) },
      apply('fneg', 2, [value(1)]),
      { kind: 'writeVariable', variable: 0, value: value(2) },
      { kind: 'readVariable', result: value(3), variable: 0 },
      output(0, value(1)),
      output(1, value(3)),
    ];
    const code = select(body, { variables: ['f32'] });
    expect(code.at(-2)).not.toBe(code.at(-1)!.replace('outf 1', 'outf 0'));
  });

  it('assigns consecutive registers to the results of a lookup', () => {
    const results = [value(2), value(3), value(4), value(5)] as const;
    const body: IrNode[] = [
      input(0, 0),
      {
        kind: 'texture',
        results,
        operation: 'implicit',
        textureSlot: 7,
        operands: [value(0), value(0)],
        dimension: '2d',
        isShadow: false,
      },
      apply('fadd', 6, [value(0), value(5)]),
      output(0, value(6)),
    ];
    expect(select(body)).toEqual([
      'input r0, 0, smooth',
      'tex r1, 7, implicit, 2d, color, r0, r0',
      'fadd r0, r0, r4',
      'outf 0, r0',
    ]);
  });

  it('places arrays consecutively and encodes their length', () => {
    const index = value(0, 'i32');
    const body: IrNode[] = [
      { kind: 'constant', result: index, bits: 1 },
      { kind: 'writeArray', array: 1, index, value: index },
      { kind: 'readArray', result: value(1, 'i32'), array: 1, index },
      output(0, value(1, 'i32')),
    ];
    const arrays = [
      { type: 'f32', length: 5 },
      { type: 'i32', length: 3 },
    ] as const;
    const code = select(body, { arrays });
    expect(code[0]).toMatch(/^astore 5, 3, /);
    expect(code[1]).toMatch(/^aload r0, 5, 3, /);
  });

  it('refuses arrays that no instruction can address', () => {
    const arrays = [{ type: 'f32', length: 65536 }] as const;
    expect(() => select([], { arrays })).toThrow('at most 65535');
  });
});

describe('summarizeProgram', () => {
  it('counts instructions by class, registers and reads', () => {
    const ir: IrProgram = {
      stage: 'fragment',
      body: [
        input(0, 0),
        { kind: 'uniform', result: value(1), word: 9, index: null, wordCount: 1 },
        apply('fmul', 2, [value(0), value(1)]),
        apply('fsin', 3, [value(2)]),
        { kind: 'loop', label: 0, body: [{ kind: 'exit', label: 0 }] },
        output(0, value(3)),
      ],
      variables: [],
      arrays: [],
      valueCount: 4,
    };
    expect(summarizeProgram(selectInstructions(ir))).toMatchObject({
      instructionCount: 7,
      instructionsByClass: {
        alu: 1,
        special: 1,
        interpolation: 1,
        output: 1,
        control: 3,
        texture: 0,
      },
      codeBytes: 112,
      registerCount: 1,
      textureReads: 0,
      constantWords: 1,
      literalCount: 0,
      loopCount: 1,
      loopDepth: 1,
    });
  });
});
