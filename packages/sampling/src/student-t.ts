/** Quantiles of Student's t distribution, whose degrees of freedom need not be an integer. */

/** Lanczos coefficients with g = 7 (Godfrey 2001); the relative error is below 1e-13. */
const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313,
  -176.61502916214059, 12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6,
  1.5056327351493116e-7,
];

/**
 * Returns the value that the absolute value of t exceeds with probability 1 − `confidence`.
 *
 * @param confidence Probability, from 0 to less than 1.
 * @param degreesOfFreedom Positive number.
 */
export function studentQuantile(confidence: number, degreesOfFreedom: number): number {
  const isInside = (t: number) => {
    const x = degreesOfFreedom / (degreesOfFreedom + t * t);
    return 1 - incompleteBeta(x, degreesOfFreedom / 2, 0.5) < confidence;
  };
  let [low, high] = [0, 1];
  while (isInside(high)) [low, high] = [high, high * 2];
  for (let step = 0; step < 45; step++) {
    const middle = (low + high) / 2;
    if (isInside(middle)) low = middle;
    else high = middle;
  }
  return high;
}

/** Returns the regularized incomplete beta function of x from 0 to 1 (DLMF 8.17). */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(
    logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x),
  );
  return x < (a + 1) / (a + b + 2)
    ? (front * betaFraction(x, a, b)) / a
    : 1 - (front * betaFraction(1 - x, b, a)) / b;
}

/** Returns the continued fraction of DLMF 8.17.22, by the modified Lentz algorithm. */
function betaFraction(x: number, a: number, b: number): number {
  const tiny = 1e-300;
  const kept = (value: number) => (Math.abs(value) < tiny ? tiny : value);
  let c = 1;
  let d = 1 / kept(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m <= 500; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / kept(1 + even * d);
    c = kept(1 + even / c);
    fraction *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / kept(1 + odd * d);
    c = kept(1 + odd / c);
    fraction *= d * c;
    if (Math.abs(d * c - 1) < 1e-15) break;
  }
  return fraction;
}

function logGamma(z: number): number {
  if (z < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * z)) - logGamma(1 - z);
  const shifted = z - 1;
  const base = shifted + 7.5;
  const sum = LANCZOS.reduce((all, value, i) => (i === 0 ? value : all + value / (shifted + i)), 0);
  return Math.log(2 * Math.PI) / 2 + (shifted + 0.5) * Math.log(base) - base + Math.log(sum);
}
