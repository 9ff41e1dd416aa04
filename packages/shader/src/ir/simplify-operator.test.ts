import { describe, expect, it } from 'vitest';
import { evaluateIr } from '../testing/evaluate-ir.ts';
import { IR_OPERATORS, type IrOperator, type IrType, type IrValue } from './ir.ts';
import { IrBuilder } from './ir-builder.ts';

/**
 * Bits that would expose a wrong rule: signs of zero, NaN, infinities, denormals, powers of two.
 */
const SPECIAL: Readonly<Record<IrType, readonly number[]>> = {
  f32: [0, -0x80000000, 0x3f800000, -0x40800000, 0x40000000, 0x7f800000, 0x7fc00000, 1, 0x40490fdb],
  i32: [0, 1, -1, 2, 7, 0x40000000, -0x80000000, 31],
  bool: [0, -1],
};

/** Form of an operand: a constant, an input, or an input behind another operator. */
const FORMS: Readonly<Record<IrType, readonly (IrOperator | 'constant' | 'input')[]>> = {
  f32: ['constant', 'input', 'fneg', 'fabs', 'ffloor', 'i2f'],
  i32: ['constant', 'input', 'ineg', 'inot', 'boolAsI32', 'f32AsI32'],
  bool: ['constant', 'input', 'bnot', 'flt', 'ilt', 'fne'],
};

function makeOperand(
  builder: IrBuilder,
  form: IrOperator | 'constant' | 'input',
  type: IrType,
  bits: number,
): IrValue {
  if (form === 'constant') return builder.constant(type, bits);
  // The slot number of the input is also the bits that it reads.
  const input = (inputType: IrType): IrValue => {
    const result = builder.newValue(inputType === 'bool' ? 'i32' : inputType);
    builder.emit({ kind: 'input', result, slot: bits, isFlat: true });
    return inputType === 'bool' ? builder.emitOperator('i32AsBool', [result]) : result;
  };
  if (form === 'input') return input(type);
  return builder.emitOperator(form, IR_OPERATORS[form].operands.map(input));
}

function evaluate(builder: IrBuilder, value: IrValue): number {
  builder.emit({ kind: 'output', slot: 0, value });
  const { outputs } = evaluateIr(builder.finish('vertex'), {
    input: (slot) => slot,
    builtin: () => 0,
    constant: () => 0,
  });
  return outputs.get(0)!;
}

function combinations<T>(lists: readonly (readonly T[])[]): T[][] {
  return lists.reduce<T[][]>(
    (sofar, list) => sofar.flatMap((head) => list.map((element) => [...head, element])),
    [[]],
  );
}

const OPERATORS = (Object.keys(IR_OPERATORS) as IrOperator[]).filter(
  // Derivatives need a quad; fmad is created last and has no rules.
  (op) => op !== 'fddx' && op !== 'fddy' && op !== 'fmad',
);

describe('simplifyOperator', () => {
  it.each(OPERATORS)('keeps the bits of %s', (op) => {
    const types: readonly IrType[] = IR_OPERATORS[op].operands;
    const isSelect = types.length === 3;
    const values = combinations(
      types.map((type) => (isSelect ? SPECIAL[type].slice(0, 3) : SPECIAL[type])),
    );
    for (const forms of combinations(types.map((type) => FORMS[type]))) {
      for (const bits of values) {
        const make = (builder: IrBuilder): IrValue[] =>
          types.map((type, k) => makeOperand(builder, forms[k]!, type, bits[k]!));
        const plain = new IrBuilder();
        const expected = evaluate(plain, plain.emitOperator(op, make(plain)));
        const simple = new IrBuilder();
        const actual = evaluate(simple, simple.operator(op, ...make(simple)));
        if (actual !== expected) {
          expect.fail(
            `${op} of ${forms.join(', ')} with ${bits.join(', ')}: ${actual}, not ${expected}`,
          );
        }
      }
    }
  });

  it('uses one value for both operands only if that is exact', () => {
    for (const op of OPERATORS) {
      const types: readonly IrType[] = IR_OPERATORS[op].operands;
      if (types.length !== 2 || types[0] !== types[1]) continue;
      for (const bits of SPECIAL[types[0]!]) {
        const plain = new IrBuilder();
        const a = makeOperand(plain, 'input', types[0]!, bits);
        const expected = evaluate(plain, plain.emitOperator(op, [a, a]));
        const simple = new IrBuilder();
        const b = makeOperand(simple, 'input', types[0]!, bits);
        expect(evaluate(simple, simple.operator(op, b, b)), op).toBe(expected);
      }
    }
  });

  it('removes operators without effect', () => {
    const builder = new IrBuilder();
    const x = builder.newValue('f32');
    builder.emit({ kind: 'input', result: x, slot: 0, isFlat: false });
    expect(builder.operator('fmul', x, builder.float(1))).toBe(x);
    expect(builder.operator('fadd', builder.float(-0), x)).toBe(x);
    expect(builder.operator('fsub', x, builder.float(0))).toBe(x);
    expect(builder.operator('fneg', builder.operator('fneg', x))).toBe(x);
    const isPositive = builder.operator('flt', builder.float(0), x);
    const asFloat = builder.select(isPositive, builder.float(1), builder.float(0));
    expect(builder.operator('fne', asFloat, builder.float(0))).toBe(isPositive);
  });
});
