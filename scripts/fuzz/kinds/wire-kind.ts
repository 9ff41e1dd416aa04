/** Messages between the processes, at each of the four endpoints. */
import { decodeMessage, encodeMessage, MalformedError, MESSAGES } from '@tessera/wire';
import { packValue, SAMPLE_MESSAGES } from '@tessera/wire/testing';
import { mutateBytes, withFirstByte } from '../mutate/mutate-bytes.ts';
import { mutatePacked } from '../mutate/mutate-packed.ts';
import type { FuzzKind } from './fuzz-kind.ts';

const ENDS = ['coordinator', 'chiplet', 'crosslink-server', 'crosslink-client'] as const;

/** Makes the kind with its undamaged messages. */
export async function wireKind(): Promise<FuzzKind> {
  return {
    // The first byte states the receiving endpoint.
    seeds: SAMPLE_MESSAGES.map((message) =>
      withFirstByte(ENDS.indexOf(MESSAGES[message.type].receivers[0]), encodeMessage(message)),
    ),
    mutate: (input, other, random) => {
      const encoded = input.subarray(1);
      const damaged =
        random.integer(0, 1) === 0
          ? mutateBytes(encoded, other.subarray(1), random)
          : mutatePacked(encoded, other.subarray(1), random, packValue);
      return withFirstByte(random.integer(0, 9) === 0 ? random.integer(0, 3) : input[0]!, damaged);
    },
    follow: (input) => {
      try {
        return decodeMessage(input.subarray(1), ENDS[(input[0] ?? 0) % ENDS.length]!).type;
      } catch (error) {
        if (!(error instanceof MalformedError)) throw error;
        return 'MALFORMED';
      }
    },
  };
}
