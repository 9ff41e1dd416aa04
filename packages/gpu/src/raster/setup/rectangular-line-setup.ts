/**
 * Setup of lines that are rectangles. In a target with several samples, the rectangle has the
 * length and the width of the line (GL ES 3.0, section 3.5.4). That of an antialiased line (OpenGL
 * 2.1, section 3.4.2) contains every pixel with coverage: it is half a pixel longer at each end,
 * and half a pixel wider on each side but at least a pixel, as Mesa draws it. Fragment shaders
 * weigh its fragments by coverage.
 */
import type { VertexStore } from '../../geometry/vertices/vertex-store.ts';
import type { ChipletMemory } from '../../memory/chiplet-memory.ts';
import {
  EDGE_COUNT,
  NO_SAMPLE,
  RECORD_I32,
  SET_UP,
  type SetupResult,
  ZERO_AREA,
} from '../../records/raster-record.ts';
import type { SetupState } from '../setup-state.ts';
import { isTopLeftEdge, writeBox, writeEdge } from './triangle-setup.ts';

/** Half a pixel, in subpixels. */
const HALF_PIXEL = 128;

/** Sets up the line v0→v1 as raster record `record`, without its depth plane. */
export function setupRectangularLine(
  memory: ChipletMemory,
  { exactX, exactY, windowX, windowY }: VertexStore,
  state: SetupState,
  record: number,
  v0: number,
  v1: number,
): SetupResult {
  const dx = exactX[v1]! - exactX[v0]!;
  const dy = exactY[v1]! - exactY[v0]!;
  if (windowX[v0] === windowX[v1] && windowY[v0] === windowY[v1]) return ZERO_AREA;
  const perLength = 1 / Math.sqrt(dx * dx + dy * dy);
  const { exactLineWidthPx: widthPx, areLinesSmooth } = state;
  const half = HALF_PIXEL * (areLinesSmooth ? Math.max(2, widthPx + 1) : widthPx);
  const along = areLinesSmooth ? HALF_PIXEL : 0;
  // Beyond the end along the line, and half of its width to the right of its direction.
  const alongX = dx * perLength * along;
  const alongY = dy * perLength * along;
  const sideX = -dy * perLength * half;
  const sideY = dx * perLength * half;
  const round = (value: number) => Math.floor(value + 0.5);
  const x = [
    round(exactX[v0]! - alongX + sideX),
    round(exactX[v0]! - alongX - sideX),
    round(exactX[v1]! + alongX - sideX),
    round(exactX[v1]! + alongX + sideX),
  ];
  const y = [
    round(exactY[v0]! - alongY + sideY),
    round(exactY[v0]! - alongY - sideY),
    round(exactY[v1]! + alongY - sideY),
    round(exactY[v1]! + alongY + sideY),
  ];
  const hasSample = writeBox(
    memory,
    record,
    Math.min(...x),
    Math.min(...y),
    Math.max(...x),
    Math.max(...y),
    state.wideBounds,
    state.sampleCount,
  );
  if (!hasSample) return NO_SAMPLE;
  for (let k = 0; k < 4; k++) {
    const [ax, ay] = [x[k]!, y[k]!];
    const [bx, by] = [x[(k + 1) % 4]!, y[(k + 1) % 4]!];
    const isInclusive = isTopLeftEdge(ax, ay, bx, by);
    writeEdge(memory, record, k, ax, ay, bx, by, isInclusive, state.sampleCount);
  }
  memory.i32[(memory.rasterRecordsPtr >> 2) + record * RECORD_I32 + EDGE_COUNT] = 4;
  return SET_UP;
}
