/**
 * Pointer chase: each lookup of one lane depends on the one before it, so that the time per lookup
 * is the latency of the level that holds the texture (Saavedra and Smith, IEEE Transactions on
 * Computers 44, 1995).
 */
import { type ChipletSpec, chipletPreset } from '@tessera/chiplet-spec';
import { measureFrame, type ValidationRow } from './validation-rows.ts';

const LINE_TEXELS = 16;
const BLOCK_EDGE_TEXELS = 4;
/** Number of measured lookups. Before them, a chase visits every line of a cache once. */
const HOPS = 1024;

/** Edge of a texture that fits in no cache, in texels. */
export const MEMORY_EDGE_TEXELS = 2048;

/** Level of memory with a texture that fits in it, and its published latency. */
interface Level {
  readonly name: string;
  readonly edgeTexels: number;
  readonly nanoseconds: number;
  readonly source: string;
}

const MEASURED = 'measured on a Radeon RX 6900 XT at 2.57 GHz (te42kyfo, gpu-benches)';
/** Latencies of `rdna2-like`. Those of the caches are cycles of the core, whatever its clock. */
const LEVELS: readonly Level[] = [
  {
    name: 'first-level cache',
    edgeTexels: 32,
    nanoseconds: 73 / 2,
    source: `${MEASURED}: 73 cycles`,
  },
  {
    name: 'second-level cache',
    edgeTexels: 128,
    nanoseconds: 205 / 2,
    source: `${MEASURED}: 198 to 223 cycles, 205 at 512 KiB`,
  },
  {
    name: 'local memory',
    edgeTexels: MEMORY_EDGE_TEXELS,
    nanoseconds: 274,
    source: 'Lam, Chips and Cheese: 260 to 284 ns on the same card (2023)',
  },
];

/** Returns a row per level. */
export async function measurePointerChase(): Promise<ValidationRow[]> {
  const spec = chipletPreset('rdna2-like');
  const rows: ValidationRow[] = [];
  for (const level of LEVELS) {
    const cycles = await latencyOf(spec, level.edgeTexels);
    rows.push({
      name: `latency of the ${level.name}`,
      spec: spec.name,
      unit: 'ns',
      ours: (cycles / spec.clockHz) * 1e9,
      expected: level.nanoseconds,
      source: level.source,
      tolerance: 0.05,
      reason: '',
    });
  }
  return rows;
}

/** Returns the cycles of one lookup, from the difference of two chases. */
export async function latencyOf(spec: ChipletSpec, edgeTexels: number): Promise<number> {
  const words = makeChain(edgeTexels);
  const chase = (hops: number) => {
    const fragment = `uint at = 0u;
      for (int i = 0; i < ${hops}; i++) at = texelFetch(image, ivec2(at & 65535u, at >> 16), 0).x;
      color = vec4(float(at));`;
    const made = {
      widthPx: 1,
      heightPx: 1,
      fragment,
      texture: { edgeTexels, format: 'r32uint' as const, words },
    };
    return measureFrame(spec, made);
  };
  const lineCount = edgeTexels ** 2 / LINE_TEXELS;
  const warmUp = Math.min(lineCount, 4 * HOPS);
  const [short, long] = [await chase(warmUp), await chase(warmUp + HOPS)];
  return (long.cycles - short.cycles) / HOPS;
}

/**
 * Returns a texture whose texels point to the next one, in a chain that visits its lines in a
 * random order (Sattolo's algorithm), each line once.
 */
function makeChain(edgeTexels: number): Uint32Array {
  const lineCount = edgeTexels ** 2 / LINE_TEXELS;
  const order = Array.from({ length: lineCount }, (_, line) => line);
  let state = 1;
  for (let i = lineCount - 1; i > 0; i--) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const j = Math.floor((state / 2 ** 32) * i);
    [order[i], order[j]] = [order[j]!, order[i]!];
  }
  const words = new Uint32Array(edgeTexels ** 2);
  const linesPerRow = edgeTexels / BLOCK_EDGE_TEXELS;
  const texelOf = (line: number) => {
    const x = (line % linesPerRow) * BLOCK_EDGE_TEXELS;
    const y = Math.floor(line / linesPerRow) * BLOCK_EDGE_TEXELS;
    return { index: y * edgeTexels + x, packed: x + y * 65_536 };
  };
  for (const [i, line] of order.entries()) {
    words[texelOf(line).index] = texelOf(order[(i + 1) % lineCount]!).packed;
  }
  return words;
}
