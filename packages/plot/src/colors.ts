/**
 * Colors of chiplets and of costs, in images of the service and in the dashboard. Chiplets have the
 * palette of Okabe and Ito, which color-blind people can distinguish; it repeats after eight. Costs
 * go from dark to light, so that they can be distinguished without hue.
 */

/** Color in sRGB, 0 to 255 by channel. */
export type Rgb = readonly [red: number, green: number, blue: number];

const CHIPLET_COLORS: readonly Rgb[] = [
  [230, 159, 0],
  [86, 180, 233],
  [0, 158, 115],
  [240, 228, 66],
  [0, 114, 178],
  [213, 94, 0],
  [204, 121, 167],
  [120, 120, 120],
];
const COST_STOPS: readonly Rgb[] = [
  [13, 42, 148],
  [225, 80, 90],
  [252, 230, 60],
];

/** Returns the color of a chiplet. */
export function chipletColor(chiplet: number): Rgb {
  return CHIPLET_COLORS[chiplet % CHIPLET_COLORS.length]!;
}

/** Returns the color of a frame of a sequence, from the palette of chiplets. */
export function frameColor(frame: number): Rgb {
  return CHIPLET_COLORS[frame % CHIPLET_COLORS.length]!;
}

/** Number of frames after which the colors repeat. */
export const FRAME_COLOR_COUNT = CHIPLET_COLORS.length;

/**
 * Returns the color of a cost.
 *
 * @param share Share of the highest cost, clamped to 0 to 1.
 */
export function costColor(share: number): Rgb {
  const place = Math.min(1, Math.max(0, share)) * (COST_STOPS.length - 1);
  const first = Math.min(COST_STOPS.length - 2, Math.floor(place));
  return blendColors(COST_STOPS[first]!, COST_STOPS[first + 1]!, place - first);
}

/**
 * Returns the color between two.
 *
 * @param share Share of the way to `to`, 0 to 1.
 */
export function blendColors(from: Rgb, to: Rgb, share: number): Rgb {
  const between = (channel: 0 | 1 | 2) =>
    Math.round(from[channel] + (to[channel] - from[channel]) * share);
  return [between(0), between(1), between(2)];
}

/** Returns a color in CSS syntax. */
export function cssColor([red, green, blue]: Rgb): string {
  return `rgb(${red} ${green} ${blue})`;
}

/** Returns black or white, whichever has more contrast with the color. */
export function textColorOn(color: Rgb): '#000' | '#fff' {
  const luminance = relativeLuminance(color);
  return contrastRatio(luminance, 0) >= contrastRatio(1, luminance) ? '#000' : '#fff';
}

/** Returns the contrast ratio of two relative luminances (WCAG 2.2). */
export function contrastRatio(lighter: number, darker: number): number {
  return (lighter + 0.05) / (darker + 0.05);
}

/** Returns the relative luminance of an sRGB color (WCAG 2.2), 0 to 1. */
export function relativeLuminance([red, green, blue]: Rgb): number {
  const linear = (value: number) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}
