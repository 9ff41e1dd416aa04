/**
 * The table of WebGL's constants and methods matches the DOM library of the TypeScript compiler.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { GL } from '../../packages/gl/src/api/constants.ts';
import {
  WEBGL_CONSTANTS,
  WEBGL2_CONSTANTS,
} from '../../packages/webgl/src/interface/webgl-interface.ts';
import { printWebGlInterface, readDomLibrary } from '../../scripts/generate/webgl-interface.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Returns the text without whitespace that a formatter may change. */
function withoutLayout(text: string): string {
  return text.replace(/\s+/g, '').replace(/,([}\]])/g, '$1');
}

describe('the interface of WebGL', () => {
  it('is that of the library', () => {
    const file = `${ROOT}/packages/webgl/src/interface/webgl-interface.ts`;
    const committed = withoutLayout(readFileSync(file, 'utf8'));
    expect(committed).toBe(withoutLayout(printWebGlInterface(readDomLibrary(ROOT))));
  });

  it('has the numbers of the OpenGL constants in packages/gl', () => {
    const webGl: Readonly<Record<string, number>> = { ...WEBGL_CONSTANTS, ...WEBGL2_CONSTANTS };
    const shared = Object.entries(GL).filter(([name]) => name in webGl);
    expect(shared.length).toBeGreaterThan(100);
    expect(shared.filter(([name, value]) => webGl[name] !== value)).toEqual([]);
  });

  it('counts the arguments that every form of a method needs', () => {
    const library = `interface WebGLRenderingContextBase {
    readonly ONE: 0x1;
    one(a: number, b: string | null, c?: number): void;
    many(target: GLenum, list: Iterable<[number, number]>): void;
}
interface WebGLRenderingContextOverloads {
    one(a: number): void;
}
interface WebGL2RenderingContextBase {
    readonly TWO: 2;
    two(): void;
}
interface WebGL2RenderingContextOverloads {
}
`;
    const text = withoutLayout(printWebGlInterface(library));
    expect(text).toContain('WEBGL_CONSTANTS={ONE:0x1}');
    expect(text).toContain('WEBGL_METHODS={one:1,many:2}');
    expect(text).toContain('WEBGL2_METHODS={two:0}');
  });

  it('names the types of parameters, by groups of forms with as many arguments', () => {
    const library = `interface WebGLRenderingContextBase {
    one(a: GLint | GLboolean, b: WebGLBuffer | null, c?: string): void;
    none(): void;
}
interface WebGLRenderingContextOverloads {
    one(a: GLint, b: ArrayBufferView<ArrayBufferLike>): void;
    list(values: Int32Array<ArrayBufferLike> | GLint[]): void;
    list(values: Iterable<GLint>): void;
}
interface WebGL2RenderingContextBase {
}
interface WebGL2RenderingContextOverloads {
    two(a: GLenum): void;
    two(a: GLint, b: GLint, c: GLint): void;
    two(a: GLfloat, b: GLint, c: GLint): void;
}
interface OES_three {
    three(names: string[]): void;
}
`;
    const text = withoutLayout(printWebGlInterface(library));
    expect(text).toContain("WEBGL_PARAMETERS={one:['GLintanystring='],list:['Int32List']}");
    expect(text).toContain("WEBGL2_PARAMETERS={two:['GLenum','anyGLintGLint']}");
    expect(text).toContain("WEBGL_EXTENSION_PARAMETERS={three:['string[]']}");
  });
});
