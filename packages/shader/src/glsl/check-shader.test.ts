import { describe, expect, it } from 'vitest';
import type { CheckedShader, Expression } from '../tree/checked-tree.ts';
import { formatDiagnostics } from '../tree/diagnostics.ts';
import { typeName } from '../tree/type-rules.ts';
import { checkShader } from './check-shader.ts';

const HEADS = {
  100: 'precision highp float;',
  110: '#version 110\n',
  120: '#version 120\n',
  300: '#version 300 es\nprecision highp float; precision highp int;',
} as const;

function check(source: string, stage: 'vertex' | 'fragment' = 'fragment'): CheckedShader {
  const shader = checkShader(source, { stage });
  expect(formatDiagnostics(shader.diagnostics.filter((d) => d.severity === 'error'))).toBe('');
  return shader;
}

/** The last expression statement of `main`. */
function expressionIn(version: keyof typeof HEADS, text: string): Expression {
  const shader = check(
    `${HEADS[version]} uniform mat3 m; uniform vec3 v; void main() { ${text}; }`,
  );
  const statement = shader.functions.at(-1)!.body!.statements.at(-1)!;
  if (statement.kind !== 'expression') throw new Error(`not an expression: ${text}`);
  return statement.expression;
}

describe('declarations', () => {
  it('may begin with none', () => {
    const { globals, functions } = check(
      `${HEADS[100]} struct S { float f; }, s; void main() { float, x = s.f; }`,
    );
    expect(globals.map(({ variable }) => variable.name)).toEqual(['s']);
    expect(functions[0]!.body!.statements).toHaveLength(1);
  });

  it('may declare unused variables invariant', () => {
    check('invariant gl_FragColor, gl_FragData; void main() { gl_FragColor = vec4(0.0); }');
  });

  it('are invariant by the pragma in vertex shaders alone', () => {
    const source = `#version 300 es\n#pragma STDGL invariant(all)\nvoid main() {}`;
    check(source, 'vertex');
    const { diagnostics } = checkShader(source, { stage: 'fragment' });
    expect(diagnostics.map(({ token }) => token)).toEqual(['invariant(all)']);
  });
});

describe('types of expressions', () => {
  it.each([
    [100, 'm * v', 'vec3'],
    [100, 'v * m', 'vec3'],
    [100, 'v * v', 'vec3'],
    [100, '2.0 * m', 'mat3'],
    [100, 'dot(v, v)', 'float'],
    [100, 'max(v, 1.0)', 'vec3'],
    [100, 'lessThan(v, v)', 'bvec3'],
    [100, 'm[0].zx', 'vec2'],
    [100, 'v == v', 'bool'],
    [120, '1 * v', 'vec3'],
    [120, 'max(1, 2)', 'float'],
    [300, 'max(1, 2)', 'int'],
    [300, 'ivec2(1) << 3u', 'ivec2'],
    [300, 'mat2x3(1.0) * vec2(1)', 'vec3'],
    [300, 'vec3(1) * mat2x3(1.0)', 'vec2'],
    [300, 'mat2x3(1.0) * mat4x2(1.0)', 'mat4x3'],
    [300, 'int[](1, 2, 3)', 'int[3]'],
    [300, 'outerProduct(vec2(1), v)', 'mat3x2'],
  ] as const)('%i: %s is %s', (version, text, type) => {
    expect(typeName(expressionIn(version, text).type)).toBe(type);
  });
});

