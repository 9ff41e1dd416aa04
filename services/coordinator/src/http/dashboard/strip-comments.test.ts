import { describe, expect, it } from 'vitest';
import { stripComments } from './strip-comments.ts';

describe('stripComments', () => {
  it.each([
    ['a line', 'a; // b\nc;', 'a;\nc;'],
    ['a block, with its line ends', '/** a\n * b\n */\nc;', '\n\n\nc;'],
    ['a block in a line', 'a(/* b */ c);', 'a( c);'],
    ['blanks at both ends of lines', 'a;  \n  b;\t\n', 'a;\nb;\n'],
    ['blanks of types', 'const a         = b;', 'const a=b;'],
    ['blanks beside separators', 'if (a > b) { c ( d, !e ) }', 'if(a>b){c(d,!e)}'],
    ['the last line', 'a; // b', 'a;'],
    ['a block below code', 'a;\n  /** b */\n  c;', 'a;\n\nc;'],
  ])('removes %s', (_case, code, stripped) => {
    expect(stripComments(code)).toBe(stripped);
  });

  it.each([
    ['in strings', `'http://a' + "/* b */" + 'it\\'s // c'`],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the code has a template.
    ['in templates', '`// a ${b + `/* c */${{d:1}.d}`} // e`'],
    ['in templates over lines', '`a  \n// b\n  /* c */`'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the code has a template.
    ['in templates with blanks', '`a  b   ${c}  d`'],
    ['in strings with blanks', `'a  b'`],
    ['in regular expressions', `x.replace(/[/*]\\/\\/'/g,'')`],
    ['after words', 'function f(){return /\\/\\/"/;}'],
    ['between divisions', `a / b / c;const d="'"`],
    ['after brackets', `(a + b)/ c[0]/ 2;'//'`],
    ['between signs', 'a + +b - -c'],
  ])('keeps marks %s', (_case, code) => {
    expect(stripComments(code)).toBe(code);
  });
});
