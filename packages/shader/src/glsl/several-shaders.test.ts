import { describe, expect, it } from 'vitest';
import { compileProgram } from '../compile.ts';

const VERTEX = '#version 120\nvoid main() { gl_Position = gl_Vertex; }';

/** Compiles fragment shaders as parts of one stage. */
function compile(...shaders: readonly string[]) {
  const parts = shaders.map(
    (shader, i) => `#pragma tessera_next_shader\n#line 0 ${i}\n${shader}\n`,
  );
  return compileProgram({
    vertexSource: VERTEX,
    fragmentSource: `#version 120\n#define main tessera_main\n${parts.join('')}
#undef main\nvoid tessera_main();\nvoid main() { tessera_main(); }`,
  });
}

const MAIN = `
vec4 color(float x);
uniform vec4 tint;
float shared = 2.0;
void main() { gl_FragColor = color(shared) * tint; }`;

describe('several shaders of a stage', () => {
  it('call functions of each other and share uniforms', () => {
    const { uniforms } = compile(
      MAIN,
      'uniform vec4 tint; vec4 color(float x) { return vec4(x) + tint; }',
    );
    expect(uniforms.map(({ name }) => name)).toEqual(['tint']);
  });

  it('share globals, whichever of them has the initial value', () => {
    const one = compile(MAIN, 'float shared; vec4 color(float x) { return vec4(x + shared); }');
    const other = compile(
      MAIN.replace('shared = 2.0', 'shared'),
      'float shared = 2.0; vec4 color(float x) { return vec4(x + shared); }',
    );
    expect(other.sha256).toBe(one.sha256);
    const different = compile(
      MAIN.replace('shared = 2.0', 'shared'),
      'float shared = 3.0; vec4 color(float x) { return vec4(x + shared); }',
    );
    expect(different.sha256).not.toBe(one.sha256);
  });

  it('share structures that are alike', () => {
    const struct = 'struct Light { vec4 color; float power; };\nuniform Light light;';
    const call = 'vec4 shade(Light l);\nvoid main() { gl_FragColor = shade(light); }';
    const shade = 'vec4 shade(Light l) { return l.color * light.power; }';
    expect(() => compile(struct + call, struct + shade)).not.toThrow();
    const other = struct.replace('float power', 'vec2 power');
    expect(() => compile(struct + call, other + shade)).toThrow("1:1: 'Light' : redefinition");
  });

  it('have macros of their own; those before all of them stay', () => {
    expect(() =>
      compile(`#define N 2.0\n${MAIN}`, '#define N 3.0\nvec4 color(float x) { return vec4(N); }'),
    ).not.toThrow();
    expect(() =>
      compile(`#define N 2.0\n${MAIN}`, 'vec4 color(float x) { return vec4(N); }'),
    ).toThrow("1:1: 'N' : undeclared identifier");
  });

  it('see functions of each other by prototype only', () => {
    const color = 'vec4 color(float x) { return vec4(abs(x)); }';
    const plain = compile(MAIN, color);
    const own = 'float abs(float x) { return x * x; }';
    expect(compile(own + MAIN, color).sha256).toBe(plain.sha256);
    expect(compile(own + MAIN, `float abs(float x);${color}`).sha256).not.toBe(plain.sha256);
  });

  it('give arrays without a size that of another shader, in any order', () => {
    const main = 'float f();\nvoid main() { gl_FragColor = vec4(f()); }';
    const use = 'float f() { return a[1]; }';
    expect(() => compile(`float a[2];${main}`, `float a[];${use}`)).not.toThrow();
    expect(() => compile(`float a[];${main}`, `float a[2];${use}`)).not.toThrow();
    expect(() => compile(`float a[3];${main}`, `float a[2];${use}`)).toThrow('redefinition');
  });

  it('are refused with two bodies, or globals that differ', () => {
    const color = 'vec4 color(float x) { return vec4(x); }';
    expect(() => compile(MAIN, color, color)).toThrow("'color' : function already has a body");
    expect(() => compile(MAIN, `uniform vec3 tint; ${color}`)).toThrow(
      "1:1: 'tint' : redefinition",
    );
    expect(() => compile(MAIN)).toThrow("0:5: 'color' : function is called but has no body");
  });
});
