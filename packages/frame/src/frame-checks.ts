/**
 * Checks shared by the validation of a frame. Each throws FRAME_INVALID with the path of the field
 * and the problem.
 */
import { RenderError } from './errors.ts';

/** Rejects a size that is not an integer from 1 to `max`. */
export function requireEdge(at: string, value: number, max: number): void {
  requireInteger(at, value, 1, max);
}

/** Rejects a value that is not an integer from `min` to `max`. */
export function requireInteger(at: string, value: number, min: number, max: number): void {
  if (!Number.isInteger(value) || value < min || value > max) {
    fail(at, `${value} is not an integer from ${min} to ${max}`);
  }
}

/** Rejects a value that is not from `min` to `max`; NaN included. */
export function requireRange(at: string, value: number, min: number, max: number): void {
  if (!(value >= min && value <= max)) fail(at, `${value} is not from ${min} to ${max}`);
}

/** Rejects NaN and infinities. */
export function requireFinite(at: string, value: number): void {
  if (!Number.isFinite(value)) fail(at, `${value} is not a finite number`);
}

/** Rejects a string that is not in `allowed`. */
export function requireOneOf(at: string, value: string, allowed: readonly string[]): void {
  if (!allowed.includes(value)) fail(at, `'${value}' is not one of ${allowed.join(', ')}`);
}

/**
 * Throws FRAME_INVALID.
 *
 * @param at Path of the field, such as `passes[0].draws[3].count`.
 */
export function fail(at: string, problem: string): never {
  throw new RenderError('FRAME_INVALID', `${at}: ${problem}`);
}
