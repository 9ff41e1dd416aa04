/**
 * Constant folding and identities of single operators.
 *
 * Every rule preserves all 32 bits of the result for all operands, including the sign of zero,
 * infinities and denormals; only the payload of a NaN may change. Therefore `x × 0`, `x + 0` and
 * `x − x` are not simplified.
 */

import { IR_OPERATORS, type IrOperator, type IrType, type IrValue } from './ir.ts';
import type { IrBuilder } from './ir-builder.ts';
import { bitsOfFloat, evaluateScalarOperator, floatOfBits } from './scalar-operators.ts';

/**
 * Returns a value equal to `op` of `operands` that needs no such node, or null. May emit other
 * operators.
 */
export function simplifyOperator(
  builder: IrBuilder,
  op: IrOperator,
  operands: readonly IrValue[],
): IrValue | null {
  const folded = foldConstants(builder, op, operands);
  if (folded !== null) return folded;
  const [a, b, c] = operands as readonly [IrValue, IrValue, IrValue];
  if (op.startsWith('select')) return simplifySelect(builder, op, a, b, c);
  switch (IR_OPERATORS[op].operands[0]) {
    case 'f32':
      return simplifyFloat(builder, op, a, b);
    case 'i32':
      return simplifyInteger(builder, op, a, b);
    default:
      return simplifyBoolean(builder, op, a, b);
  }
}

function foldConstants(
  builder: IrBuilder,
  op: IrOperator,
  operands: readonly IrValue[],
): IrValue | null {
  if (op === 'fddx' || op === 'fddy') {
    // The value is the same in all four pixels, so the difference is +0. An infinite value is
    // excluded, because infinity minus itself is NaN.
    const value = builder.constantNumber(operands[0]!);
    return value !== null && Number.isFinite(value) ? builder.float(0) : null;
  }
  const values: number[] = [];
  for (const operand of operands) {
    const value = builder.constantNumber(operand);
    if (value === null) return null;
    values.push(value);
  }
  const result = evaluateScalarOperator(op, values);
  const type: IrType = IR_OPERATORS[op].result;
  return builder.constant(type, type === 'f32' ? bitsOfFloat(result) : result);
}

/** Returns the operand of `value` if the unary operator `op` produced it. */
function operandOf(builder: IrBuilder, value: IrValue, op: IrOperator): IrValue | null {
  const node = builder.definitionOf(value);
  return node?.kind === 'operator' && node.op === op ? node.operands[0]! : null;
}

const ONE_BITS = 0x3f800000;
const MINUS_ONE_BITS = 0xbf800000 | 0;
const MINUS_ZERO_BITS = -0x80000000;

function simplifyFloat(builder: IrBuilder, op: IrOperator, a: IrValue, b: IrValue): IrValue | null {
  const bitsA = builder.constantBits(a);
  const bitsB = b === undefined ? null : builder.constantBits(b);
  const negatedA = operandOf(builder, a, 'fneg');
  const negatedB = b === undefined ? null : operandOf(builder, b, 'fneg');
  switch (op) {
    case 'fadd':
      if (bitsA === MINUS_ZERO_BITS) return b;
      if (bitsB === MINUS_ZERO_BITS) return a;
      if (negatedB !== null) return builder.operator('fsub', a, negatedB);
      if (negatedA !== null) return builder.operator('fsub', b, negatedA);
      return null;
    case 'fsub':
      if (bitsB === 0) return a;
      if (bitsA === MINUS_ZERO_BITS) return builder.operator('fneg', b);
      if (negatedB !== null) return builder.operator('fadd', a, negatedB);
      return null;
    case 'fmul':
      if (bitsA === ONE_BITS) return b;
      if (bitsB === ONE_BITS) return a;
      if (bitsA === MINUS_ONE_BITS) return builder.operator('fneg', b);
      if (bitsB === MINUS_ONE_BITS) return builder.operator('fneg', a);
      if (negatedA !== null && negatedB !== null)
        return builder.operator('fmul', negatedA, negatedB);
      if (negatedA !== null && bitsB !== null) {
        return builder.operator('fmul', negatedA, builder.operator('fneg', b));
      }
      if (negatedB !== null && bitsA !== null) {
        return builder.operator('fmul', builder.operator('fneg', a), negatedB);
      }
      return null;
    case 'fdiv': {
      if (bitsB === ONE_BITS) return a;
      const reciprocal = bitsB === null ? null : exactReciprocal(floatOfBits(bitsB));
      return reciprocal === null ? null : builder.operator('fmul', a, builder.float(reciprocal));
    }
    case 'fneg':
      return negatedA;
    case 'fabs': {
      const isAbsolute = operandOf(builder, a, 'fabs') !== null;
      return isAbsolute ? a : negatedA !== null ? builder.operator('fabs', negatedA) : null;
    }
    case 'fmin':
    case 'fmax':
      return a.id === b.id ? a : null;
    case 'ffloor':
    case 'fceil':
    case 'ftrunc':
    case 'fnearest': {
      const node = builder.definitionOf(a);
      const isWhole =
        node?.kind === 'operator' &&
        ['ffloor', 'fceil', 'ftrunc', 'fnearest', 'i2f', 'u2f'].includes(node.op);
      return isWhole ? a : null;
    }
    case 'feq':
    case 'fne':
      // Truth value that was converted to 1.0 or 0.0 and back.
      return bitsB === 0 || bitsB === ONE_BITS
        ? truthOfSelect(
            builder,
            a,
            (bits) => (floatOfBits(bits) === floatOfBits(bitsB)) === (op === 'feq'),
          )
        : null;
    default:
      return null;
  }
}

