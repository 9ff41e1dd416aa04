/** Damage to source text by words: removed, repeated, swapped, replaced, nested. */
import type { SeededRandom } from '@tessera/scenes/seeded-random';

/** Openings of what can be nested. */
const NESTS = ['(', '{', '-', '!', '[', 'if(true)', '?1:', '[1]', '.x', 'int['];
const MAX_NESTING = 400;

/** Splits text into identifiers, numbers, spaces and signs. */
export function splitWords(source: string): string[] {
  return source.match(/[A-Za-z_]\w*|\d[\w.]*|\s+|[^\w\s]/g) ?? [];
}

/** Classes of words that can stand at the same places. */
const CLASSES = [/^[A-Za-z_]/, /^\d/, /^[-+*/%<>=&|^!~?:]$/, /^[()[\]{}]$/];

/**
 * Returns a text in which one word is replaced by one of the same class, such as a name by a name.
 * It stays valid more often than after {@link mutateWords}.
 *
 * @param dictionary Words that replace others, besides those of the text.
 */
export function replaceWord(
  source: string,
  dictionary: readonly string[],
  random: SeededRandom,
): string {
  const words = splitWords(source);
  const at = random.integer(0, Math.max(0, words.length - 1));
  const pattern = CLASSES.find((one) => one.test(words[at] ?? ''));
  if (pattern === undefined) return words.join('');
  const own = random.integer(0, 1) === 0;
  const alike = (own ? words : dictionary).filter((word) => pattern.test(word));
  words[at] = random.pick(alike);
  return words.join('');
}

/**
 * Returns a damaged text.
 *
 * @param other Text of the same language, for splices.
 * @param dictionary Words that replace others.
 */
export function mutateWords(
  source: string,
  other: string,
  dictionary: readonly string[],
  random: SeededRandom,
): string {
  const words = splitWords(source);
  const anywhere = () => random.integer(0, Math.max(0, words.length - 1));
  for (let changes = random.integer(1, 3); changes > 0; changes--) {
    const [a, b] = [anywhere(), anywhere()];
    switch (random.integer(0, 7)) {
      case 0:
        words.splice(a, random.integer(1, 4));
        break;
      case 1:
        words.splice(a, 0, ...words.slice(b, b + random.integer(1, 12)));
        break;
      case 2:
        [words[a], words[b]] = [words[b] ?? '', words[a] ?? ''];
        break;
      case 3: {
        const others = splitWords(other);
        const start = random.integer(0, Math.max(0, others.length - 1));
        words.splice(a, random.integer(0, 8), ...others.slice(start, start + 24));
        break;
      }
      case 4:
        if (random.integer(0, 3) > 0) words[a] = random.pick(NESTS);
        else words[a] = random.pick(NESTS).repeat(random.integer(1, MAX_NESTING));
        break;
      case 5:
        words.splice(a, 0, random.pick(dictionary), ' ');
        break;
      default:
        words[a] = random.pick(dictionary);
    }
  }
  return words.join('');
}
