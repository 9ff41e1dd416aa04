/** Results of the arithmetic operators, in plain JavaScript. */

/**
 * Takes two operands of an integer lane as unsigned bit patterns; a unary operator ignores the
 * second.
 */
type IntegerReference = (a: bigint, b: bigint) => bigint | boolean;

/**
 * Returns the operators of integers of `bits` bits, by name. The caller wraps a number to the
 * width; a boolean is 0 or 1 in a scalar, zeros or ones in a lane. Traps on the operands on which
 * WebAssembly traps.
 */
export function integerReference(bits: number): Readonly<Record<string, IntegerReference>> {
  const width = BigInt(bits);
  const signed = (value: bigint) => BigInt.asIntN(bits, value);
  const clamp = (value: bigint, min: bigint, max: bigint) =>
    value < min ? min : value > max ? max : value;
  const signedMax = 2n ** (width - 1n) - 1n;
  const clampSigned = (value: bigint) => clamp(value, -signedMax - 1n, signedMax);
  const clampUnsigned = (value: bigint) => clamp(value, 0n, 2n ** width - 1n);
  const digits = (value: bigint) => value.toString(2).padStart(bits, '0');
  const rotateLeft = (value: bigint, count: bigint) =>
    (value << (count % width)) | (value >> ((width - (count % width)) % width));
  return {
    eqz: (a) => a === 0n,
    eq: (a, b) => a === b,
    ne: (a, b) => a !== b,
    ltS: (a, b) => signed(a) < signed(b),
    ltU: (a, b) => a < b,
    gtS: (a, b) => signed(a) > signed(b),
    gtU: (a, b) => a > b,
    leS: (a, b) => signed(a) <= signed(b),
    leU: (a, b) => a <= b,
    geS: (a, b) => signed(a) >= signed(b),
    geU: (a, b) => a >= b,
    clz: (a) => BigInt(`${digits(a)}1`.indexOf('1')),
    ctz: (a) => BigInt(`1${digits(a)}`.split('').reverse().join('').indexOf('1')),
    popcnt: (a) => BigInt(digits(a).replaceAll('0', '').length),
    add: (a, b) => a + b,
    sub: (a, b) => a - b,
    mul: (a, b) => a * b,
    divS: (a, b) => signed(a) / signed(b),
    divU: (a, b) => a / b,
    remS: (a, b) => signed(a) % signed(b),
    remU: (a, b) => a % b,
    and: (a, b) => a & b,
    or: (a, b) => a | b,
    xor: (a, b) => a ^ b,
    shl: (a, b) => a << (b % width),
    shrS: (a, b) => signed(a) >> (b % width),
    shrU: (a, b) => a >> (b % width),
    rotl: (a, b) => rotateLeft(a, b % width),
    rotr: (a, b) => rotateLeft(a, width - (b % width)),
    extend8S: (a) => BigInt.asIntN(8, a),
    extend16S: (a) => BigInt.asIntN(16, a),
    extend32S: (a) => BigInt.asIntN(32, a),
    abs: (a) => (signed(a) < 0n ? -signed(a) : a),
    neg: (a) => -a,
    addSatS: (a, b) => clampSigned(signed(a) + signed(b)),
    addSatU: (a, b) => clampUnsigned(a + b),
    subSatS: (a, b) => clampSigned(signed(a) - signed(b)),
    subSatU: (a, b) => clampUnsigned(a - b),
    minS: (a, b) => (signed(a) < signed(b) ? a : b),
    minU: (a, b) => (a < b ? a : b),
    maxS: (a, b) => (signed(a) > signed(b) ? a : b),
    maxU: (a, b) => (a > b ? a : b),
    avgrU: (a, b) => (a + b + 1n) / 2n,
    q15mulrSatS: (a, b) => clampSigned((signed(a) * signed(b) + 0x4000n) >> 15n),
  };
}

/** Floating-point operators by name; for f32 the caller rounds the result once more. */
export const FLOAT_REFERENCE: Readonly<Record<string, (a: number, b: number) => number | boolean>> =
  {
    eq: (a, b) => a === b,
    ne: (a, b) => a !== b,
    lt: (a, b) => a < b,
    gt: (a, b) => a > b,
    le: (a, b) => a <= b,
    ge: (a, b) => a >= b,
    abs: (a) => Math.abs(a),
    neg: (a) => -a,
    ceil: (a) => Math.ceil(a),
    floor: (a) => Math.floor(a),
    trunc: (a) => Math.trunc(a),
    nearest: roundHalfToEven,
    sqrt: (a) => Math.sqrt(a),
    add: (a, b) => a + b,
    sub: (a, b) => a - b,
    mul: (a, b) => a * b,
    div: (a, b) => a / b,
    min: (a, b) => Math.min(a, b),
    max: (a, b) => Math.max(a, b),
    pmin: (a, b) => (b < a ? b : a),
    pmax: (a, b) => (a < b ? b : a),
    copysign: copySign,
  };

function copySign(magnitude: number, sign: number): number {
  const isNegative = sign < 0 || Object.is(sign, -0);
  return isNegative ? -Math.abs(magnitude) : Math.abs(magnitude);
}

function roundHalfToEven(value: number): number {
  const magnitude = Math.abs(value);
  const below = Math.floor(magnitude);
  const fraction = magnitude - below;
  const staysBelow = fraction < 0.5 || (fraction === 0.5 && below % 2 === 0);
  return copySign(staysBelow ? below : below + 1, value);
}