/**
 * Returns 1 / `value` if `value` is a power of two in the normal range, so that division equals
 * multiplication.
 */
function exactReciprocal(value: number): number | null {
  const bits = bitsOfFloat(value);
  const exponent = (bits >>> 23) & 0xff;
  return (bits & 0x7fffff) === 0 && exponent >= 1 && exponent <= 253 ? 1 / value : null;
}

/**
 * Simplifies a test of `value` = c ? k1 : k2 with constants. The result is c, not c, or a constant,
 * depending on `test` of k1 and k2.
 */
function truthOfSelect(
  builder: IrBuilder,
  value: IrValue,
  test: (bits: number) => boolean,
): IrValue | null {
  const node = builder.definitionOf(value);
  if (node?.kind !== 'operator' || !node.op.startsWith('select')) return null;
  const whenTrue = builder.constantBits(node.operands[1]!);
  const whenFalse = builder.constantBits(node.operands[2]!);
  if (whenTrue === null || whenFalse === null) return null;
  return builder.operator(
    'selectB',
    node.operands[0]!,
    builder.bool(test(whenTrue)),
    builder.bool(test(whenFalse)),
  );
}

function simplifyInteger(
  builder: IrBuilder,
  op: IrOperator,
  a: IrValue,
  b: IrValue,
): IrValue | null {
  const bitsA = builder.constantBits(a);
  const bitsB = b === undefined ? null : builder.constantBits(b);
  const isSame = b !== undefined && a.id === b.id;
  const log2 = bitsB === null ? null : exactLog2(bitsB);
  switch (op) {
    case 'iadd':
      if (bitsA === 0) return b;
      if (bitsB === 0) return a;
      return mergeConstants(builder, op, a, b);
    case 'isub':
      if (isSame) return builder.int(0);
      if (bitsB === 0) return a;
      if (bitsB !== null) return builder.operator('iadd', a, builder.int(-bitsB));
      return bitsA === 0 ? builder.operator('ineg', b) : null;
    case 'imul':
      if (bitsA !== null && bitsB === null) return builder.operator('imul', b, a);
      if (bitsB === 0) return b;
      if (bitsB === 1) return a;
      if (bitsB === -1) return builder.operator('ineg', a);
      return log2 === null ? null : builder.operator('ishl', a, builder.int(log2));
    case 'idiv':
      return bitsB === 1 ? a : null;
    case 'udiv':
      return log2 === null ? null : builder.operator('ushr', a, builder.int(log2));
    case 'urem':
      return log2 === null ? null : builder.operator('iand', a, builder.int(bitsB! - 1));
    case 'ineg':
    case 'inot':
      return operandOf(builder, a, op);
    case 'imin':
    case 'imax':
    case 'umin':
    case 'umax':
      return isSame ? a : null;
    case 'iand':
      if (isSame || bitsB === -1) return a;
      if (bitsA === -1) return b;
      return bitsA === 0 || bitsB === 0 ? builder.int(0) : mergeConstants(builder, op, a, b);
    case 'ior':
      if (isSame || bitsB === 0) return a;
      if (bitsA === 0) return b;
      return bitsA === -1 || bitsB === -1 ? builder.int(-1) : mergeConstants(builder, op, a, b);
    case 'ixor':
      if (isSame) return builder.int(0);
      return bitsB === 0 ? a : bitsA === 0 ? b : null;
    case 'ishl':
    case 'ishr':
    case 'ushr':
      return bitsB !== null && (bitsB & 31) === 0 ? a : null;
    case 'ieq':
    case 'ile':
    case 'ule':
      if (isSame) return builder.bool(true);
      return op === 'ieq' && bitsB !== null
        ? truthOfSelect(builder, a, (bits) => bits === bitsB)
        : null;
    case 'ine':
    case 'ilt':
    case 'ult':
      if (isSame) return builder.bool(false);
      return op === 'ine' && bitsB !== null
        ? truthOfSelect(builder, a, (bits) => bits !== bitsB)
        : null;
    case 'i32AsBool':
      return operandOf(builder, a, 'boolAsI32') ?? truthOfSelect(builder, a, (bits) => bits !== 0);
    case 'i32AsF32':
      return operandOf(builder, a, 'f32AsI32');
    default:
      return null;
  }
}

