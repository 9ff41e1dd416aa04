/**
 * Rooflines: scenes that are bound by one unit, whose rate the specification states. The expected
 * figure is arithmetic (Williams, Waterman, Patterson: Roofline, CACM 52, 2009).
 */
import { type ChipletSpec, DEFAULT_CHIPLET_SPEC, withSettings } from '@tessera/chiplet-spec';
import { measureFrame, type ValidationRow } from './validation-rows.ts';

const SPEC = DEFAULT_CHIPLET_SPEC;
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
    ...(await streaming()),
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

/** Vertices per cycle in the visibility phase, with a setup that is faster than vertex fetch. */
async function vertexRate(): Promise<ValidationRow> {
  const spec = withSettings(SPEC, { setupIntervalCycles: 1, vertexLookupsPerCycle: 1 });
  const { visibilityCycles } = await measureFrame(spec, SMALL_TRIANGLES);
  return {
    name: 'vertices of triangles of half a pixel',
    spec: spec.name,
    unit: 'vertices per cycle',
    ours: (3 * SMALL_TRIANGLE_COUNT) / visibilityCycles,
    expected: spec.vertexLookupsPerCycle,
    source: ARITHMETIC,
    tolerance: WITHIN,
    reason:
      'vertex fetch closes a warp in a cycle of its own: 30 vertices of ten triangles take 31 cycles',
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
  const steps = 'x = x * 1.25 + y; y = y * 0.75 + x; '.repeat(256);
  const fragment = `float x = gl_FragCoord.x; float y = gl_FragCoord.y; ${steps} color = vec4(x, y, x, y);`;
  const { cycles, counters } = await measureFrame(SPEC, { widthPx: 256, heightPx: 256, fragment });
  return {
    name: 'instructions of a shader of 512 multiply-adds',
    spec: SPEC.name,
    unit: 'warp instructions per cycle',
    ours: (counters['shaderCore.warpInstructions'] ?? 0) / cycles,
    expected: SPEC.smCount,
    source: ARITHMETIC,
    tolerance: WITHIN,
    reason: '',
  };
}

/** Filtered quads per cycle of lookups in a texture that fits in the first-level cache. */
async function textureRate(): Promise<ValidationRow> {
  const edgeTexels = 32;
  const lookups = Array.from(
    { length: 256 },
    (_, i) => `sum += texelFetch(image, (ivec2(gl_FragCoord.xy) + ${i}) & 31, 0).x;`,
  ).join(' ');
  const { cycles, counters } = await measureFrame(SPEC, {
    widthPx: 256,
    heightPx: 256,
    fragment: `uint sum = 0u; ${lookups} color = vec4(float(sum));`,
    texture: { edgeTexels, words: new Uint32Array(edgeTexels ** 2) },
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
    reason: '',
  };
}

/** Bytes per cycle of lookups that read a texture of 4 MiB once. */
async function streaming(): Promise<ValidationRow[]> {
  const many = withSettings(SPEC, {
    l2MissEntries: 1024,
    memoryClientLines: 256,
    warpSlotsPerSm: 32,
    fragmentWarpWindow: 512,
    dramQueueEntries: 128,
    l2LinesPerCycle: 4,
  });
  const rows: ValidationRow[] = [];
  for (const spec of [SPEC, many]) rows.push(await streamTexture(spec));
  return rows;
}

async function streamTexture(spec: ChipletSpec): Promise<ValidationRow> {
  const edgeTexels = 1024;
  const lookups = Array.from({ length: 16 }, (_, i) => {
    const offset = `ivec2(${(i & 3) * 256}, ${(i >> 2) * 256})`;
    return `sum += texelFetch(image, ivec2(gl_FragCoord.xy) + ${offset}, 0).x;`;
  }).join(' ');
  const { cycles, counters } = await measureFrame(spec, {
    widthPx: 256,
    heightPx: 256,
    fragment: `uint sum = 0u; ${lookups} color = vec4(float(sum));`,
    texture: { edgeTexels, words: new Uint32Array(edgeTexels ** 2) },
  });
  const isDefault = spec === SPEC;
  return {
    name: isDefault ? 'streaming read' : 'streaming read, many lines in flight',
    spec: spec.name,
    unit: 'bytes per cycle',
    ours: (counters['memory.bytesRead'] ?? 0) / cycles,
    expected: spec.dramChannels * spec.dramBytesPerCycle,
    source: ARITHMETIC,
    tolerance: 0.1,
    isLowerBound: true,
    reason: isDefault
      ? `${spec.smCount * spec.warpSlotsPerSm} warps and ${spec.l2MissEntries} lines of ${LINE_BYTES} bytes in flight do not hide the latency (Little's law)`
      : "linear rows of blocks: streams in one bank close each other's rows",
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
