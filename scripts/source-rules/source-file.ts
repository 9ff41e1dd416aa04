/** Form of a file that the rules of the tree check. */

/** Import or re-export of one module by another. */
export interface ImportEdge {
  /**
   * Path of the imported file relative to the repository, or the specifier if it is not relative.
   */
  readonly target: string;
  /** Whether only types are imported, so that nothing is loaded at run time. */
  readonly isTypeOnly: boolean;
}

/** Exported declaration of a file. */
export interface ExportedName {
  readonly name: string;
  readonly line: number;
  /** Text of the doc comment before the declaration, or null if there is none. */
  readonly docComment: string | null;
}

/** Consecutive line comments, or one block comment. */
export interface CommentText {
  /** Line of the comment's first character, from 1. */
  readonly line: number;
  readonly isDocComment: boolean;
  /** Text without comment marks; lines are separated by `\n`. */
  readonly text: string;
}

/** Function, method, accessor or constructor with a body. */
export interface FunctionSpan {
  readonly name: string;
  readonly line: number;
  readonly lineCount: number;
  /** Comments before the function and at the start of its body: the place for a reason. */
  readonly headComment: string | null;
}

/** Literal of more than one word: a message, a label, help. */
export interface StringText {
  readonly line: number;
  readonly text: string;
}

/** One file of the tree. */
export interface SourceFile {
  /** Path relative to the repository. */
  readonly path: string;
  readonly text: string;
  /** Text of the same length with every comment replaced by spaces. */
  readonly code: string;
  readonly lineCount: number;
  readonly imports: readonly ImportEdge[];
  readonly exports: readonly ExportedName[];
  readonly comments: readonly CommentText[];
  readonly functions: readonly FunctionSpan[];
  readonly strings: readonly StringText[];
}
