/**
 * Filled shapes with antialiased edges. The coverage of a pixel is the mean of 16 scan lines, each
 * of them exact in x.
 */

/**
 * Polygon as x and y of each corner, in pixels from the top left. The last corner connects to the
 * first.
 */
export type Outline = readonly number[];

/** Rule that decides which points are inside overlapping outlines. */
export type FillRule = 'nonzero' | 'evenodd';

const LINES_PER_PIXEL = 16;
/** Coverage below which a pixel is not painted: less than a level of 255. */
const MIN_COVERAGE = 1 / 512;

/** Edge of an outline from its top to its bottom. */
interface Edge {
  readonly top: number;
  readonly bottom: number;
  readonly topX: number;
  /** Change of x per unit of y. */
  readonly slope: number;
  /** +1 if the outline goes down along the edge, −1 if up. */
  readonly direction: number;
}

interface Crossing {
  readonly x: number;
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
  const edges = listEdges(outlines, heightPx);
  if (edges.length === 0) return;
  const coverages = new Float64Array(widthPx);
  const bottomY = edges.reduce((most, { bottom }) => Math.max(most, bottom), 0);
  const lastRow = Math.min(Math.ceil(bottomY), heightPx);
  let active: Edge[] = [];
  let next = 0;
  for (let y = Math.max(Math.floor(edges[0]!.top), 0); y < lastRow; y++) {
    active = active.filter(({ bottom }) => bottom > y);
    while (next < edges.length && edges[next]!.top < y + 1) active.push(edges[next++]!);
    if (active.length === 0) continue;
    coverages.fill(0);
    // All scan lines of a row between vertical edges are the same.
    const isSame = active.every(
      (edge) => edge.slope === 0 && edge.top <= y && edge.bottom >= y + 1,
    );
    const lineCount = isSame ? 1 : LINES_PER_PIXEL;
    for (let line = 0; line < lineCount; line++) {
      const at = y + (line + 0.5) / lineCount;
      addSpans(crossingsAt(active, at), rule, coverages);
    }
    for (let x = 0; x < widthPx; x++) {
      const coverage = coverages[x]! / lineCount;
      if (coverage > MIN_COVERAGE) paint(x, y, Math.min(coverage, 1));
    }
  }
}

/** Returns whether a point is inside the outlines. */
export function isInside(
  outlines: readonly Outline[],
  rule: FillRule,
  x: number,
  y: number,
): boolean {
  const edges = listEdges(outlines, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY);
  const crossings = crossingsAt(edges, y).filter((crossing) => crossing.x <= x);
  if (rule === 'evenodd') return crossings.length % 2 === 1;
  return crossings.reduce((winding, { direction }) => winding + direction, 0) !== 0;
}

/** Returns the edges between the rows, by their tops. */
function listEdges(outlines: readonly Outline[], heightPx: number, topPx = 0): Edge[] {
  const edges: Edge[] = [];
  for (const outline of outlines) {
    for (let at = 0; at < outline.length; at += 2) {
      const next = (at + 2) % outline.length;
      const [fromX, fromY, toX, toY] = [
        ...[outline[at]!, outline[at + 1]!],
        ...[outline[next]!, outline[next + 1]!],
      ] as [number, number, number, number];
      if (fromY === toY) continue;
      const isDown = fromY < toY;
      const [top, bottom] = isDown ? [fromY, toY] : [toY, fromY];
      if (bottom <= topPx || top >= heightPx) continue;
      const slope = (toX - fromX) / (toY - fromY);
      edges.push({ top, bottom, topX: isDown ? fromX : toX, slope, direction: isDown ? 1 : -1 });
    }
  }
  return edges.sort((a, b) => a.top - b.top);
}

function crossingsAt(edges: readonly Edge[], y: number): Crossing[] {
  const crossings: Crossing[] = [];
  for (const { top, bottom, topX, slope, direction } of edges) {
    if (top <= y && y < bottom) crossings.push({ x: topX + (y - top) * slope, direction });
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
