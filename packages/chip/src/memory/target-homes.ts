/**
 * Homes of the lines of textures that earlier passes drew, by address space. Such a texture is a
 * range of lines. Its pixels are where they were drawn, so each line has a home of its own, or
 * their pages are in the memories in turn.
 */
import { divide } from '../portable/integers.ts';
import type { i32 } from '../portable/number-types.ts';

/** Home of a line of a range whose pages are in the memories in turn. */
export const INTERLEAVED_HOME = -2;
const NO_RANGE = -1;

/** Words of a range: its first line, the line after it, and its first home or INTERLEAVED_HOME. */
const RANGE_WORDS = 3;

/** Ranges of one address space. */
class SpaceTargets {
  rangeCount: i32 = 0;
  /** Words: RANGE_WORDS for each range, then the homes. */
  words: Int32Array = new Int32Array(0);

  /** Returns the first word of the range of a line; NO_RANGE if it has none. */
  rangeOf(line: i32): i32 {
    const end = this.rangeCount * RANGE_WORDS;
    for (let at = 0; at < end; at += RANGE_WORDS) {
      if (line >= this.words[at]! && line < this.words[at + 1]!) return at;
    }
    return NO_RANGE;
  }
}

/** Homes of drawn textures in all address spaces. */
export class TargetHomes {
  private readonly spaces: SpaceTargets[] = [];

  /** @param spaceCount Upper bound on the number of address spaces. */
  constructor(spaceCount: i32) {
    for (let space = 0; space < spaceCount; space++) this.spaces.push(new SpaceTargets());
  }

  /** Removes all ranges. */
  reset(): void {
    for (let space = 0; space < this.spaces.length; space++) this.spaces[space]!.rangeCount = 0;
  }

  /**
   * Replaces the ranges of a space.
   *
   * @param words Space, number of ranges, number of words that follow, and these words: three for
   *   each range, with the position of its first home among them, then the homes.
   */
  load(words: Int32Array): void {
    const targets = this.spaces[words[0]!]!;
    const count = words[2]!;
    targets.rangeCount = words[1]!;
    if (targets.words.length < count) targets.words = new Int32Array(count);
    for (let i = 0; i < count; i++) targets.words[i] = words[i + 3]!;
  }

  /** Returns whether a line belongs to a drawn texture. */
  has(space: i32, line: i32): boolean {
    const targets = this.spaces[space]!;
    return targets.rangeCount > 0 && targets.rangeOf(line) !== NO_RANGE;
  }

  /**
   * Returns the home of a line that belongs to a drawn texture, or INTERLEAVED_HOME; −1 if every
   * chiplet knows the line, because it only has the clear value.
   */
  homeOf(space: i32, line: i32): i32 {
    const targets = this.spaces[space]!;
    const at = targets.rangeOf(line);
    const first = targets.words[at + 2]!;
    return first === INTERLEAVED_HOME ? first : targets.words[first + line - targets.words[at]!]!;
  }

  /** Removes the ranges from line `first` to before `end`, both limits of spaces. */
  dropLines(first: i32, end: i32, spaceLines: i32): void {
    for (let space = divide(first, spaceLines); space < divide(end, spaceLines); space++) {
      this.spaces[space]!.rangeCount = 0;
    }
  }
}
