/** Draws a schedule on a canvas: a row for each chiplet, and one for the link. */

import {
  blendColors,
  chipletColor,
  cssColor,
  frameColor,
  type Rgb,
  textColorOn,
} from '@tessera/plot/colors';
import { axisTicks, cycleToPx, roundStep } from '../gantt/gantt-layout.ts';
import { formatCompact } from '../ui/format.ts';
import type { Schedule, ScheduleBar, ScheduleTransfer } from './schedule.ts';
import type { ScheduleColors } from './schedule-colors.ts';

const AXIS_PX = 20;
const MAX_ROW_PX = 22;
const MIN_ROW_PX = 6;
/** Height of all rows together, if their height permits it. */
const ROWS_PX = 380;
const LABEL_PX = 74;
const NARROW_LABEL_PX = 30;
const NARROW_PX = 560;
/** Height of the smallest text. */
const TEXT_PX = 11;
/** Least number of steps of the axis. */
const END_STEPS = 10;

/** Places of a schedule on its canvas. */
export interface ScheduleLayout {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly rowPx: number;
  readonly labelPx: number;
  readonly plotPx: number;
  /** Last cycle of the axis, which moves in steps, so that bars slide and the axis stays. */
  readonly toCycle: number;
}

/** Returns the layout of a schedule on a canvas of the given width. */
export function layoutOf({ rowCount, endCycle }: Schedule, widthPx: number): ScheduleLayout {
  const rowPx = Math.min(MAX_ROW_PX, Math.max(MIN_ROW_PX, Math.floor(ROWS_PX / (rowCount + 1))));
  const labelPx = widthPx < NARROW_PX ? NARROW_LABEL_PX : LABEL_PX;
  const step = roundStep(endCycle / END_STEPS);
  return {
    widthPx,
    heightPx: AXIS_PX + (rowCount + 1) * rowPx + 2,
    rowPx,
    labelPx,
    plotPx: Math.max(50, widthPx - labelPx - 4),
    toCycle: Math.ceil(endCycle / step) * step,
  };
}

/** Returns the row and the cycle at a point of the canvas. */
export function placeAt(layout: ScheduleLayout, xPx: number, yPx: number) {
  return {
    row: Math.floor((yPx - AXIS_PX) / layout.rowPx),
    cycle: ((xPx - layout.labelPx) / layout.plotPx) * layout.toCycle,
  };
}

/** Draws a schedule. The scale of the context is that of CSS pixels. */
export function drawSchedule(
  context: CanvasRenderingContext2D,
  schedule: Schedule,
  layout: ScheduleLayout,
  colors: ScheduleColors,
): void {
  const { widthPx, heightPx, rowPx, labelPx, plotPx, toCycle } = layout;
  const view = { fromCycle: 0, toCycle };
  const xOf = (cycle: number) => labelPx + cycleToPx(cycle, view, plotPx);
  const yOf = (row: number) => AXIS_PX + row * rowPx;
  const gapPx = rowPx > 10 ? 2 : 1;
  const fill = (startCycle: number, endCycle: number, row: number) => {
    const xPx = xOf(startCycle);
    context.fillRect(xPx, yOf(row), Math.max(1, xOf(endCycle) - xPx - 0.5), rowPx - gapPx);
  };
  context.clearRect(0, 0, widthPx, heightPx);
  context.font = `${TEXT_PX}px system-ui, sans-serif`;
  context.textBaseline = 'middle';
  drawAxis(context, layout, colors, xOf);
  context.fillStyle = colors.idle;
  for (let row = 0; row <= schedule.rowCount; row++) fill(0, schedule.endCycle, row);
  drawNames(context, schedule.rowCount, layout, colors, yOf);
  context.fillStyle = colors.visibility;
  for (const { bin, startCycle, endCycle, row } of schedule.bars) {
    if (bin === null) fill(startCycle, endCycle, row);
  }
  let style = '';
  let styleColor: Rgb | null = null;
  for (const bar of schedule.bars) {
    if (bar.bin === null) continue;
    const color = colorOf(bar, schedule);
    // Neighbors often have the same color, whose text takes longer than the bar.
    if (color !== styleColor) style = cssColor(color);
    styleColor = color;
    context.fillStyle = style;
    fill(bar.startCycle, bar.endCycle, bar.row);
    const text = bar.bin.startsWith('0/') ? bar.bin.slice(2) : bar.bin;
    const roomPx = xOf(bar.endCycle) - xOf(bar.startCycle);
    if (rowPx < TEXT_PX + 2 || roomPx < text.length * 7 + 4) continue;
    context.fillStyle = textColorOn(color);
    context.textAlign = 'center';
    context.fillText(text, xOf(bar.startCycle) + roomPx / 2, yOf(bar.row) + (rowPx - gapPx) / 2);
  }
  context.fillStyle = colors.transfer;
  for (const { startCycle, endCycle } of mergeTransfers(schedule.transfers)) {
    fill(startCycle, endCycle, schedule.rowCount);
  }
}

/** Merges transfers that overlap those before them, because a ring has hundreds at a time. */
function mergeTransfers(transfers: readonly ScheduleTransfer[]): ScheduleTransfer[] {
  const merged: { startCycle: number; endCycle: number }[] = [];
  for (const { startCycle, endCycle } of transfers) {
    const last = merged.at(-1);
    if (last === undefined || startCycle < last.startCycle || startCycle > last.endCycle) {
      merged.push({ startCycle, endCycle });
    } else {
      last.endCycle = Math.max(last.endCycle, endCycle);
    }
  }
  return merged;
}

function colorOf({ frame, from, chiplet, share }: ScheduleBar, { frameCount }: Schedule): Rgb {
  if (frameCount > 1) return frameColor(frame);
  if (share === 1) return chipletColor(chiplet);
  return blendColors(chipletColor(from), chipletColor(chiplet), share);
}

function drawAxis(
  context: CanvasRenderingContext2D,
  { heightPx, plotPx, widthPx, toCycle }: ScheduleLayout,
  colors: ScheduleColors,
  xOf: (cycle: number) => number,
): void {
  for (const tick of axisTicks({ fromCycle: 0, toCycle }, plotPx)) {
    const xPx = xOf(tick);
    context.fillStyle = colors.line;
    context.fillRect(xPx, AXIS_PX - 4, 1, heightPx - AXIS_PX);
    context.fillStyle = colors.text;
    context.textAlign = xPx > widthPx - 30 ? 'right' : 'center';
    context.fillText(formatCompact(tick), xPx, AXIS_PX / 2 - 2);
  }
}

/** Draws the numbers of chiplets, of which small rows have only every n-th. */
function drawNames(
  context: CanvasRenderingContext2D,
  rowCount: number,
  { rowPx, labelPx }: ScheduleLayout,
  colors: ScheduleColors,
  yOf: (row: number) => number,
): void {
  const each = Math.ceil((TEXT_PX + 1) / rowPx);
  const isNarrow = labelPx < LABEL_PX;
  context.fillStyle = colors.text;
  context.textAlign = 'left';
  for (let row = 0; row < rowCount; row += each) {
    context.fillText(isNarrow ? String(row) : `chiplet ${row}`, 0, yOf(row) + rowPx / 2);
  }
  if (each === 1 || rowCount % each === 0) {
    context.fillText('link', 0, yOf(rowCount) + rowPx / 2);
  }
}
