/**
 * Compositing operators of 2D canvases (Compositing and Blending, sections 9 and 10). Pixels have
 * straight alpha.
 */

/** Factors of source and destination of a Porter-Duff operator, by their alphas. */
type Factors = (source: number, destination: number) => readonly [number, number];

const FACTORS: Readonly<Record<string, Factors>> = {
  'source-over': (source) => [1, 1 - source],
  'source-in': (_source, destination) => [destination, 0],
  'source-out': (_source, destination) => [1 - destination, 0],
  'source-atop': (source, destination) => [destination, 1 - source],
  'destination-over': (_source, destination) => [1 - destination, 1],
  'destination-in': (source) => [0, source],
  'destination-out': (source) => [0, 1 - source],
  'destination-atop': (source, destination) => [1 - destination, source],
  lighter: () => [1, 1],
  copy: () => [1, 0],
  xor: (source, destination) => [1 - destination, 1 - source],
};

/** Operators that also change pixels that a shape does not cover. */
const UNBOUNDED = ['source-in', 'source-out', 'destination-in', 'destination-atop', 'copy'];

/** Blend functions of single components, 0 to 1: backdrop and source. */
const BLENDS: Readonly<Record<string, (backdrop: number, source: number) => number>> = {
  multiply: (backdrop, source) => backdrop * source,
  screen: (backdrop, source) => backdrop + source - backdrop * source,
  overlay: (backdrop, source) => hardLight(source, backdrop),
  darken: Math.min,
  lighten: Math.max,
  'color-dodge': (backdrop, source) =>
    backdrop === 0 ? 0 : source >= 1 ? 1 : Math.min(1, backdrop / (1 - source)),
  'color-burn': (backdrop, source) =>
    backdrop >= 1 ? 1 : source <= 0 ? 0 : 1 - Math.min(1, (1 - backdrop) / source),
  'hard-light': hardLight,
  'soft-light': softLight,
  difference: (backdrop, source) => Math.abs(backdrop - source),
  exclusion: (backdrop, source) => backdrop + source - 2 * backdrop * source,
};

type Color = readonly [number, number, number];

/** Blend functions of whole colors. */
const COLOR_BLENDS: Readonly<Record<string, (backdrop: Color, source: Color) => Color>> = {
  hue: (backdrop, source) =>
    setLuminosity(setSaturation(source, saturation(backdrop)), luminosity(backdrop)),
  saturation: (backdrop, source) =>
    setLuminosity(setSaturation(backdrop, saturation(source)), luminosity(backdrop)),
  color: (backdrop, source) => setLuminosity(source, luminosity(backdrop)),
  luminosity: (backdrop, source) => setLuminosity(backdrop, luminosity(source)),
};

/** Returns whether a name is an operator of `globalCompositeOperation`. */
export function isOperator(name: string): boolean {
  return [FACTORS, BLENDS, COLOR_BLENDS].some((table) => Object.hasOwn(table, name));
}

/** Returns whether an operator also changes pixels that a shape does not cover. */
export function isUnbounded(operator: string): boolean {
  return UNBOUNDED.includes(operator);
}

/**
 * Composites a color with a pixel.
 *
 * @param alpha Alpha of the source, 0 to 255, times the coverage.
 * @param clip Share of the pixel that changes, 0 to 1.
 */
export function compositePixel(
  operator: string,
  rgba: Uint8ClampedArray,
  at: number,
  red: number,
  green: number,
  blue: number,
  alpha: number,
  clip: number,
): void {
  if (operator === 'source-over') {
    blendOver(rgba, at, red, green, blue, alpha * clip);
    return;
  }
  const [source, destination] = [alpha / 255, rgba[at + 3]! / 255];
  const factors = FACTORS[operator];
  const [ofSource, ofDestination] = (factors ?? FACTORS['source-over']!)(source, destination);
  const before: Color = [rgba[at]!, rgba[at + 1]!, rgba[at + 2]!];
  const color: Color =
    factors === undefined
      ? mixBlend(operator, before, [red, green, blue], destination)
      : [red, green, blue];
  const sum = Math.min(source * ofSource + destination * ofDestination, 1);
  const after = sum * clip + destination * (1 - clip);
  for (let c = 0; c < 3; c++) {
    const own = before[c]! * destination;
    const drawn = Math.min(color[c]! * source * ofSource + own * ofDestination, 255);
    const mixed = drawn * clip + own * (1 - clip);
    rgba[at + c] = after === 0 ? 0 : mixed / after;
  }
  rgba[at + 3] = after * 255;
}

function blendOver(
  rgba: Uint8ClampedArray,
  at: number,
  red: number,
  green: number,
  blue: number,
  alpha: number,
): void {
  const kept = rgba[at + 3]! * (1 - alpha / 255);
  const sum = alpha + kept;
  if (sum === 0) return;
  rgba[at] = (red * alpha + rgba[at]! * kept) / sum;
  rgba[at + 1] = (green * alpha + rgba[at + 1]! * kept) / sum;
  rgba[at + 2] = (blue * alpha + rgba[at + 2]! * kept) / sum;
  rgba[at + 3] = sum;
}

/** Mixes the source with its blend, by the alpha of the backdrop. Components are 0 to 255. */
function mixBlend(operator: string, backdrop: Color, source: Color, alpha: number): Color {
  const [under, over] = [backdrop.map((c) => c / 255), source.map((c) => c / 255)] as unknown as [
    Color,
    Color,
  ];
  const blend = BLENDS[operator];
  const blended =
    blend === undefined
      ? COLOR_BLENDS[operator]!(under, over)
      : under.map((each, c) => blend(each, over[c]!));
  const mix = (c: number) => ((1 - alpha) * over[c]! + alpha * blended[c]!) * 255;
  return [mix(0), mix(1), mix(2)];
}

function hardLight(backdrop: number, source: number): number {
  return source <= 0.5
    ? backdrop * 2 * source
    : backdrop + (2 * source - 1) - backdrop * (2 * source - 1);
}

function softLight(backdrop: number, source: number): number {
  if (source <= 0.5) return backdrop - (1 - 2 * source) * backdrop * (1 - backdrop);
  const curve =
    backdrop <= 0.25 ? ((16 * backdrop - 12) * backdrop + 4) * backdrop : Math.sqrt(backdrop);
  return backdrop + (2 * source - 1) * (curve - backdrop);
}

function luminosity([red, green, blue]: Color): number {
  return 0.3 * red + 0.59 * green + 0.11 * blue;
}

function saturation(color: Color): number {
  return Math.max(...color) - Math.min(...color);
}

function setLuminosity(color: Color, wanted: number): Color {
  const shift = wanted - luminosity(color);
  const moved = color.map((c) => c + shift) as unknown as Color;
  const own = luminosity(moved);
  const [least, most] = [Math.min(...moved), Math.max(...moved)];
  return moved.map((c) => {
    if (least < 0) return own + ((c - own) * own) / (own - least);
    if (most > 1) return own + ((c - own) * (1 - own)) / (most - own);
    return c;
  }) as unknown as Color;
}

function setSaturation(color: Color, wanted: number): Color {
  const [least, most] = [Math.min(...color), Math.max(...color)];
  if (most === least) return [0, 0, 0];
  return color.map((c) => ((c - least) * wanted) / (most - least)) as unknown as Color;
}
