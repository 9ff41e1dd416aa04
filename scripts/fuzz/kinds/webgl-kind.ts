/** WebGL calls. An input determines the choices of their generator. */
import { seededRandom } from '@tessera/scenes/seeded-random';
import { mutateBytes } from '../mutate/mutate-bytes.ts';
import { callsOfBytes } from '../webgl/generate-calls.ts';
import { findOwnExceptions } from '../webgl/own-exceptions.ts';
import { runInTessera } from '../webgl/tessera-side.ts';
import type { FuzzKind } from './fuzz-kind.ts';

/** Number and length of the undamaged inputs. One has about a hundred calls. */
const SEED_COUNT = 32;
const SEED_BYTES = 1024;
/** Upper bound on the bytes of an input, because long lists are slow and reach little more. */
const MAX_BYTES = 4096;
/** Attempts to shorten an input of the corpus, each of which takes up to a tenth of a second. */
const SHORTEN_TRIES = 5;
/** Number of inputs per input whose context has simulated time, chosen by length. */
const TIMED_OF = 8;

/** Makes the kind. */
export function webglKind(): FuzzKind {
  return {
    seeds: Array.from({ length: SEED_COUNT }, (_, seed) => {
      const random = seededRandom(seed);
      return Uint8Array.from({ length: SEED_BYTES }, () => random.integer(0, 255));
    }),
    shortenTries: SHORTEN_TRIES,
    mutate: (input, other, random) => mutateBytes(input, other, random).subarray(0, MAX_BYTES),
    follow: (input) => {
      const list = callsOfBytes(input);
      const run = runInTessera(list, { hasSimulatedTime: input.length % TIMED_OF === 0 });
      const [exception] = findOwnExceptions(list, run);
      if (exception !== undefined) throw withStack(exception.cause, exception.message);
      const refused = run.outcomes.filter(({ status }) => status !== 0).length;
      return 2 * refused > run.outcomes.length ? 'MOSTLY_REFUSED' : 'mostlyAccepted';
    },
  };
}

/** Returns an error whose stack is that of an exception, which identifies its fault. */
function withStack(cause: string, stack: string): Error {
  return Object.assign(new Error(cause), { stack: `${cause}\n${stack}` });
}
