/** Clamps of values that programs set. */

type Color = readonly [red: number, green: number, blue: number, alpha: number];

const MAX_FLOAT = 3.4028234663852886e38;

/** Clamps a number to the range of 32-bit floats. NaN becomes 0. */
export function clampFinite(value: number): number {
  return Number.isNaN(value) ? 0 : Math.min(MAX_FLOAT, Math.max(-MAX_FLOAT, value));
}

/** Clamps a number to 0…1. NaN becomes 0. */
export function clampUnit(value: number): number {
  return value > 0 ? Math.min(1, value) : 0;
}

/** Clamps each channel of a color to 0…1. NaN becomes 0. */
export function clampColor([red, green, blue, alpha]: Color): Color {
  return [clampUnit(red), clampUnit(green), clampUnit(blue), clampUnit(alpha)];
}