describe('constants', () => {
  it.each([
    [100, '1 + 2 * 3', [7]],
    [100, '7 / -2', [-3]],
    [100, '0.1 + 0.2', [Math.fround(Math.fround(0.1) + Math.fround(0.2))]],
    [100, 'vec3(1, 2, 3).zx', [3, 1]],
    [100, 'mat2(1.0, 2.0, 3.0, 4.0) * vec2(1.0, 10.0)', [31, 42]],
    [100, 'vec2(1.0, 10.0) * mat2(1.0, 2.0, 3.0, 4.0)', [21, 43]],
    [100, 'mat2(2.0)', [2, 0, 0, 2]],
    [100, 'int(-1.9)', [-1]],
    [100, 'bool(0.5) ? 1 : 2', [1]],
    [100, 'clamp(5.0, 0.0, 1.0)', [1]],
    [100, 'mod(-1.0, 3.0)', [2]],
    [100, 'sin(1.0)', [0.8414710164070129]],
    [100, 'v.x', null],
    [100, '1 / 0', null],
    [300, '1u - 2u', [0xffff_ffff]],
    [300, '2147483647 + 1', [-0x8000_0000]],
    [300, '-7 % 3', [-1]],
    [300, '-8 >> 1', [-4]],
    [300, 'mat3(mat2(2.0))', [2, 0, 0, 0, 2, 0, 0, 0, 1]],
    [300, 'int[2](4, 5)[1]', [5]],
    [300, 'roundEven(2.5)', [2]],
  ] as const)('%i: %s', (version, text, value) => {
    expect(expressionIn(version, text).constant).toEqual(value);
  });
});

describe('the tree', () => {
  it('makes implicit conversions of GLSL 1.20 explicit', () => {
    const node = expressionIn(120, '1 + v.x');
    expect(node).toMatchObject({ kind: 'binary', left: { kind: 'construct', constant: [1] } });
  });

  it('chooses the overload by exact types before conversions', () => {
    const shader = check(
      `#version 120\nfloat f(float x) { return x; } int f(int x) { return x; } void main() { f(1); }`,
    );
    expect(shader.functions.map((each) => typeName(each.returnType))).toEqual(['int', 'void']);
  });

  it('orders functions from callees to main and omits functions that main does not reach', () => {
    const shader = check(
      'void a(); void unused() {} void b() { a(); } void main() { b(); a(); } void a() {}',
    );
    expect(shader.functions.map((each) => each.name)).toEqual(['a', 'b', 'main']);
  });

  it('gives unsized arrays the length that their indices require', () => {
    const shader = check('#version 120\nvoid main() { gl_TexCoord[2] = vec4(0); }', 'vertex');
    expect(shader.builtins.map((each) => typeName(each.type))).toEqual(['vec4[3]']);
  });

  it('has members of nameless blocks and instances of named ones among the globals', () => {
    const shader = check(
      `${HEADS[300]} uniform A { float x; }; layout(std140) uniform B { vec2 y; } b[2]; void main() {}`,
    );
    expect(shader.globals.map(({ variable }) => [variable.name, variable.block?.name])).toEqual([
      ['x', 'A'],
      ['b', 'B'],
    ]);
    expect(shader.blocks[1]).toMatchObject({ layout: 'std140', arrayLength: 2 });
  });

  it('resolves default precisions', () => {
    const shader = check(
      'precision lowp float; uniform float x; uniform highp vec2 y; void main() {}',
    );
    expect(shader.globals.map(({ variable }) => variable.precision)).toEqual(['lowp', 'highp']);
  });
});

describe('constants', () => {
  it.each([
    ['int(pow(2.0, 3.0))', 8],
    ['int(sin(0.0)) + 1', 1],
    ['int(inverse(mat2(0.25))[1][1])', 4],
    ['int(smoothstep(0.0, 1.0, 0.5) * 4.0)', 2],
    ['int(packHalf2x16(vec2(0.0)) + 7u)', 7],
  ])('%s is the length of an array', (text, length) => {
    const { globals } = check(`${HEADS[300]} float a[${text}]; void main() {}`);
    expect(globals[0]!.variable.type).toMatchObject({ kind: 'array', length });
  });
});

describe('backslashes', () => {
  it('join lines of comments in WebGL 1, and are characters of GLSL ES 3.00', () => {
    const source = 'void main() {} // one\\\nof many\n';
    const options = { stage: 'vertex', isWebGl: true, allowedVersions: [100] } as const;
    expect(checkShader(source, options).diagnostics).toEqual([]);
    check('#version 300 es\n#define A a \\ b\nvoid main() {}');
  });
});

