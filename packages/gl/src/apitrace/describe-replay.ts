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

/** Returns remarks about draws that ran during the replay, before the frame. */
export function describeRuns(feedbackDraws: number, countedQueries: number): string[] {
  const feedback = `transform feedback of ${feedbackDraws} draws ran before the frame and is not in its report`;
  const queries = `draws of occlusion queries ran ${countedQueries} times for conditional rendering and are not in the report`;
  return [...(feedbackDraws > 0 ? [feedback] : []), ...(countedQueries > 0 ? [queries] : [])];
}
