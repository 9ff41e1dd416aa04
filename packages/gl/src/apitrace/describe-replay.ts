/** Describes a replayed frame for people, one line per remark. */
import type { ReplayedFrame } from './replay.ts';

/**
 * Returns the ignored functions, then the assumptions, then the GL errors that the calls raised.
 */
export function describeReplay(
  replayed: Pick<ReplayedFrame, 'unknownFunctions' | 'notes' | 'errors'>,
): string[] {
  return [
    ...replayed.unknownFunctions.map((name) => `function ${name} is unknown and was ignored`),
    ...replayed.notes,
    ...replayed.errors.map(
      ({ callNumber, functionName, message }) => `call ${callNumber} (${functionName}): ${message}`,
    ),
  ];
}
