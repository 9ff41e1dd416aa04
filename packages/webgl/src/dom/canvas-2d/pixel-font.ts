/**
 * The only font of 2D canvases: letters of 5×7 cells for the printable ASCII characters. A canvas
 * uses it for every requested font, at the requested size.
 *
 * A cell is one tenth of the font size. A letter advances by six cells, and its seventh row is on
 * the baseline.
 */
import type { Outline } from '../paths/fill-shape.ts';
import type { Path } from '../paths/path.ts';

/** Seven bits per column, lowest bit on top; five columns per letter, starting with the space. */
const COLUMNS = `
0000000000 00005f0000 0007000700 147f147f14 242a7f2a12 2313086462 3649552250 0005030000
001c224100 0041221c00 082a1c2a08 08083e0808 0050300000 0808080808 0060600000 2010080402
3e5149453e 00427f4000 4261514946 2141454b31 1814127f10 2745454539 3c4a494930 0171090503
3649494936 064949291e 0036360000 0056360000 0814224100 1414141414 4122140800 0201510906
324979413e 7e1111117e 7f49494936 3e41414122 7f4141221c 7f49494941 7f09090101 3e41415132
7f0808087f 00417f4100 2040413f01 7f08142241 7f40404040 7f0204027f 7f0408107f 3e4141413e
7f09090906 3e4151215e 7f09192946 4649494931 01017f0101 3f4040403f 1f2040201f 7f2018207f
6314081463 0304780403 6151494543 00007f4141 0204081020 41417f0000 0402010204 4040404040
0001020400 2054545478 7f48444438 3844444420 384444487f 3854545418 087e090102 081454543c
7f08040478 00447d4000 2040443d00 007f102844 00417f4000 7c04180478 7c08040478 3844444438
7c14141408 081414187c 7c08040408 4854545420 043f444020 3c4040207c 1c2040201c 3c4030403c
4428102844 0c5050503c 4464544c44 0008364100 00007f0000 0041360800 0201020402`
  .trim()
  .split(/\s+/)
  .map((digits) => Uint8Array.from(Buffer.from(digits, 'hex')));

const CELLS_PER_EM = 10;
const CELLS_PER_LETTER = 6;
/** Height of a capital letter, in cells. */
const LETTER_CELLS = 7;
const LETTER_COLUMNS = 5;
/** Height below the baseline, in cells. No letter of the font uses it. */
const DESCENT_CELLS = 2;
const FIRST_CODE = 32;
/** Code of the character drawn for unsupported characters: the question mark. */
const UNKNOWN_CODE = 63;

const PX_BY_UNIT: Readonly<Record<string, number>> = { px: 1, pt: 4 / 3, em: 16, rem: 16 };

/** Distance from the top of capitals to the text's vertical position, in cells. */
const TOP_CELLS: Readonly<Record<string, number>> = {
  top: 0,
  hanging: 0,
  middle: LETTER_CELLS / 2,
  alphabetic: LETTER_CELLS,
  ideographic: LETTER_CELLS + DESCENT_CELLS,
  bottom: LETTER_CELLS + DESCENT_CELLS,
};
/** Share of the text's width to the left of its horizontal position. */
const SHARE_BEFORE: Readonly<Record<string, number>> = {
  left: 0,
  start: 0,
  center: 0.5,
  right: 1,
  end: 1,
};

/** Size and alignment of a text. */
export interface TextStyle {
  readonly fontSizePx: number;
  /** Width that is added to each letter. */
  readonly letterSpacingPx: number;
  readonly textAlign: string;
  readonly textBaseline: string;
}

/** Supported values of `textBaseline`. */
export const TEXT_BASELINES = Object.keys(TOP_CELLS);
/** Supported values of `textAlign`. */
export const TEXT_ALIGNMENTS = Object.keys(SHARE_BEFORE);

/**
 * Returns the font size in pixels, from the first length of a CSS font (`bold 20pt Arial`). Returns
 * `null` if there is none.
 */
export function parseFontSizePx(font: string): number | null {
  const match = /(\d+(?:\.\d+)?|\.\d+)(px|pt|rem|em)(?![a-z])/i.exec(font);
  return match === null ? null : Number(match[1]) * PX_BY_UNIT[match[2]!.toLowerCase()]!;
}

/** Returns the width of a text in pixels. */
export function measureTextPx(text: string, { fontSizePx, letterSpacingPx }: TextStyle): number {
  return text.length * ((CELLS_PER_LETTER * fontSizePx) / CELLS_PER_EM + letterSpacingPx);
}

