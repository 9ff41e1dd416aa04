/**
 * Rooflines of the depth test, the output merger and the interpolator: scenes that are bound by one
 * of them, beside arithmetic from the specification.
 */
import { DEFAULT_CHIPLET_SPEC, withSettings } from '@tessera/chiplet-spec';
import type { MadeFrame } from './made-frames.ts';
import { measureFrame, type ValidationRow } from './validation-rows.ts';

const SPEC = DEFAULT_CHIPLET_SPEC;
const ARITHMETIC = 'arithmetic from the specification';
const WITHIN = 0.02;
/** Tolerance of frames that are drawn once, which include filling and draining the pipeline. */
const FILL_WITHIN = 0.05;
const QUAD_PIXELS = 4;
const DEPTH_BYTES = 4;
/** Edge of the target, and that of a target with four samples per pixel, which is one bin. */
const EDGE_PX = 1024;
const MULTISAMPLE_EDGE_PX = 512;
const FLAT = { widthPx: EDGE_PX, heightPx: EDGE_PX, fragment: 'color = vec4(0.5);' } as const;
const PIXELS = EDGE_PX ** 2;
const DEPTH_TEST = { isTestEnabled: true, isWriteEnabled: true, compare: 'less' } as const;

/** Returns all rows. */
export async function measureDepthAndOutput(): Promise<ValidationRow[]> {
  return [
    await depthTestRate(),
    await depthWriteRate(),
    await blendRate(),
    await multisampleRate(),
    await interpolationRate(),
  ];
}

/** Quads per cycle of layers behind another one, without hierarchical depth. */
async function depthTestRate(): Promise<ValidationRow> {
  // Tile traversal passes four quads a cycle, so the depth test binds at two.
  const spec = withSettings(SPEC, { hasHierarchicalDepth: false, depthQuadsPerCycle: 2 });
  const hiddenLayers = 3;
  const measure = async (layers: readonly number[]) =>
    (await measureFrame(spec, { ...FLAT, layers, state: { depth: DEPTH_TEST } })).binCycles;
  const hidden = Array.from({ length: hiddenLayers }, () => 0.5);
  const cycles = (await measure([-0.5, ...hidden])) - (await measure([-0.5]));
  return {
    name: 'depth tests of hidden layers',
    spec: spec.name,
    unit: 'quads per cycle',
    ours: (hiddenLayers * PIXELS) / QUAD_PIXELS / cycles,
    expected: spec.depthQuadsPerCycle,
    source: ARITHMETIC,
    tolerance: WITHIN,
    reason: '',
  };
}

/** Pixels per cycle of a layer whose depth is written. */
async function depthWriteRate(): Promise<ValidationRow> {
  const memoryPixels = (SPEC.dramChannels * SPEC.dramBytesPerCycle) / DEPTH_BYTES;
  return {
    ...(await fillRow('fill with depth writes', { state: { depth: DEPTH_TEST } })),
    expected: Math.min(QUAD_PIXELS * SPEC.outputQuadsPerCycle, memoryPixels),
    source: `${ARITHMETIC}: the rate of the output merger, and of local memory, which takes the depth`,
    tolerance: 0.1,
    isLowerBound: true,
  };
}

/** Pixels per cycle of a layer that is blended with the target. */
async function blendRate(): Promise<ValidationRow> {
  const channel = { equation: 'add', source: 'src-alpha', destination: 'one-minus-src-alpha' };
  const blend = { isEnabled: true, color: channel, alpha: channel };
  const depth = { isTestEnabled: false, isWriteEnabled: false };
  return {
    ...(await fillRow('blended fill', { state: { blend, depth } })),
    expected: (QUAD_PIXELS * SPEC.outputQuadsPerCycle) / (1 + SPEC.outputReadCycles),
  };
}

/** Samples per cycle of a layer in a target with four samples per pixel. */
async function multisampleRate(): Promise<ValidationRow> {
  const sampleCount = 4;
  const size = { widthPx: MULTISAMPLE_EDGE_PX, heightPx: MULTISAMPLE_EDGE_PX };
  const row = await fillRow('fill of four samples per pixel', { ...size, sampleCount });
  return {
    ...row,
    unit: 'samples per cycle',
    ours: sampleCount * row.ours,
    expected: QUAD_PIXELS * SPEC.outputQuadsPerCycle,
  };
}

/** Components of quads per cycle of a shader that reads eight varyings of four components. */
async function interpolationRate(): Promise<ValidationRow> {
  const spec = withSettings(SPEC, { interpolatedComponentsPerCycle: 16 });
  const varyingVectors = 8;
  const names = Array.from({ length: varyingVectors }, (_, i) => `v${i}`);
  const fragment = `color = ${names.join(' + ')};`;
  const { binCycles } = await measureFrame(spec, { ...FLAT, fragment, varyingVectors });
  return {
    name: 'interpolation of 32 components',
    spec: spec.name,
    unit: 'quad components per cycle',
    ours: ((PIXELS / QUAD_PIXELS) * 4 * varyingVectors) / binCycles,
    expected: spec.interpolatedComponentsPerCycle,
    source: ARITHMETIC,
    tolerance: WITHIN,
    reason: '',
  };
}

/** Returns a row of the pixels per cycle of a frame. */
async function fillRow(
  name: string,
  made: Partial<MadeFrame>,
): Promise<Omit<ValidationRow, 'expected'>> {
  const frame = { ...FLAT, ...made };
  const { binCycles } = await measureFrame(SPEC, frame);
  return {
    name,
    spec: SPEC.name,
    unit: 'pixels per cycle',
    ours: (frame.widthPx * frame.heightPx) / binCycles,
    source: ARITHMETIC,
    tolerance: FILL_WITHIN,
    reason: '',
  };
}
