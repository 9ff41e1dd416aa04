/**
 * Rooflines: scenes that are bound by one unit, whose rate the specification states. The expected
 * figure is arithmetic (Williams, Waterman, Patterson: Roofline, CACM 52, 2009).
 */
import { type ChipletSpec, DEFAULT_CHIPLET_SPEC, withSettings } from '@tessera/chiplet-spec';
import { latencyOf, MEMORY_EDGE_TEXELS } from './pointer-chase.ts';
import { measureFrame, type ValidationRow } from './validation-rows.ts';

const SPEC = DEFAULT_CHIPLET_SPEC;
const RELEASE =
  'warp IDs are released in order, so that a core stands still behind its oldest warp (task scheduler of Deng, Tian and Han)';
const ARITHMETIC = 'arithmetic from the specification';
const WITHIN = 0.02;
const QUAD_PIXELS = 4;
const LINE_BYTES = 64;

/** Returns all rows. */
export async function measureRooflines(): Promise<ValidationRow[]> {
  return [
    await triangleRate(),
    await vertexRate(),
    await fillRate(),
    await instructionRate(),
    await textureRate(),
    await streaming(),
    await littlesLaw(),
    await branch(),
  ];
}

const SMALL_TRIANGLES = {
  widthPx: 256,
  heightPx: 256,
  squareEdgePx: 1,
  fragment: 'color = vec4(0.5);',
};
const SMALL_TRIANGLE_COUNT = 2 * SMALL_TRIANGLES.widthPx * SMALL_TRIANGLES.heightPx;

/** Triangles per cycle in the visibility phase. */
async function triangleRate(): Promise<ValidationRow> {
  const { visibilityCycles } = await measureFrame(SPEC, SMALL_TRIANGLES);
  return {
    name: 'visibility of triangles of half a pixel',
    spec: SPEC.name,
    unit: 'triangles per cycle',
    ours: SMALL_TRIANGLE_COUNT / visibilityCycles,
    expected: 1 / SPEC.setupIntervalCycles,
    source: ARITHMETIC,
    tolerance: WITHIN,
    reason: '',
  };
}

/** Vertices per cycle in the visibility phase. */
async function vertexRate(): Promise<ValidationRow> {
  const spec = withSettings(SPEC, { vertexLookupsPerCycle: 1 });
  const { visibilityCycles } = await measureFrame(spec, SMALL_TRIANGLES);
  return {
    name: 'vertices of triangles of half a pixel',
    spec: spec.name,
    unit: 'vertices per cycle',
    ours: (3 * SMALL_TRIANGLE_COUNT) / visibilityCycles,
    expected: spec.vertexLookupsPerCycle,
    source: ARITHMETIC,
    tolerance: WITHIN,
    reason: '',
  };
}

/** Pixels per cycle of a full-screen triangle with a constant color, as one bin. */
async function fillRate(): Promise<ValidationRow> {
  const size = { widthPx: 1024, heightPx: 1024 };
  const { cycles } = await measureFrame(SPEC, { ...size, fragment: 'color = vec4(0.5);' });
  return {
    name: 'fill of one bin of 1024×1024',
    spec: SPEC.name,
    unit: 'pixels per cycle',
    ours: (size.widthPx * size.heightPx) / cycles,
    expected: QUAD_PIXELS * SPEC.outputQuadsPerCycle,
    source: ARITHMETIC,
    tolerance: 0.05,
    isLowerBound: true,
    reason: '',
  };
}

/** Warp instructions per cycle of a shader of many dependent multiply-adds. */
async function instructionRate(): Promise<ValidationRow> {
  const steps = 'x = x * 1.25 + y; y = y * 0.75 + x; '.repeat(64);
  const fragment = `float x = gl_FragCoord.x; float y = gl_FragCoord.y; ${steps} color = vec4(x, y, x, y);`;
  const { cycles, counters } = await measureFrame(SPEC, {
    widthPx: 1024,
    heightPx: 1024,
    fragment,
  });
  return {
    name: 'instructions of a shader of 128 multiply-adds',
    spec: SPEC.name,
    unit: 'warp instructions per cycle',
    ours: (counters['shaderCore.warpInstructions'] ?? 0) / cycles,
    expected: SPEC.smCount,
    source: ARITHMETIC,
    tolerance: WITHIN,
    reason: RELEASE,
  };
}

