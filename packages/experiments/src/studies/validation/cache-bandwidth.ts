/** Bandwidth of the second-level cache when all cores read a texture that fits in it. */
import { chipletPreset } from '@tessera/chiplet-spec';
import { measureFrame, type ValidationRow } from './validation-rows.ts';

const EDGE_TEXELS = 128;
const LOOKUPS = 64;
/** Bytes per cycle of the whole card, and the share of it that the preset has. */
const MEASURED_BYTES_PER_CYCLE = 1806;
const SHARE = 4;

/** Returns the row of `rdna2-like`. */
export async function measureCacheBandwidth(): Promise<ValidationRow[]> {
  const spec = chipletPreset('rdna2-like');
  // Lookups of a warp are far apart, so that few lines are in the cache of its texture unit.
  const lookups = Array.from({ length: LOOKUPS }, (_, i) => {
    const offset = `ivec2(${(i * 8) % EDGE_TEXELS}, ${((i >> 4) * 36 + i * 12) % EDGE_TEXELS})`;
    return `sum += texelFetch(image, (ivec2(gl_FragCoord.xy) + ${offset}) & ${EDGE_TEXELS - 1}, 0).x;`;
  }).join(' ');
  const { cycles, counters } = await measureFrame(spec, {
    widthPx: 512,
    heightPx: 256,
    fragment: `float sum = 0.0; ${lookups} color = vec4(sum);`,
    texture: {
      edgeTexels: EDGE_TEXELS,
      format: 'rgba32float',
      words: new Float32Array(4 * EDGE_TEXELS ** 2),
    },
  });
  return [
    {
      name: 'bandwidth of the second-level cache',
      spec: spec.name,
      unit: 'bytes per cycle',
      ours: (counters['memory.textureBytesRead'] ?? 0) / cycles,
      expected: MEASURED_BYTES_PER_CYCLE / SHARE,
      source:
        'measured on a Radeon RX 6900 XT (te42kyfo, gpu-benches, gpu-l2-cache): 4.6 TB/s, 1,806 bytes per cycle, a quarter of it',
      tolerance: 0.1,
      reason: '',
    },
  ];
}
