/**
 * Peak rates of `rdna2-like` beside a quarter of those of its card, at the card's boost clock. The
 * peaks follow from the data sheet, and the figures are measured on frames.
 */
import { chipletPreset, withSettings } from '@tessera/chiplet-spec';
import { measureFrame, type ValidationRow } from './validation-rows.ts';

/** Data sheet of the Radeon RX 6900 XT. */
const CARD = {
  boostHz: 2_250_000_000,
  lanes: 5120,
  textureUnits: 320,
  renderOutputs: 128,
  trianglesPerCycle: 4,
} as const;
const SHEET = 'a quarter of the Radeon RX 6900 XT at 2.25 GHz (Guru3D, table of the review)';
/** Share of the card that the preset models: one of four shader engines. */
const ENGINES = 4;
const SPEC = withSettings(chipletPreset('rdna2-like'), { clockHz: CARD.boostHz });
const WITHIN = 0.1;
const GIGA = 1e9;
const FILL_EDGE_PX = 1024;
const TEXTURED_EDGE_PX = 512;
const TRIANGLES_EDGE_PX = 256;
const MULTIPLY_ADDS = 128;
const LOOKUPS = 64;
const TEXTURE_EDGE_TEXELS = 32;

/** Returns all rows. */
export async function measureDataSheet(): Promise<ValidationRow[]> {
  return [await pixelPeak(), await texelPeak(), await trianglePeak(), await arithmeticPeak()];
}

/** Returns a row: `count` of something in `cycles`, beside the card's number per cycle. */
function peakRow(row: {
  readonly name: string;
  readonly unit: string;
  readonly count: number;
  readonly cycles: number;
  readonly cardPerCycle: number;
  readonly source: string;
  readonly reason: string;
}): ValidationRow {
  return {
    name: row.name,
    spec: SPEC.name,
    unit: row.unit,
    ours: ((row.count / row.cycles) * SPEC.clockHz) / GIGA,
    expected: ((row.cardPerCycle / ENGINES) * CARD.boostHz) / GIGA,
    source: row.source,
    tolerance: WITHIN,
    reason: row.reason,
  };
}

async function pixelPeak(): Promise<ValidationRow> {
  const size = { widthPx: FILL_EDGE_PX, heightPx: FILL_EDGE_PX };
  const { binCycles } = await measureFrame(SPEC, { ...size, fragment: 'color = vec4(0.5);' });
  return peakRow({
    name: 'peak of pixels',
    unit: 'Gpixel/s',
    count: FILL_EDGE_PX ** 2,
    cycles: binCycles,
    cardPerCycle: CARD.renderOutputs,
    source: `${SHEET}: ${CARD.renderOutputs} ROPs`,
    reason:
      'tile traversal passes one block of 4×4 pixels a cycle, half of what the output merger takes',
  });
}

async function texelPeak(): Promise<ValidationRow> {
  const mask = TEXTURE_EDGE_TEXELS - 1;
  const lookups = Array.from(
    { length: LOOKUPS },
    (_, i) => `sum += texelFetch(image, (ivec2(gl_FragCoord.xy) + ${i}) & ${mask}, 0).x;`,
  ).join(' ');
  const { binCycles } = await measureFrame(SPEC, {
    widthPx: TEXTURED_EDGE_PX,
    heightPx: TEXTURED_EDGE_PX,
    fragment: `uint sum = 0u; ${lookups} color = vec4(float(sum));`,
    texture: {
      edgeTexels: TEXTURE_EDGE_TEXELS,
      format: 'r32uint',
      words: new Uint32Array(TEXTURE_EDGE_TEXELS ** 2),
    },
  });
  return peakRow({
    name: 'peak of texels',
    unit: 'Gtexel/s',
    count: LOOKUPS * TEXTURED_EDGE_PX ** 2,
    cycles: binCycles,
    cardPerCycle: CARD.textureUnits,
    source: `${SHEET}: ${CARD.textureUnits} texture units`,
    reason:
      'each core has a texture unit of at least a quad a cycle, and two SIMDs of the card share one',
  });
}

async function trianglePeak(): Promise<ValidationRow> {
  const { visibilityCycles } = await measureFrame(SPEC, {
    widthPx: TRIANGLES_EDGE_PX,
    heightPx: TRIANGLES_EDGE_PX,
    squareEdgePx: 1,
    fragment: 'color = vec4(0.5);',
  });
  return peakRow({
    name: 'peak of triangles',
    unit: 'Gtriangle/s',
    count: 2 * TRIANGLES_EDGE_PX ** 2,
    cycles: visibilityCycles,
    cardPerCycle: CARD.trianglesPerCycle,
    source: 'a quarter of the peak that the vendor states, 4 triangles a cycle, at 2.25 GHz',
    reason: '',
  });
}

async function arithmeticPeak(): Promise<ValidationRow> {
  const steps = 'x = x * 1.25 + y; y = y * 0.75 + x; '.repeat(MULTIPLY_ADDS / 2);
  const { binCycles } = await measureFrame(SPEC, {
    widthPx: FILL_EDGE_PX,
    heightPx: FILL_EDGE_PX,
    fragment: `float x = gl_FragCoord.x; float y = gl_FragCoord.y; ${steps} color = vec4(x, y, x, y);`,
  });
  return peakRow({
    name: 'peak of arithmetic',
    unit: 'GFLOP/s',
    count: 2 * MULTIPLY_ADDS * FILL_EDGE_PX ** 2,
    cycles: binCycles,
    cardPerCycle: 2 * CARD.lanes,
    source: `${SHEET}: ${CARD.lanes} lanes, two operations a multiply-add`,
    reason: '',
  });
}
