/**
 * Sine, cosine, tangent and arc cosine from +, −, ×, ÷ and square root alone.
 *
 * `Math.sin` and its kin may differ in the last bit from host to host; these do not, so a frame made
 * from them has the same bytes everywhere. Polynomials and reduction follow fdlibm (Sun Microsystems,
 * 1993: k_sin.c, k_cos.c, e_acos.c), whose error is below one unit in the last place on the reduced range.
 */

/** π as the nearest double. */
export const PI = 3.141592653589793;

/** Largest argument of the trigonometric functions, in radians; beyond it the reduction loses digits. */
export const MAX_ANGLE = 100_000;

// π/2 in three parts of 33 bits each and less, so that `quadrant × part` is exact for small quadrants.
const TWO_OVER_PI = 0.6366197723675814;
const HALF_PI_1 = 1.57079632673412561417;
const HALF_PI_2 = 6.0771005063039136e-11;
const HALF_PI_3 = 2.0222662487959506e-21;

/** Sine of an angle in radians. @throws {RangeError} Beyond ±{@link MAX_ANGLE}. */
export function sin(angle: number): number {
  const { quadrant, rest } = reduce(angle);
  const value = quadrant % 2 === 0 ? kernelSin(rest) : kernelCos(rest);
  return quadrant < 2 ? value : -value;
}

/** Cosine of an angle in radians. @throws {RangeError} Beyond ±{@link MAX_ANGLE}. */
export function cos(angle: number): number {
  const { quadrant, rest } = reduce(angle);
  const value = quadrant % 2 === 0 ? kernelCos(rest) : kernelSin(rest);
  return quadrant === 0 || quadrant === 3 ? value : -value;
}

/** Tangent of an angle in radians. @throws {RangeError} Beyond ±{@link MAX_ANGLE}. */
export function tan(angle: number): number {
  return sin(angle) / cos(angle);
}

/** Arc cosine, 0 to π; arguments beyond ±1 count as ±1. */
export function acos(x: number): number {
  if (x >= 1) return 0;
  if (x <= -1) return PI;
  if (x > -0.5 && x < 0.5) return PI / 2 - (x + x * arcRational(x * x));
  const z = (1 - (x < 0 ? -x : x)) / 2;
  const root = Math.sqrt(z);
  const half = root + root * arcRational(z);
  return x < 0 ? PI - 2 * half : 2 * half;
}

/** Angle minus the nearest multiple of π/2, and that multiple modulo 4. */
function reduce(angle: number): { quadrant: number; rest: number } {
  if (!(angle >= -MAX_ANGLE && angle <= MAX_ANGLE)) {
    throw new RangeError(`angle: ${angle} is not within ±${MAX_ANGLE} radians`);
  }
  const multiple = Math.round(angle * TWO_OVER_PI);
  const rest = angle - multiple * HALF_PI_1 - multiple * HALF_PI_2 - multiple * HALF_PI_3;
  return { quadrant: ((multiple % 4) + 4) % 4, rest };
}

function kernelSin(x: number): number {
  const z = x * x;
  const tail =
    8.33333333332248946124e-3 +
    z *
      (-1.98412698298579493134e-4 +
        z *
          (2.75573137070700676789e-6 +
            z * (-2.50507602534068634195e-8 + z * 1.58969099521155010221e-10)));
  return x + z * x * (-1.66666666666666324348e-1 + z * tail);
}

function kernelCos(x: number): number {
  const z = x * x;
  const tail =
    4.16666666666666019037e-2 +
    z *
      (-1.38888888888741095749e-3 +
        z *
          (2.48015872894767294178e-5 +
            z *
              (-2.75573143513906633035e-7 +
                z * (2.0875723212981748279e-9 + z * -1.13596475577881948265e-11))));
  return 1 - (z / 2 - z * z * tail);
}

/** (asin(√z) − √z) / √z for z up to 1/4. */
function arcRational(z: number): number {
  const p =
    z *
    (1.66666666666666657415e-1 +
      z *
        (-3.25565818622400915405e-1 +
          z *
            (2.01212532134862925881e-1 +
              z *
                (-4.00555345006794114027e-2 +
                  z * (7.91534994289814532176e-4 + z * 3.4793310759602116757e-5)))));
  const q =
    1 +
    z *
      (-2.40339491173441421878 +
        z *
          (2.02094576023350569471 +
            z * (-6.8828397160545329303e-1 + z * 7.70381505559019352791e-2)));
  return p / q;
}
