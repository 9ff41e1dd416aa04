/**
 * Filled shapes with antialiased edges. The coverage of a pixel is the mean of four scan lines,
 * each of them exact in x.
 */

/**
 * Polygon as x and y of each corner, in pixels from the top left. The last corner connects to the
 * first.
 */
export type Outline = readonly number[];

/** Rule that decides which points are inside overlapping outlines. */
export type FillRule = 'nonzero' | 'evenodd';

const LINES_PER_PIXEL = 4;

interface Crossing {
  readonly x: number;
  /** +1 if the outline crosses the line downwards, −1 if upwards. */
  readonly direction: number;
}

/**
 * Calls `paint` for each pixel that the outlines cover. @param paint Receives a `coverage` greater
 * than 0, up to 1.
 */
export function fillShape(
  outlines: readonly Outline[],
  rule: FillRule,
  widthPx: number,
  heightPx: number,
  paint: (x: number, y: number, coverage: number) => void,
): void {
  const coverages = new Float64Array(widthPx);
  for (let y = 0; y < heightPx; y++) {
    coverages.fill(0);
    for (let line = 0; line < LINES_PER_PIXEL; line++) {
      const crossings = crossingsAt(outlines, y + (line + 0.5) / LINES_PER_PIXEL);
      addSpans(crossings, rule, coverages);
    }
    for (let x = 0; x < widthPx; x++) {
      const coverage = coverages[x]! / LINES_PER_PIXEL;
      if (coverage > 0) paint(x, y, Math.min(coverage, 1));
    }
  }
}

function crossingsAt(outlines: readonly Outline[], y: number): Crossing[] {
  const crossings: Crossing[] = [];
  for (const outline of outlines) {
    for (let at = 0; at < outline.length; at += 2) {
      const next = (at + 2) % outline.length;
      const [fromY, toY] = [outline[at + 1]!, outline[next + 1]!];
      if (fromY <= y === toY <= y) continue;
      const share = (y - fromY) / (toY - fromY);
      const x = outline[at]! + (outline[next]! - outline[at]!) * share;
      crossings.push({ x, direction: fromY < toY ? 1 : -1 });
    }
  }
  return crossings.sort((a, b) => a.x - b.x);
}

/** Adds the coverage of a scan line's interior spans to each pixel. */
function addSpans(crossings: readonly Crossing[], rule: FillRule, coverages: Float64Array): void {
  let winding = 0;
  for (let i = 0; i + 1 < crossings.length; i++) {
    winding += crossings[i]!.direction;
    const isInside = rule === 'nonzero' ? winding !== 0 : i % 2 === 0;
    if (!isInside) continue;
    const left = Math.max(crossings[i]!.x, 0);
    const right = Math.min(crossings[i + 1]!.x, coverages.length);
    for (let x = Math.floor(left); x < right; x++) {
      coverages[x]! += Math.min(right, x + 1) - Math.max(left, x);
    }
  }
}
