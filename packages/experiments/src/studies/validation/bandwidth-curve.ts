/**
 * Bandwidth of local memory over the number of threads in flight, on `rdna2-like`, beside a quarter
 * of the measured curve of its card. By Little's law, the bytes in flight and the latency determine
 * the rising part, and the bus its end.
 *
 * A frame is the measured kernel: each thread, which is a pixel, reads 8 bytes that no other thread
 * reads, compares them with a constant that they never equal, and ends without a write. Another
 * thread takes its place. The measurement limits the threads in flight by local memory, of which a
 * workgroup takes 32 KiB. This frame limits them by warp slots.
 *
 * The measurement states the threads of one workgroup for each of the 40 workgroup processors,
 * which have 128 KiB of local memory and therefore hold four. Two would be too few: at 274 ns, the
 * lowest bandwidth has 2.8 loads in flight for each stated thread. A workgroup of 32 n threads is n
 * warps, so four of them are n warps on each of the four SIMDs.
 */
import { type ChipletSpec, chipletPreset, withSettings } from '@tessera/chiplet-spec';
import { measureFrame, type ValidationRow } from './validation-rows.ts';

const SPEC = chipletPreset('rdna2-like');
const SOURCE =
  'a quarter of the curve measured on a Radeon RX 6900 XT (te42kyfo, gpu-benches, gpu-stream, read only)';
/** Share of the card that the preset models: one of four shader engines. */
const ENGINES = 4;
const CURVE_WITHIN = 0.15;
const PEAK_WITHIN = 0.1;
const IS_STARTING =
  'a thread has one load of 8 bytes in flight. The bandwidth of the card, times 274 ns of latency, is the loads of 65 to 70 % of its threads. The others have to be starting or ending, which takes a few cycles here';
const IS_BUS =
  'consecutive lines are in one bank group, where they are 5 cycles apart (tCCD_L) and take 4 on the bus, and each refresh closes all banks of a channel for 6 % of the time';
/** Gigabytes per second of the card by warps per SIMD. */
const CURVE: readonly (readonly [warps: number, gigabytesPerSecond: number, reason: string])[] = [
  [1, 104, IS_STARTING],
  [2, 202, IS_STARTING],
  [3, 292, IS_STARTING],
  [4, 398, ''],
  [5, 499, IS_BUS],
];
/** Bandwidth of the card from 6 warps on. */
const CARD_PEAK = 505;

const TEXEL_BYTES = 8;
const EDGE_TEXELS = 1024;
/** Heights of the two frames whose difference is measured, so that start and end do not count. */
const HEIGHTS_PX = { low: 128, high: 384 } as const;
/** Reads a texel, and writes nothing because no texel is 123. */
const FRAGMENT = `
  vec2 texel = texelFetch(image, ivec2(gl_FragCoord.xy), 0).xy;
  if (texel.x == 123.0) color = vec4(texel, 0.0, 1.0); else discard;`;

/** Returns a row per number of threads, and one of the peak. */
export async function measureBandwidthCurve(): Promise<ValidationRow[]> {
  const rows: ValidationRow[] = [];
  for (const [warps, gigabytesPerSecond, reason] of CURVE) {
    const spec = withSettings(SPEC, { warpSlotsPerSm: warps });
    rows.push(await rowOf(spec, gigabytesPerSecond, CURVE_WITHIN, reason));
  }
  rows.push(await rowOf(SPEC, CARD_PEAK, PEAK_WITHIN, IS_BUS));
  return rows;
}

async function rowOf(
  spec: ChipletSpec,
  gigabytesPerSecond: number,
  tolerance: number,
  reason: string,
): Promise<ValidationRow> {
  return {
    name: `bandwidth with ${spec.smCount * spec.warpSlotsPerSm * spec.warpThreads} threads`,
    spec: spec.name,
    unit: 'GB/s',
    ours: (await bytesPerCycle(spec)) * (spec.clockHz / 1e9),
    expected: gigabytesPerSecond / ENGINES,
    source: SOURCE,
    tolerance,
    reason,
  };
}

/** Returns the bytes per cycle of the kernel. */
async function bytesPerCycle(spec: ChipletSpec): Promise<number> {
  const measure = async (heightPx: number) => {
    const { binCycles } = await measureFrame(spec, {
      widthPx: EDGE_TEXELS,
      heightPx,
      fragment: FRAGMENT,
      texture: {
        edgeTexels: EDGE_TEXELS,
        format: 'rg32float',
        words: new Float32Array(2 * EDGE_TEXELS ** 2),
      },
    });
    return binCycles;
  };
  const cycles = (await measure(HEIGHTS_PX.high)) - (await measure(HEIGHTS_PX.low));
  return ((HEIGHTS_PX.high - HEIGHTS_PX.low) * EDGE_TEXELS * TEXEL_BYTES) / cycles;
}
