/** Captures among the recorded inputs beside the repository; none in a clone by itself. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Frame } from '@tessera/frame';
import { reflectByCompiling } from '@tessera/gl';
import { readCalls, replayFrame } from '@tessera/gl/apitrace';
import { compileProgram } from '@tessera/shader';

const CAPTURES = resolve(import.meta.dirname, '../../../shared/captures');

/** Paths of the captures of 200×150 pixels. */
export const SMALL_CAPTURES: readonly string[] = existsSync(CAPTURES)
  ? readdirSync(CAPTURES, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('200x150/trace.trace'))
      .sort()
  : [];

/** Returns the first frame of a capture. */
export function readSmallCapture(name: string): Frame {
  const reflection = reflectByCompiling({ compile: compileProgram });
  return replayFrame(readCalls(readFileSync(join(CAPTURES, name))), { reflection, frame: 0 }).frame;
}