/** Filtered quads per cycle of lookups in a texture that fits in the first-level cache. */
async function textureRate(): Promise<ValidationRow> {
  const edgeTexels = 32;
  const lookups = Array.from(
    { length: 64 },
    (_, i) => `sum += texelFetch(image, (ivec2(gl_FragCoord.xy) + ${i}) & 31, 0).x;`,
  ).join(' ');
  const { cycles, counters } = await measureFrame(SPEC, {
    widthPx: 512,
    heightPx: 512,
    fragment: `uint sum = 0u; ${lookups} color = vec4(float(sum));`,
    texture: { edgeTexels, format: 'r32uint' as const, words: new Uint32Array(edgeTexels ** 2) },
  });
  const quadsPerWarp = SPEC.warpThreads / QUAD_PIXELS;
  return {
    name: 'lookups of cached texels',
    spec: SPEC.name,
    unit: 'quads per cycle',
    ours: ((counters['textureUnit.requests'] ?? 0) * quadsPerWarp) / cycles,
    expected: SPEC.smCount * SPEC.textureQuadsPerCycle,
    source: ARITHMETIC,
    tolerance: WITHIN,
    reason: RELEASE,
  };
}

/** Returns the bytes per cycle of lookups that read a texture of 16 MiB once. */
async function streamTexture(spec: ChipletSpec): Promise<number> {
  const edgeTexels = 1024;
  const lookups = Array.from({ length: 16 }, (_, i) => {
    const offset = `ivec2(${(i & 3) * 256}, ${(i >> 2) * 256})`;
    return `sum += texelFetch(image, ivec2(gl_FragCoord.xy) + ${offset}, 0).x;`;
  }).join(' ');
  const { cycles, counters } = await measureFrame(spec, {
    widthPx: 256,
    heightPx: 256,
    fragment: `float sum = 0.0; ${lookups} color = vec4(sum);`,
    texture: {
      edgeTexels,
      format: 'rgba32float' as const,
      words: new Float32Array(4 * edgeTexels ** 2),
    },
  });
  return (counters['memory.bytesRead'] ?? 0) / cycles;
}

async function streaming(): Promise<ValidationRow> {
  return {
    name: 'streaming read',
    spec: SPEC.name,
    unit: 'bytes per cycle',
    ours: await streamTexture(SPEC),
    expected: SPEC.dramChannels * SPEC.dramBytesPerCycle,
    source: ARITHMETIC,
    tolerance: 0.1,
    isLowerBound: true,
    reason: '',
  };
}

/** Streaming read in which each texture unit has one lookup in flight. */
async function littlesLaw(): Promise<ValidationRow> {
  // A texel of rgba32float has 16 bytes.
  const lookupBytes = 16 * SPEC.warpThreads;
  const spec = withSettings(SPEC, { textureMissEntries: lookupBytes / LINE_BYTES });
  const latencyCycles = await latencyOf(SPEC, MEMORY_EDGE_TEXELS);
  return {
    name: 'streaming read, one lookup in flight per core',
    spec: spec.name,
    unit: 'bytes per cycle',
    ours: await streamTexture(spec),
    expected: (spec.smCount * lookupBytes) / latencyCycles,
    source: `Little's law, with the ${latencyCycles.toFixed(0)} cycles of a pointer chase`,
    tolerance: 0.1,
    reason: '',
  };
}

/** Cost of a branch on a uniform that is never taken ÷ that of one that is. */
async function branch(): Promise<ValidationRow> {
  const body = 'x = sin(x) * 1.5 + 0.25; '.repeat(128);
  const fragment = `float x = gl_FragCoord.x; if (flag > 0.5) { ${body} } color = vec4(x);`;
  const instructions = async (flag: number) => {
    const made = { widthPx: 256, heightPx: 256, fragment, flag };
    return (await measureFrame(SPEC, made)).counters['shaderCore.warpInstructions'] ?? 0;
  };
  const plain = {
    widthPx: 256,
    heightPx: 256,
    fragment: 'float x = gl_FragCoord.x; color = vec4(x);',
  };
  const without = (await measureFrame(SPEC, plain)).counters['shaderCore.warpInstructions'] ?? 0;
  const [never, taken] = [await instructions(0), await instructions(1)];
  return {
    name: 'branch on a uniform that is never taken',
    spec: SPEC.name,
    unit: 'share of the instructions of the side that is not taken',
    ours: 1 + (never - without) / (taken - without),
    expected: 1,
    source:
      'measured on an RTX 2080, a Mali-G57 and an Adreno 660 (azhirnov, as-en): the side is skipped',
    tolerance: WITHIN,
    reason: '',
  };
}
