/** Messages between the processes, at each of the four endpoints. */
import { decodeMessage, encodeMessage, MalformedError, MESSAGES } from '@tessera/wire';
import { packValue, SAMPLE_MESSAGES } from '@tessera/wire/testing';
import type { FuzzKind } from './fuzz-kind.ts';
import { mutateBytes, withFirstByte } from './mutate-bytes.ts';
import { mutateValue } from './mutate-value.ts';

const ENDS = ['coordinator', 'chiplet', 'crosslink-server', 'crosslink-client'] as const;

/** Makes the kind with its undamaged messages. */
export async function wireKind(): Promise<FuzzKind> {
  const seeds = SAMPLE_MESSAGES.map((message) => ({
    message,
    encoded: encodeMessage(message),
    end: ENDS.indexOf(MESSAGES[message.type].receivers[0]),
  }));
  return {
    // The first byte states the receiving endpoint.
    make: (random) => {
      const { message, encoded, end } = random.pick(seeds);
      const damaged =
        random.integer(0, 1) === 0
          ? mutateBytes(encoded, random.pick(seeds).encoded, random)
          : packValue(mutateValue(message, random));
      return withFirstByte(random.integer(0, 9) === 0 ? random.integer(0, 3) : end, damaged);
    },
    follow: (input) => {
      try {
        return decodeMessage(input.subarray(1), ENDS[input[0]!]!).type;
      } catch (error) {
        if (!(error instanceof MalformedError)) throw error;
        return 'malformed';
      }
    },
  };
}
