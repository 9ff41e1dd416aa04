/** Reads a frame of an apitrace capture. */
import type { Frame } from '@tessera/frame';
import { reflectByCompiling } from '@tessera/gl';
import { describeReplay, hasTraceMagic, readTrace, replayFrame } from '@tessera/gl/apitrace';
import type { ProgramCache } from '@tessera/multi-chiplet';

/** A frame and what there is to say about how it was read. */
export interface ReadFrame {
  readonly frame: Frame;
  readonly warnings: readonly string[];
}

/** Whether a file is a capture: by its first bytes, or by its name since one container has no magic. */
export function isCapture(bytes: Uint8Array, path: string): boolean {
  return hasTraceMagic(bytes) || path.toLowerCase().endsWith('.trace');
}

/**
 * Replays a capture up to the end of frame `frameIndex`, counted from 0.
 *
 * @throws {RenderError} As `replayFrame`.
 */
export function readCapture(
  bytes: Uint8Array,
  frameIndex: number,
  programs: ProgramCache,
): ReadFrame {
  const reflection = reflectByCompiling((source) => programs.compile(source));
  const replayed = replayFrame(readTrace(bytes), { reflection, frameIndex });
  return { frame: replayed.frame, warnings: describeReplay(replayed) };
}
