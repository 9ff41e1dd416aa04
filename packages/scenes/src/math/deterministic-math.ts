/**
 * Sine, cosine, tangent and arc cosine computed from +, −, ×, ÷ and square root.
 *
 * `Math.sin` and similar functions may differ in the last bit between machines. These do not, so a
 * frame computed with them has the same bytes everywhere. Polynomials and range reduction follow
 * fdlibm (Sun Microsystems, 1993: k_sin.c, k_cos.c, e_acos.c), whose error is below one unit in the
 * last place on the reduced range.
 */

/** π as the nearest double, the same on every machine. */
export const PI = Math.PI;

/**
 * Largest argument of the trigonometric functions in radians; beyond it the range reduction loses
 * digits.
 */
export const MAX_ANGLE = 100_000;

// π/2 in three parts of at most 33 bits each, so that `quadrant × part` is exact for small
// quadrants.
const TWO_OVER_PI = 0.6366197723675814;
const HALF_PI_1 = 1.5707963267341256;
const HALF_PI_2 = 6.077100506303913e-11;
const HALF_PI_3 = 2.0222662487959506e-21;

/**
 * Returns the sine of an angle in radians.
 *
 * @throws {RangeError} Beyond ±{@link MAX_ANGLE}.
 */
export function sin(angle: number): number {
  const { quadrant, rest } = reduce(angle);
  const value = quadrant % 2 === 0 ? kernelSin(rest) : kernelCos(rest);
  return quadrant < 2 ? value : -value;
}

/**
 * Returns the cosine of an angle in radians.
 *
 * @throws {RangeError} Beyond ±{@link MAX_ANGLE}.
 */
export function cos(angle: number): number {
  const { quadrant, rest } = reduce(angle);
  const value = quadrant % 2 === 0 ? kernelCos(rest) : kernelSin(rest);
  return quadrant === 0 || quadrant === 3 ? value : -value;
}

/**
 * Returns the tangent of an angle in radians.
 *
 * @throws {RangeError} Beyond ±{@link MAX_ANGLE}.
 */
export function tan(angle: number): number {
  return sin(angle) / cos(angle);
}

/** Returns the arc cosine, 0 to π; arguments beyond ±1 are clamped. */
export function acos(x: number): number {
  if (x >= 1) return 0;
  if (x <= -1) return PI;
  if (x > -0.5 && x < 0.5) return PI / 2 - (x + x * arcRational(x * x));
  const z = (1 - (x < 0 ? -x : x)) / 2;
  const root = Math.sqrt(z);
  const half = root + root * arcRational(z);
  return x < 0 ? PI - 2 * half : 2 * half;
}

/** Returns the angle minus the nearest multiple of π/2, and that multiple modulo 4. */
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
    0.00833333333332249 +
    z *
      (-0.0001984126982985795 +
        z * (2.7557313707070068e-6 + z * (-2.5050760253406863e-8 + z * 1.58969099521155e-10)));
  return x + z * x * (-0.16666666666666632 + z * tail);
}

function kernelCos(x: number): number {
  const z = x * x;
  const tail =
    0.0416666666666666 +
    z *
      (-0.001388888888887411 +
        z *
          (2.480158728947673e-5 +
            z *
              (-2.7557314351390663e-7 + z * (2.087572321298175e-9 + z * -1.1359647557788195e-11))));
  return 1 - (z / 2 - z * z * tail);
}

/** Returns (asin(√z) − √z) / √z for z up to 1/4. */
function arcRational(z: number): number {
  const p =
    z *
    (0.16666666666666666 +
      z *
        (-0.3255658186224009 +
          z *
            (0.20121253213486293 +
              z *
                (-0.04005553450067941 + z * (0.0007915349942898145 + z * 3.479331075960212e-5)))));
  const q =
    1 +
    z *
      (-2.403394911734414 +
        z * (2.0209457602335057 + z * (-0.6882839716054533 + z * 0.07703815055590194)));
  return p / q;
}
