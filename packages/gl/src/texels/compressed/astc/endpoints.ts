/**
 * Endpoints of ASTC blocks with a low dynamic range (Khronos Data Format Specification, chapter
 * "ASTC Compressed Texture Image Formats", section "LDR Endpoint Decoding").
 */

/** Returns the number of values of an endpoint mode. */
export function valueCountOf(mode: number): number {
  return ((mode >> 2) + 1) * 2;
}

/** Two endpoints: R, G, B and A of the first, then of the second. */
export type Endpoints = Uint8ClampedArray;

/** Values that {@link transferBit} changes, kept apart from those of the block. */
const v = new Int32Array(8);

/**
 * Writes the endpoints of a partition.
 *
 * @param mode Endpoint mode, 0 to 15.
 * @param at Index of the first value.
 * @returns Whether the mode has a low dynamic range. Otherwise nothing is written.
 */
export function decodeEndpoints(
  mode: number,
  values: Uint8Array,
  at: number,
  endpoints: Endpoints,
): boolean {
  for (let i = 0; i < valueCountOf(mode); i++) v[i] = values[at + i]!;
  switch (mode) {
    case 0:
      setGrays(endpoints, v[0]!, v[1]!, 255, 255);
      return true;
    case 1: {
      const first = (v[0]! >> 2) | (v[1]! & 0xc0);
      setGrays(endpoints, first, first + (v[1]! & 0x3f), 255, 255);
      return true;
    }
    case 4:
      setGrays(endpoints, v[0]!, v[1]!, v[2]!, v[3]!);
      return true;
    case 5:
      transferBits(4);
      setGrays(endpoints, v[0]!, v[0]! + v[1]!, v[2]!, v[2]! + v[3]!);
      return true;
    case 6:
      setScaled(endpoints, 255, 255);
      return true;
    case 10:
      setScaled(endpoints, v[4]!, v[5]!);
      return true;
    case 8:
    case 12:
      setDirect(endpoints, mode === 12);
      return true;
    case 9:
    case 13:
      setOffset(endpoints, mode === 13);
      return true;
    default:
      return false;
  }
}

function setGrays(
  endpoints: Endpoints,
  first: number,
  second: number,
  firstAlpha: number,
  secondAlpha: number,
): void {
  setColor(endpoints, 0, first, first, first, firstAlpha);
  setColor(endpoints, 4, second, second, second, secondAlpha);
}

/** Writes a color and, before it, the same color times the fourth value. */
function setScaled(endpoints: Endpoints, firstAlpha: number, secondAlpha: number): void {
  const [red, green, blue, scale] = [v[0]!, v[1]!, v[2]!, v[3]!];
  const scaled = (channel: number): number => (channel * scale) >> 8;
  setColor(endpoints, 0, scaled(red), scaled(green), scaled(blue), firstAlpha);
  setColor(endpoints, 4, red, green, blue, secondAlpha);
}

/** Writes two colors. A first one that is lighter marks the blue contraction. */
function setDirect(endpoints: Endpoints, hasAlpha: boolean): void {
  const isContracted = v[1]! + v[3]! + v[5]! < v[0]! + v[2]! + v[4]!;
  setPair(endpoints, isContracted, [v[1]!, v[3]!, v[5]!], hasAlpha ? v[7]! : 255, hasAlpha);
}

/** Writes a color and its sum with an offset. A negative offset marks the blue contraction. */
function setOffset(endpoints: Endpoints, hasAlpha: boolean): void {
  transferBits(hasAlpha ? 8 : 6);
  const isContracted = v[1]! + v[3]! + v[5]! < 0;
  const second = [v[0]! + v[1]!, v[2]! + v[3]!, v[4]! + v[5]!] as const;
  setPair(endpoints, isContracted, second, hasAlpha ? v[6]! + v[7]! : 255, hasAlpha);
}

/** Writes the color of the even values and a second one, exchanged if they are contracted. */
function setPair(
  endpoints: Endpoints,
  isContracted: boolean,
  [red, green, blue]: readonly [number, number, number],
  alpha: number,
  hasAlpha: boolean,
): void {
  const firstAlpha = hasAlpha ? v[6]! : 255;
  if (!isContracted) {
    setColor(endpoints, 0, v[0]!, v[2]!, v[4]!, firstAlpha);
    setColor(endpoints, 4, red, green, blue, alpha);
    return;
  }
  setColor(endpoints, 0, (red + blue) >> 1, (green + blue) >> 1, blue, alpha);
  setColor(endpoints, 4, (v[0]! + v[4]!) >> 1, (v[2]! + v[4]!) >> 1, v[4]!, firstAlpha);
}

/** Writes one endpoint. The array clamps its channels. */
function setColor(
  endpoints: Endpoints,
  at: number,
  red: number,
  green: number,
  blue: number,
  alpha: number,
): void {
  endpoints[at] = red;
  endpoints[at + 1] = green;
  endpoints[at + 2] = blue;
  endpoints[at + 3] = alpha;
}

/**
 * Moves the highest bit of each odd value to the value before it, which keeps its seven highest
 * bits. The odd value becomes a signed one of six bits.
 */
function transferBits(count: number): void {
  for (let i = 0; i < count; i += 2) {
    const offset = v[i + 1]!;
    v[i] = (v[i]! >> 1) | (offset & 0x80);
    v[i + 1] = ((offset >> 1) << 26) >> 26;
  }
}
