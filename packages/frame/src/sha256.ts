/**
 * SHA-256 (FIPS 180-4), synchronous and without platform modules, for the hashes of small
 * resources.
 */
import type { Sha256 } from './resources.ts';

/** Fractional parts of the cube roots of the first 64 primes. */
const ROUND_CONSTANTS = new Int32Array(64);
/** Fractional parts of the square roots of the first 8 primes. */
const INITIAL_STATE = new Int32Array(8);

for (let prime = 2, count = 0; count < 64; prime++) {
  let isPrime = true;
  for (let divisor = 2; divisor * divisor <= prime; divisor++) {
    if (prime % divisor === 0) isPrime = false;
  }
  if (!isPrime) continue;
  if (count < 8) INITIAL_STATE[count] = fractionBits(prime, 2n);
  ROUND_CONSTANTS[count] = fractionBits(prime, 3n);
  count++;
}

/**
 * Returns the first 32 bits of the fractional part of the `degree`-th root of `value`, computed
 * exactly, bit by bit.
 */
function fractionBits(value: number, degree: bigint): number {
  const scaled = BigInt(value) << (32n * degree);
  let root = 0n;
  for (let bit = 1n << 36n; bit > 0n; bit >>= 1n) {
    if ((root | bit) ** degree <= scaled) root |= bit;
  }
  return Number(root & 0xffffffffn) | 0;
}

const rotateRight = (word: number, count: number): number =>
  (word >>> count) | (word << (32 - count));

/** Returns the SHA-256 of `bytes` in lower-case hexadecimal. */
export function sha256Hex(bytes: Uint8Array): Sha256 {
  // Padding: a one bit, zeros, and the length in bits in the last 8 bytes of the last 64-byte
  // block.
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 0x20000000));
  view.setUint32(padded.length - 4, bytes.length << 3);

  const state = INITIAL_STATE.slice();
  const schedule = new Int32Array(64);
  for (let offset = 0; offset < padded.length; offset += 64) {
    for (let t = 0; t < 16; t++) schedule[t] = view.getInt32(offset + 4 * t);
    for (let t = 16; t < 64; t++) {
      const before15 = schedule[t - 15]!;
      const before2 = schedule[t - 2]!;
      const s0 = rotateRight(before15, 7) ^ rotateRight(before15, 18) ^ (before15 >>> 3);
      const s1 = rotateRight(before2, 17) ^ rotateRight(before2, 19) ^ (before2 >>> 10);
      schedule[t] = schedule[t - 16]! + s0 + schedule[t - 7]! + s1;
    }
    compress(state, schedule);
  }
  return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}

function compress(state: Int32Array, schedule: Int32Array): void {
  let [a, b, c, d, e, f, g, h] = state as unknown as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  for (let t = 0; t < 64; t++) {
    const sum1 = rotateRight(e, 6) ^ rotateRight(e, 11) ^ rotateRight(e, 25);
    const choice = (e & f) ^ (~e & g);
    const added = (h + sum1 + choice + ROUND_CONSTANTS[t]! + schedule[t]!) | 0;
    const sum0 = rotateRight(a, 2) ^ rotateRight(a, 13) ^ rotateRight(a, 22);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    h = g;
    g = f;
    f = e;
    e = (d + added) | 0;
    d = c;
    c = b;
    b = a;
    a = (added + sum0 + majority) | 0;
  }
  [a, b, c, d, e, f, g, h].forEach((word, k) => {
    state[k] = state[k]! + word;
  });
}
