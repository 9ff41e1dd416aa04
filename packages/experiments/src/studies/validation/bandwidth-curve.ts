/**
 * Bandwidth of local memory over the number of threads in flight, on `rdna2-like`, beside a quarter
 * of the measured curve of its card. By Little's law, the bytes in flight and the latency determine
 * the rising part, and the bus its end.
 *
 * A frame has as many pixels as threads. Each pixel reads many texels of 16 bytes, the largest that
 * there are. In one lookup, all lanes of the frame together read consecutive memory, and each line
 * is read once.
 */
import { type ChipletSpec, chipletPreset } from '@tessera/chiplet-spec';
import { measureFrame, type ValidationRow } from './validation-rows.ts';

const SPEC = chipletPreset('rdna2-like');
const SOURCE =
  'a quarter of the curve measured on a Radeon RX 6900 XT (te42kyfo, gpu-benches, gpu-stream, read only)';
/** Share of the card that the preset models: one of four shader engines. */
const ENGINES = 4;
const CURVE_WITHIN = 0.15;
const PEAK_WITHIN = 0.1;
/** Gigabytes per second of the card by its number of threads. */
const CURVE: readonly (readonly [threads: number, gigabytesPerSecond: number])[] = [
  [1280, 104],
  [2560, 202],
  [3840, 292],
  [5120, 398],
  [6400, 499],
];
/** Bandwidth of the card from 7,680 threads on, and threads of an engine with a reserve. */
const CARD_PEAK = 505;
const PEAK_THREADS = 4096;

const TEXEL_BYTES = 16;
const EDGE_TEXELS = 1024;
/** Height of the frame: a row of blocks of 4×4 texels, which are consecutive in memory. */
const HEIGHT_PX = 4;
/**
 * Numbers of lookups per thread in the two frames whose difference is measured, so that start and
 * end of a frame do not count.
 */
const LOOKUPS = { few: 48, many: 176 } as const;

/** Returns a row per number of threads, and one of the peak. */
export async function measureBandwidthCurve(): Promise<ValidationRow[]> {
  const rows: ValidationRow[] = [];
  for (const [threads, gigabytesPerSecond] of CURVE) {
    rows.push({
      name: `bandwidth with ${threads / ENGINES} threads`,
      spec: SPEC.name,
      unit: 'GB/s',
      ours: await bandwidthOf(SPEC, threads / ENGINES),
      expected: gigabytesPerSecond / ENGINES,
      source: SOURCE,
      tolerance: CURVE_WITHIN,
      reason:
        'a warp has one lookup in flight, 16 bytes a thread. The card has 22 bytes a thread in flight: bandwidth × 274 ns of latency ÷ threads',
    });
  }
  rows.push({
    name: `bandwidth with ${PEAK_THREADS} threads`,
    spec: SPEC.name,
    unit: 'GB/s',
    ours: await bandwidthOf(SPEC, PEAK_THREADS),
    expected: CARD_PEAK / ENGINES,
    source: SOURCE,
    tolerance: PEAK_WITHIN,
    reason:
      'consecutive lines are in one bank group, where they are 5 cycles apart (tCCD_L) and take 4 on the bus, and each refresh closes all banks of a channel for 6 % of the time',
  });
  return rows;
}

/** Returns the gigabytes per second of a frame with a pixel per thread. */
async function bandwidthOf(spec: ChipletSpec, threads: number): Promise<number> {
  const measure = async (lookups: number) => {
    const reads = Array.from({ length: lookups }, (_, i) => {
      const offset = `ivec2(0, ${HEIGHT_PX * i})`;
      return `sum += texelFetch(image, ivec2(gl_FragCoord.xy) + ${offset}, 0);`;
    });
    const { binCycles } = await measureFrame(spec, {
      widthPx: threads / HEIGHT_PX,
      heightPx: HEIGHT_PX,
      fragment: `vec4 sum = vec4(0.0); ${reads.join(' ')} color = sum;`,
      texture: {
        edgeTexels: EDGE_TEXELS,
        format: 'rgba32float',
        words: new Float32Array(4 * EDGE_TEXELS ** 2),
      },
    });
    return binCycles;
  };
  const cycles = (await measure(LOOKUPS.many)) - (await measure(LOOKUPS.few));
  const bytes = (LOOKUPS.many - LOOKUPS.few) * threads * TEXEL_BYTES;
  return (bytes / cycles) * (spec.clockHz / 1e9);
}
