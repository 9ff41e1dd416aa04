/**
 * Removes comments from JavaScript, which are a quarter of the scripts of the page. Of strings,
 * templates and regular expressions it only finds the ends. A test compares the syntax trees of all
 * served modules before and after.
 */

/** Words after which a slash starts a regular expression. */
const WORDS_BEFORE_REGEX =
  /(?:^|[^\w$.])(?:return|typeof|case|in|of|delete|void|throw|new|else|do|await|yield)$/;

/** Characters beside which a blank separates nothing. Two signs in a row would be an operator. */
const SEPARATORS: ReadonlySet<string> = new Set('{}()[],;:?=<>&|!*');

/**
 * Returns the code without comments, indentation, blanks at the ends of lines and beside
 * separators, and all but one of the blanks in a row, which types leave. All lines keep their
 * numbers.
 *
 * @param code Well-formed JavaScript.
 */
export function stripComments(code: string): string {
  let kept = '';
  let at = 0;
  /** Nesting of braces in each template's open `${`, innermost last. */
  const braces: number[] = [];
  const keepTo = (end: number) => {
    kept += code.slice(at, end);
    at = end;
  };
  while (at < code.length) {
    const char = code[at]!;
    if (char === '/' && code[at + 1] === '/') {
      at = endOf(code, '\n', at);
    } else if (char === '/' && code[at + 1] === '*') {
      const end = endOf(code, '*/', at + 2) + 2;
      const lines = code.slice(at, end).match(/\n/g)?.join('') ?? '';
      kept = lines === '' ? `${kept} ` : `${kept.trimEnd()}${leadOf(kept)}${lines}`;
      at = end;
    } else if (char === '\n') {
      kept = `${kept.replace(/[ \t]+$/, '')}\n`;
      at++;
    } else if (char === ' ' && isBlankNeedless(kept.at(-1), code, at)) {
      at++;
    } else if (char === "'" || char === '"') {
      keepTo(endOfQuoted(code, at));
    } else if (char === '/' && startsRegex(kept)) {
      keepTo(endOfRegex(code, at));
    } else if (char === '`' || (char === '}' && braces.at(-1) === 0)) {
      if (char === '}') braces.pop();
      const end = endOfTemplatePart(code, at + 1);
      if (code[end - 1] === '{') braces.push(0);
      keepTo(end);
    } else {
      if (braces.length > 0 && char === '{') braces[braces.length - 1]!++;
      if (braces.length > 0 && char === '}') braces[braces.length - 1]!--;
      keepTo(at + 1);
    }
  }
  return kept;
}

/** Returns whether the code is the same without the blank at a position. */
function isBlankNeedless(before: string | undefined, code: string, at: number): boolean {
  if (before === undefined || before === ' ' || before === '\n') return true;
  let next = at;
  while (code[next] === ' ') next++;
  return SEPARATORS.has(before) || SEPARATORS.has(code[next] ?? '');
}

/** Returns the line ends that close `kept`, which its trimming removes. */
function leadOf(kept: string): string {
  return kept.slice(kept.trimEnd().length).replace(/[^\n]/g, '');
}

function endOf(code: string, mark: string, from: number): number {
  const end = code.indexOf(mark, from);
  return end < 0 ? code.length : end;
}

function endOfQuoted(code: string, start: number): number {
  let at = start + 1;
  while (at < code.length && code[at] !== code[start]) at += code[at] === '\\' ? 2 : 1;
  return at + 1;
}

function endOfRegex(code: string, start: number): number {
  let isClass = false;
  for (let at = start + 1; at < code.length; at++) {
    if (code[at] === '\\') at++;
    else if (code[at] === '[') isClass = true;
    else if (code[at] === ']') isClass = false;
    else if (code[at] === '/' && !isClass) return at + 1;
  }
  return code.length;
}

/** Returns the end of a template, or of its part before the next expression. */
function endOfTemplatePart(code: string, start: number): number {
  for (let at = start; at < code.length; at++) {
    if (code[at] === '\\') at++;
    else if (code[at] === '`') return at + 1;
    else if (code[at] === '$' && code[at + 1] === '{') return at + 2;
  }
  return code.length;
}

/** Returns whether a slash after this code starts a regular expression instead of dividing. */
function startsRegex(before: string): boolean {
  const line = before.slice(-200).trimEnd();
  return line === '' || !/[\w$)\]}'"`]$/.test(line) || WORDS_BEFORE_REGEX.test(line);
}
