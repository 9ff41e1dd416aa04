/**
 * Modes of BC6H blocks (Khronos Data Format Specification, chapter "BPTC Compressed Texture Image
 * Formats", section "BC6H").
 */

/** Mode of a block: sizes and places of its endpoints. */
export interface Bc6hMode {
  /** Number of subsets. A mode with two has five bits of partition from bit 77. */
  readonly subsetCount: 1 | 2;
  /** Whether the other endpoints are differences from the first one. */
  readonly isTransformed: boolean;
  /** Size of a channel of the first endpoint in bits. All endpoints have it if not transformed. */
  readonly endpointBits: number;
  /** Sizes of the differences of red, green and blue in bits. */
  readonly deltaBits: readonly [number, number, number];
  /** Bits of endpoints in the order of the block, after the mode's number. */
  readonly places: readonly Place[];
}

/** Destination of one bit of the block. */
interface Place {
  /** Index of the channel: endpoint × 3 + channel. */
  readonly channel: number;
  readonly bit: number;
}

const BASES = 'r0:9-0 g0:9-0 b0:9-0';
const REDS = 'r2:4-0 b3:2 r3:4-0 b3:3';
const WIDE_REDS = 'r2:5-0 r3:5-0';

/**
 * Places of bits by mode, in the notation of the specification: `g2:4` is bit 4 of the green
 * channel of endpoint 2, and `r0:9-0` are bits 0 to 9 of red, from the last number to the first.
 */
const LAYOUTS: Readonly<Record<number, string>> = {
  0: `g2:4 b2:4 b3:4 ${BASES} r1:4-0 g3:4 g2:3-0 g1:4-0 b3:0 g3:3-0 b1:4-0 b3:1 b2:3-0 ${REDS}`,
  1: `g2:5 g3:4 g3:5 r0:6-0 b3:0 b3:1 b2:4 g0:6-0 b2:5 b3:2 g2:4 b0:6-0 b3:3 b3:5 b3:4 r1:5-0
    g2:3-0 g1:5-0 g3:3-0 b1:5-0 b2:3-0 ${WIDE_REDS}`,
  2: `${BASES} r1:4-0 r0:10 g2:3-0 g1:3-0 g0:10 b3:0 g3:3-0 b1:3-0 b0:10 b3:1 b2:3-0 ${REDS}`,
  6: `${BASES} r1:3-0 r0:10 g3:4 g2:3-0 g1:4-0 g0:10 g3:3-0 b1:3-0 b0:10 b3:1 b2:3-0 r2:3-0 b3:0
    b3:2 r3:3-0 g2:4 b3:3`,
  10: `${BASES} r1:3-0 r0:10 b2:4 g2:3-0 g1:3-0 g0:10 b3:0 g3:3-0 b1:4-0 b0:10 b2:3-0 r2:3-0 b3:1
    b3:2 r3:3-0 b3:4 b3:3`,
  14: `r0:8-0 b2:4 g0:8-0 g2:4 b0:8-0 b3:4 r1:4-0 g3:4 g2:3-0 g1:4-0 b3:0 g3:3-0 b1:4-0 b3:1
    b2:3-0 ${REDS}`,
  18: `r0:7-0 g3:4 b2:4 g0:7-0 b3:2 g2:4 b0:7-0 b3:3 b3:4 r1:5-0 g2:3-0 g1:4-0 b3:0 g3:3-0 b1:4-0
    b3:1 b2:3-0 ${WIDE_REDS}`,
  22: `r0:7-0 b3:0 b2:4 g0:7-0 g2:5 g2:4 b0:7-0 g3:5 b3:4 r1:4-0 g3:4 g2:3-0 g1:5-0 g3:3-0 b1:4-0
    b3:1 b2:3-0 ${REDS}`,
  26: `r0:7-0 b3:1 b2:4 g0:7-0 b2:5 g2:4 b0:7-0 b3:5 b3:4 r1:4-0 g3:4 g2:3-0 g1:4-0 b3:0 g3:3-0
    b1:5-0 b2:3-0 ${REDS}`,
  30: `r0:5-0 g3:4 b3:0 b3:1 b2:4 g0:5-0 g2:5 b2:5 b3:2 g2:4 b0:5-0 g3:5 b3:3 b3:5 b3:4 r1:5-0
    g2:3-0 g1:5-0 g3:3-0 b1:5-0 b2:3-0 ${WIDE_REDS}`,
  3: `${BASES} r1:9-0 g1:9-0 b1:9-0`,
  7: `${BASES} r1:8-0 r0:10 g1:8-0 g0:10 b1:8-0 b0:10`,
  11: `${BASES} r1:7-0 r0:10-11 g1:7-0 g0:10-11 b1:7-0 b0:10-11`,
  15: `${BASES} r1:3-0 r0:10-15 g1:3-0 g0:10-15 b1:3-0 b0:10-15`,
};

/** Modes by number. Numbers without a mode are reserved. */
export const BC6H_MODES: ReadonlyMap<number, Bc6hMode> = new Map([
  mode(0, 2, 10, [5, 5, 5]),
  mode(1, 2, 7, [6, 6, 6]),
  mode(2, 2, 11, [5, 4, 4]),
  mode(6, 2, 11, [4, 5, 4]),
  mode(10, 2, 11, [4, 4, 5]),
  mode(14, 2, 9, [5, 5, 5]),
  mode(18, 2, 8, [6, 5, 5]),
  mode(22, 2, 8, [5, 6, 5]),
  mode(26, 2, 8, [5, 5, 6]),
  mode(30, 2, 6, null),
  mode(3, 1, 10, null),
  mode(7, 1, 11, [9, 9, 9]),
  mode(11, 1, 12, [8, 8, 8]),
  mode(15, 1, 16, [4, 4, 4]),
]);

function mode(
  number: number,
  subsetCount: 1 | 2,
  endpointBits: number,
  deltaBits: readonly [number, number, number] | null,
): readonly [number, Bc6hMode] {
  const fields = LAYOUTS[number]!.matchAll(/([rgb])(\d):(\d+)-?(\d+)?/g);
  const places: Place[] = [];
  for (const [, letter, endpoint, to, from = to] of fields) {
    const step = Number(to) >= Number(from) ? 1 : -1;
    const count = Math.abs(Number(to) - Number(from)) + 1;
    const channel = Number(endpoint) * 3 + 'rgb'.indexOf(letter!);
    for (let i = 0; i < count; i++) places.push({ channel, bit: Number(from) + step * i });
  }
  const isTransformed = deltaBits !== null;
  const sizes = deltaBits ?? ([endpointBits, endpointBits, endpointBits] as const);
  return [number, { subsetCount, isTransformed, endpointBits, deltaBits: sizes, places }];
}
