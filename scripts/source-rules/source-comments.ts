/** Comments of a source text, with the lines they are on. */
import type { Comment } from 'oxc-parser';
import type { CommentText } from './source-file.ts';

const MARKS = /^\s*(?:\/\*\*?|\*(?!\/)|\/\/+)? ?|\s*\*\/\s*$/g;

/** Comment with its position, to find the one before a declaration. */
interface PlacedComment extends CommentText {
  readonly end: number;
  readonly isLine: boolean;
  /** Column of the comment if its line has no code, otherwise −1. */
  readonly column: number;
}

/** Comments of one text. Consecutive line comments at the same indentation are one comment. */
export class SourceComments {
  readonly all: readonly PlacedComment[];
  readonly #text: string;
  readonly #lineStarts: number[] = [0];

  constructor(text: string, comments: readonly Comment[]) {
    this.#text = text;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
      this.#lineStarts.push(at + 1);
    }
    this.all = this.#group(comments);
  }

  /** Returns the line of a position, from 1. */
  lineOf(at: number): number {
    let low = 0;
    let high = this.#lineStarts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#lineStarts[middle]! <= at) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  }

  /** Returns the comment directly before a position, or null. */
  before(at: number): PlacedComment | null {
    const comment = this.all.findLast(({ end }) => end <= at);
    const isDirect = comment !== undefined && this.#text.slice(comment.end, at).trim() === '';
    return isDirect ? comment : null;
  }

  #group(comments: readonly Comment[]): PlacedComment[] {
    const groups: PlacedComment[] = [];
    for (const { type, start, end } of comments) {
      const isLine = type === 'Line';
      const lineStart = this.#text.lastIndexOf('\n', start - 1) + 1;
      const hasOwnLine = this.#text.slice(lineStart, start).trim() === '';
      const column = hasOwnLine ? start - lineStart : -1;
      const text = this.#text
        .slice(start, end)
        .split('\n')
        .map((line) => line.replace(MARKS, ''))
        .join('\n')
        .trim();
      const last = groups.at(-1);
      const continues =
        isLine &&
        last?.isLine === true &&
        column >= 0 &&
        last.column === column &&
        /^\n\s*$/.test(this.#text.slice(last.end, start));
      if (continues) {
        groups[groups.length - 1] = { ...last, text: `${last.text}\n${text}`, end };
        continue;
      }
      const isDocComment = this.#text.startsWith('/**', start);
      groups.push({ line: this.lineOf(start), isDocComment, text, end, isLine, column });
    }
    return groups;
  }
}