/** Returns log2 of a power of two, read as unsigned; else null. */
function exactLog2(bits: number): number | null {
  const isPower = bits !== 0 && (bits & (bits - 1)) === 0;
  return isPower ? 31 - Math.clz32(bits) : null;
}

/** (x op k1) op k2 → x op (k1 op k2), exact for wrapping integers. Constants move to the right. */
function mergeConstants(
  builder: IrBuilder,
  op: IrOperator,
  a: IrValue,
  b: IrValue,
): IrValue | null {
  if (builder.constantBits(a) !== null) return builder.operator(op, b, a);
  if (builder.constantBits(b) === null) return null;
  const node = builder.definitionOf(a);
  if (node?.kind !== 'operator' || node.op !== op) return null;
  const inner = node.operands[1]!;
  if (builder.constantBits(inner) === null) return null;
  return builder.operator(op, node.operands[0]!, builder.operator(op, inner, b));
}

function simplifyBoolean(
  builder: IrBuilder,
  op: IrOperator,
  a: IrValue,
  b: IrValue,
): IrValue | null {
  const bitsA = builder.constantBits(a);
  const bitsB = b === undefined ? null : builder.constantBits(b);
  switch (op) {
    case 'band':
      if (bitsA === 0 || bitsB === -1 || a.id === b.id) return a;
      return bitsB === 0 || bitsA === -1 ? b : null;
    case 'bor':
      if (bitsA === -1 || bitsB === 0 || a.id === b.id) return a;
      return bitsB === -1 || bitsA === 0 ? b : null;
    case 'bxor':
      if (bitsA !== null) return bitsA === 0 ? b : builder.operator('bnot', b);
      if (bitsB !== null) return bitsB === 0 ? a : builder.operator('bnot', a);
      return a.id === b.id ? builder.bool(false) : null;
    case 'bnot':
      return invert(builder, a);
    default:
      return null;
  }
}

/** Comparisons with their exact negation. Ordered float comparisons have none because of NaN. */
const INVERSES: Partial<Record<IrOperator, { op: IrOperator; isSwapped: boolean }>> = {
  feq: { op: 'fne', isSwapped: false },
  fne: { op: 'feq', isSwapped: false },
  ieq: { op: 'ine', isSwapped: false },
  ine: { op: 'ieq', isSwapped: false },
  ilt: { op: 'ile', isSwapped: true },
  ile: { op: 'ilt', isSwapped: true },
  ult: { op: 'ule', isSwapped: true },
  ule: { op: 'ult', isSwapped: true },
};

function invert(builder: IrBuilder, a: IrValue): IrValue | null {
  const node = builder.definitionOf(a);
  if (node?.kind !== 'operator') return null;
  if (node.op === 'bnot') return node.operands[0]!;
  const inverse = INVERSES[node.op];
  if (inverse === undefined) return null;
  const [x, y] = node.operands as readonly [IrValue, IrValue];
  return inverse.isSwapped
    ? builder.operator(inverse.op, y, x)
    : builder.operator(inverse.op, x, y);
}

function simplifySelect(
  builder: IrBuilder,
  op: IrOperator,
  condition: IrValue,
  a: IrValue,
  b: IrValue,
): IrValue | null {
  const bits = builder.constantBits(condition);
  if (bits !== null) return bits !== 0 ? a : b;
  if (a.id === b.id) return a;
  const inverted = operandOf(builder, condition, 'bnot');
  if (inverted !== null) return builder.operator(op, inverted, b, a);
  if (op === 'selectB') {
    const whenTrue = builder.constantBits(a);
    const whenFalse = builder.constantBits(b);
    if (whenTrue === -1) return builder.operator('bor', condition, b);
    if (whenTrue === 0 && whenFalse !== null) return builder.operator('bnot', condition);
    if (whenFalse === 0) return builder.operator('band', condition, a);
  }
  // If-conversion leaves c ? (c ? x : y) : z.
  const innerA = builder.definitionOf(a);
  if (innerA?.kind === 'operator' && innerA.op === op && innerA.operands[0]!.id === condition.id) {
    return builder.operator(op, condition, innerA.operands[1]!, b);
  }
  const innerB = builder.definitionOf(b);
  if (innerB?.kind === 'operator' && innerB.op === op && innerB.operands[0]!.id === condition.id) {
    return builder.operator(op, condition, a, innerB.operands[2]!);
  }
  return null;
}
