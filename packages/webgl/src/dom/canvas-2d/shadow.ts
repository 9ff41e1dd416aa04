/** Blurred shadows of shapes (HTML, section 4.12.5.1.18). */

/** Shape as alpha of each pixel, 0 to 255. */
export interface AlphaMask {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly alpha: Float32Array;
}

/**
 * Returns a mask that is moved and blurred. The blur is a Gaussian of half the shadow's blur,
 * approximated by three means (Kovesi 2010).
 */
export function makeShadow(
  { widthPx, heightPx, alpha }: AlphaMask,
  offsetX: number,
  offsetY: number,
  blurPx: number,
): AlphaMask {
  const moved = new Float32Array(alpha.length);
  const [shiftX, shiftY] = [Math.round(offsetX), Math.round(offsetY)];
  for (let y = 0; y < heightPx; y++) {
    const from = y - shiftY;
    if (from < 0 || from >= heightPx) continue;
    for (let x = Math.max(shiftX, 0); x < Math.min(widthPx + shiftX, widthPx); x++) {
      moved[y * widthPx + x] = alpha[from * widthPx + x - shiftX]!;
    }
  }
  if (blurPx > 0) {
    for (const width of boxWidths(blurPx / 2)) {
      blurLines(moved, heightPx, widthPx, widthPx, 1, width);
      blurLines(moved, widthPx, heightPx, 1, widthPx, width);
    }
  }
  return { widthPx, heightPx, alpha: moved };
}

/** Returns the odd widths of three means whose variances sum to that of a Gaussian. */
function boxWidths(sigma: number): number[] {
  const ideal = Math.sqrt((12 * sigma * sigma) / 3 + 1);
  const low = Math.floor(ideal) - (Math.floor(ideal) % 2 === 0 ? 1 : 0);
  const lowCount = Math.round((12 * sigma * sigma - 3 * low * low - 12 * low - 9) / (-4 * low - 4));
  return [0, 1, 2].map((i) => (i < lowCount ? low : low + 2));
}

/** Replaces each value of a line by the mean around it. Values outside are 0. */
function blurLines(
  values: Float32Array,
  lineCount: number,
  length: number,
  lineStep: number,
  step: number,
  width: number,
): void {
  const half = (width - 1) / 2;
  const line = new Float32Array(length);
  for (let index = 0; index < lineCount; index++) {
    const start = index * lineStep;
    for (let i = 0; i < length; i++) line[i] = values[start + i * step]!;
    let sum = 0;
    for (let i = 0; i < Math.min(half, length); i++) sum += line[i]!;
    for (let i = 0; i < length; i++) {
      sum += line[i + half] ?? 0;
      values[start + i * step] = sum / width;
      sum -= line[i - half] ?? 0;
    }
  }
}
