/** What there is to say about a frame that was replayed: for people, a line each. */
import type { ReplayedFrame } from './replay.ts';

/** Functions that were passed over, then what was assumed, then the GL errors that the calls raised. */
export function describeReplay(
  replayed: Pick<ReplayedFrame, 'unknownFunctions' | 'notes' | 'errors'>,
): string[] {
  return [
    ...replayed.unknownFunctions.map((name) => `function ${name} is not known and was passed over`),
    ...replayed.notes,
    ...replayed.errors.map(
      ({ callNumber, functionName, message }) => `call ${callNumber} (${functionName}): ${message}`,
    ),
  ];
}
