/** sRGB transfer function (IEC 61966-2-1), decoded as in GL ES 3.0, section 3.8.16. */

/**
 * 16-bit linear value of each 8-bit sRGB value: 65535 × linear, rounded to nearest.
 *
 * Adjacent values differ by at least 19 steps, so the rounding error is 1/40 of the smallest
 * difference.
 */
export const LINEAR16_BY_SRGB8: Uint16Array = Uint16Array.from({ length: 256 }, (_, value) =>
  Math.floor(decodeSrgb(value / 255) * 65535 + 0.5),
);

/**
 * Returns the linear value, 0 to 1, of an sRGB value. Uses exact operations only, so the result is
 * equal on every machine.
 */
function decodeSrgb(value: number): number {
  if (value <= 0.04045) return value / 12.92;
  const base = (value + 0.055) / 1.055;
  return base * base * fifthRoot(base * base); // base^2.4
}

/**
 * Returns x^(1/5) for 0 < x ≤ 1 by Newton's iteration from above, which decreases until it has
 * converged.
 */
function fifthRoot(x: number): number {
  let root = 1;
  for (;;) {
    const fourth = root * root * root * root;
    const next = root - (root - x / fourth) / 5;
    if (next >= root) return root;
    root = next;
  }
}
