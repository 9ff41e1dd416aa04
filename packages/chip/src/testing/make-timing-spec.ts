/** Specifications for tests of single parts of the chip. */
import { TimingSpec } from '../records/timing-spec.generated.ts';
import { packWords, TIMING_SPEC_WORDS, type WordValues } from '../table/words.ts';

/** Parameters of a specification by name. */
export type TimingSpecValues = WordValues<typeof TIMING_SPEC_WORDS>;

/**
 * Returns a specification with the given parameters. All others are 0, off, or the first choice.
 */
export function makeTimingSpec(values: Partial<TimingSpecValues>): TimingSpec {
  const all = Object.fromEntries(
    Object.entries(TIMING_SPEC_WORDS).map(([field, kind]) => [
      field,
      values[field as keyof TimingSpecValues] ?? (typeof kind === 'string' ? 0 : kind[0]),
    ]),
  ) as unknown as TimingSpecValues; // Every field of the table has a value.
  const spec = new TimingSpec();
  spec.load(packWords(TIMING_SPEC_WORDS, all));
  return spec;
}