describe('commas', () => {
  it('have a constant value only if nothing on the left can have an effect', () => {
    const source = (text: string) =>
      `precision mediump float; float g; void main() { float y = (${text}, 2.0); gl_FragColor = vec4(y); }`;
    const initialValue = (text: string) => {
      const main = check(source(text)).functions.at(-1)!;
      const declaration = main.body!.statements[0]!;
      return declaration.kind === 'declaration' ? declaration.initializer!.constant : undefined;
    };
    expect(initialValue('1.0')).toEqual([2]);
    expect(initialValue('g = 1.0')).toBeNull();
  });
});

describe('names with two consecutive underscores', () => {
  const source = 'struct S__T { float __a; }; uniform S__T a__b; void main() { a__b.__a; }';
  const faults = (isWebGl: boolean) =>
    checkShader(`precision mediump float; ${source}`, { stage: 'fragment', isWebGl }).diagnostics;

  it('are allowed in WebGL alone', () => {
    expect(faults(true)).toEqual([]);
    expect(faults(false).map(({ severity, token }) => [severity, token])).toContainEqual([
      'error',
      'a__b',
    ]);
  });
});

describe('extension directives after other text', () => {
  const errorsOf = (directive: string, isWebGl: boolean) =>
    checkShader(`void main() {\n#extension ${directive}\n}`, { stage: 'vertex', isWebGl })
      .diagnostics.filter(({ severity }) => severity === 'error')
      .map(({ position }) => position.line);

  it.each(['enable', 'require', 'warn'])('may %s in WebGL 1', (behavior) => {
    expect(errorsOf(`GL_EXT_frag_depth : ${behavior}`, true)).toEqual([]);
  });

  it('must not disable in WebGL 1', () => {
    expect(errorsOf('GL_EXT_frag_depth : disable', true)).toEqual([2]);
    expect(errorsOf('all : disable', true)).toEqual([2]);
    expect(errorsOf('GL_EXT_frag_depth : disable', false)).toEqual([]);
  });
});

describe('targets of GLSL ES 1.00', () => {
  const source = (head: string) =>
    `${head}precision highp float; void main() { for (int i = 0; i < 4; i++) gl_FragData[i] = vec4(1.0); }`;

  it('are selected by loop counters if there are several', () => {
    check(source('#extension GL_EXT_draw_buffers : enable\n'));
    const alone = checkShader(source(''), { stage: 'fragment' });
    expect(formatDiagnostics(alone.diagnostics)).toContain('need a constant index');
  });
});

describe('diagnostics', () => {
  it('reports every error, not only the first', () => {
    const { diagnostics } = checkShader('void main() { a = 1; int b = ; \n c(); }', {
      stage: 'vertex',
    });
    expect(formatDiagnostics(diagnostics).split('\n').slice(0, -1)).toEqual([
      "ERROR: 0:1: 'a' : undeclared identifier",
      "ERROR: 0:1: ';' : syntax error",
      "ERROR: 0:2: 'c' : undeclared identifier: there is no function of this name",
    ]);
  });

  it.each([
    '('.repeat(1_000_000),
    `void main() { int x = ${'('.repeat(1_000_000)}`,
    `void main() ${'{'.repeat(1_000_000)}`,
    `void main() { int x = 1${'+1'.repeat(100_000)}; }`,
    `void main() { ${'if (true) '.repeat(100_000)}; }`,
    `void main() { x${'[0]'.repeat(100_000)}; }`,
    '#if 1\n'.repeat(100_000),
    `#if ${'('.repeat(100_000)}`,
    `struct S0 { int a; };${Array.from({ length: 50 }, (_, i) => `struct S${i + 1} { S${i} a, b; };`).join('')}`,
  ])('refuses a source that is too deep (%#)', (source) => {
    expect(checkShader(source, { stage: 'vertex' }).diagnostics.length).toBeGreaterThan(0);
  });
});
