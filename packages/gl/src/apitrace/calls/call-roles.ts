/** Treatment of recorded functions that have no replay of their own, by name. */
import { isHarmless } from './harmless-calls.ts';
import { roleOfWindowSystemCall, type WindowSystemRole } from './window-system-calls.ts';

/** Returns whether a function is OpenGL's own, not one of GLX, EGL or the tracer. */
export function isOpenGl(functionName: string): boolean {
  return /^gl[A-WYZ]/.test(functionName);
}

/** Treatment of a recorded function during the replay. */
export type CallRole = WindowSystemRole | 'OpenGL' | 'unknown';

/** Returns the role of a function that is not replayed call by call. */
export function roleOf(functionName: string): CallRole {
  const role = roleOfWindowSystemCall(functionName);
  if (role !== null) return role;
  if (isHarmless(functionName)) return 'without effect';
  return isOpenGl(functionName) ? 'refused' : 'unknown';
}
