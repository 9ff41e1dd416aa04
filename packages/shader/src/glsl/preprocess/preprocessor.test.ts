import { describe, expect, it } from 'vitest';
import { DiagnosticLog } from '../../tree/diagnostics.ts';
import { Preprocessor } from './preprocessor.ts';

function preprocess(source: string): { text: string; positions: string[]; errors: string[] } {
  const log = new DiagnosticLog();
  const options = {
    defaultVersion: 100,
    allowedVersions: [100, 300],
    extensions: undefined,
    isWebGl: false,
    maxIdentifierLength: 256,
    maxDrawBuffersWithoutExtension: 1,
  } as const;
  const preprocessor = new Preprocessor(source, options, log);
  const tokens = [];
  for (let token = preprocessor.next(); token.kind !== 'end'; token = preprocessor.next()) {
    tokens.push(token);
  }
  return {
    text: tokens.map((token) => token.text).join(' '),
    positions: tokens.map((token) => `${token.source}:${token.line}:${token.column}`),
    errors: log.entries.map((entry) => entry.message),
  };
}

describe('macro expansion', () => {
  it.each([
    ['#define A 1\nA B', '1 B'],
    ['#define A A + 1\nA', 'A + 1'],
    ['#define A B\n#define B A\nA B', 'A B'],
    ['#define f(x) (x)\nf (1) f', '( 1 ) f'],
    ['#define f() 1\nf() f( )', '1 1'],
    ['#define f(x) [x]\nf() f((1, 2))', '[ ] [ ( 1 , 2 ) ]'],
    ['#define f(x) x f\nf(1)(2)', '1 f ( 2 )'],
    ['#define f(x) x + f(x)\nf(f(1))', '1 + f ( 1 ) + f ( 1 + f ( 1 ) )'],
    ['#define g f\n#define f(x) x\ng(2)', '2'],
    ['#define f(x, y) y x\nf(\n1,\n2)', '2 1'],
    ['#define A f(\n#define f(x) <x>\nA 1)', '< 1 >'],
    ['#define A 1 \\\n 2\nA', '1 2'],
    ['#define A\\\nB 3\nAB', '3'],
    ['#define A /* x\n y */ 4\nA', '4'],
    ['__LINE__\n__LINE__ __FILE__ __VERSION__', '1 2 0 100'],
    ['#define L __LINE__\n\nL', '3'],
    ['#define A 1\n#undef A\nA', 'A'],
  ])('%j', (source, text) => {
    expect(preprocess(source)).toMatchObject({ text, errors: [] });
  });
});

describe('conditions', () => {
  it.each([
    ['1', true],
    ['0', false],
    ['2 * 3 == 6 && !0', true],
    ['1 || UNDEFINED', true],
    ['0 && 1 / 0', false],
    ['defined GL_ES && defined(__VERSION__)', true],
    ['(1 << 4 | 3) == 0x13', true],
    ['-1 < 0 && ~0 == -1', true],
    ['010 == 8', true],
    ['7 % 4 - 3', false],
    ['10 - 3 - 2 == 5', true],
  ])('%s', (condition, isTrue) => {
    const { text, errors } = preprocess(`#if ${condition}\nyes\n#else\nno\n#endif`);
    expect(errors).toEqual([]);
    expect(text).toBe(isTrue ? 'yes' : 'no');
  });

  it('reads one branch of a nested chain', () => {
    const source = '#if 0\n#if 1\na\n#endif\n#elif 1\nb\n#elif 1\nc\n#else\nd\n#endif\ne';
    expect(preprocess(source).text).toBe('b e');
  });
});

describe('positions', () => {
  it('counts lines over comments, joined lines and all line ends', () => {
    const { positions } = preprocess('a /*\n*/ b\r\nc \\\n d\re');
    expect(positions).toEqual(['0:1:1', '0:2:4', '0:3:1', '0:4:2', '0:5:1']);
  });

  it('obeys #line', () => {
    expect(preprocess('#line 7 3\na\nb').positions).toEqual(['3:7:1', '3:8:1']);
    expect(preprocess('#line (5 +2) (+3)\na').positions).toEqual(['3:7:1']);
    expect(preprocess('#line 1 2 3').errors).toEqual(['invalid line directive']);
  });

  it('has the line on which a call ends in the body of its macro', () => {
    expect(preprocess('#define F(a) a __LINE__\nF(\n__LINE__\n)').text).toBe('3 4');
  });

  it('assigns the position of its use to tokens of a macro', () => {
    expect(preprocess('#define A x y\n\n A').positions).toEqual(['0:3:2', '0:3:2']);
  });
});

describe('macro bombs', () => {
  const chain = (line: (i: number) => string): string =>
    Array.from({ length: 60 }, (_, i) => line(i + 1)).join('\n');

  it.each([
    `#define A0 x\n${chain((i) => `#define A${i} A${i - 1} A${i - 1}`)}\nA60`,
    `#define F0(x) x\n${chain((i) => `#define F${i}(x) F${i - 1}(x x)`)}\nF60(1)`,
    `#define f(x) x\n${'f('.repeat(10_000)}${')'.repeat(10_000)}`,
  ])('are refused', (source) => {
    expect(() => preprocess(source)).toThrow(/too large|too deeply/);
  });
});