/** Returns the metrics of a text (HTML, `TextMetrics`), in pixels. */
export function measureText(text: string, style: TextStyle) {
  const width = measureTextPx(text, style);
  const cellPx = style.fontSizePx / CELLS_PER_EM;
  const left = width * SHARE_BEFORE[style.textAlign]!;
  const above = TOP_CELLS[style.textBaseline]! * cellPx;
  const drawn = [...text].some((letter) => letter !== ' ');
  const ownRight = Math.max(width - cellPx - style.letterSpacingPx, 0);
  return {
    width,
    actualBoundingBoxLeft: drawn ? left : 0,
    actualBoundingBoxRight: drawn ? ownRight - left : 0,
    actualBoundingBoxAscent: drawn ? above : 0,
    actualBoundingBoxDescent: drawn ? LETTER_CELLS * cellPx - above : 0,
    fontBoundingBoxAscent: above,
    fontBoundingBoxDescent: (LETTER_CELLS + DESCENT_CELLS) * cellPx - above,
    emHeightAscent: above,
    emHeightDescent: (LETTER_CELLS + DESCENT_CELLS) * cellPx - above,
    alphabeticBaseline: above - LETTER_CELLS * cellPx,
    hangingBaseline: above,
    ideographicBaseline: above - (LETTER_CELLS + DESCENT_CELLS) * cellPx,
  };
}

/**
 * Adds the outlines of a text at (x, y) to a path. @param maxWidthPx Maximum width; longer text is
 * condensed.
 */
export function addText(
  path: Path,
  text: string,
  x: number,
  y: number,
  style: TextStyle,
  maxWidthPx: number,
): void {
  const widthPx = measureTextPx(text, style);
  const narrowing = widthPx > maxWidthPx ? maxWidthPx / widthPx : 1;
  const cellHeight = style.fontSizePx / CELLS_PER_EM;
  const cellWidth = cellHeight * narrowing;
  const advance = CELLS_PER_LETTER * cellWidth + style.letterSpacingPx * narrowing;
  const left = x - widthPx * narrowing * SHARE_BEFORE[style.textAlign]!;
  const top = y - TOP_CELLS[style.textBaseline]! * cellHeight;
  for (let index = 0; index < text.length; index++) {
    for (const outline of outlinesOf(text.charCodeAt(index))) {
      for (let at = 0; at < outline.length; at += 2) {
        const pointX = left + index * advance + outline[at]! * cellWidth;
        const pointY = top + outline[at + 1]! * cellHeight;
        if (at === 0) path.moveTo(pointX, pointY);
        else path.lineTo(pointX, pointY);
      }
      path.closePath();
    }
  }
}

const outlinesByCode = new Map<number, readonly Outline[]>();

/** Returns the outlines of a letter in cells. Holes go around in the other direction. */
function outlinesOf(code: number): readonly Outline[] {
  let outlines = outlinesByCode.get(code);
  if (outlines === undefined) {
    const columns = COLUMNS[code - FIRST_CODE] ?? COLUMNS[UNKNOWN_CODE - FIRST_CODE]!;
    outlines = traceCells((x, y) => y >= 0 && (((columns[x] ?? 0) >> y) & 1) === 1);
    outlinesByCode.set(code, outlines);
  }
  return outlines;
}

/** Returns the boundaries of the set cells, which are on the right of each boundary. */
function traceCells(isSet: (x: number, y: number) => boolean): Outline[] {
  const nextByPoint = new Map<string, [number, number][]>();
  const addEdge = (x0: number, y0: number, x1: number, y1: number): void => {
    const key = `${x0} ${y0}`;
    nextByPoint.set(key, [...(nextByPoint.get(key) ?? []), [x1, y1]]);
  };
  for (let x = 0; x < LETTER_COLUMNS; x++) {
    for (let y = 0; y < LETTER_CELLS; y++) {
      if (!isSet(x, y)) continue;
      if (!isSet(x, y - 1)) addEdge(x, y, x + 1, y);
      if (!isSet(x + 1, y)) addEdge(x + 1, y, x + 1, y + 1);
      if (!isSet(x, y + 1)) addEdge(x + 1, y + 1, x, y + 1);
      if (!isSet(x - 1, y)) addEdge(x, y + 1, x, y);
    }
  }
  const outlines: number[][] = [];
  for (const start of nextByPoint.keys()) {
    while (nextByPoint.get(start)!.length > 0) {
      const outline: number[] = [];
      let key = start;
      for (let next = nextByPoint.get(key)!.pop(); next !== undefined; ) {
        outline.push(...next);
        key = next.join(' ');
        next = nextByPoint.get(key)!.pop();
      }
      outlines.push(outline);
    }
  }
  return outlines;
}
