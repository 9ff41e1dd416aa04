/** What the checks of a frame have in common: each throws FRAME_INVALID with the place and what is wrong there. */
import { RenderError } from './errors.ts';

export function requireEdge(at: string, value: number, max: number): void {
  requireInteger(at, value, 1, max);
}

export function requireInteger(at: string, value: number, min: number, max: number): void {
  if (!Number.isInteger(value) || value < min || value > max) {
    fail(at, `${value} is not an integer from ${min} to ${max}`);
  }
}

export function requireRange(at: string, value: number, min: number, max: number): void {
  if (!(value >= min && value <= max)) fail(at, `${value} is not from ${min} to ${max}`);
}

export function requireFinite(at: string, value: number): void {
  if (!Number.isFinite(value)) fail(at, `${value} is not a finite number`);
}

export function requireOneOf(at: string, value: string, allowed: readonly string[]): void {
  if (!allowed.includes(value)) fail(at, `'${value}' is none of ${allowed.join(', ')}`);
}

export function fail(at: string, what: string): never {
  throw new RenderError('FRAME_INVALID', `${at}: ${what}`);
}
