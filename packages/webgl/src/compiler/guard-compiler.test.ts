import { RenderError } from '@tessera/frame';
import { describe, expect, it, vi } from 'vitest';
import {
  COLOR_SOURCE,
  linkProgram,
  makeContext,
  makeContext2,
  POSITION_SOURCE,
  readPixel,
  useColorProgram,
} from '../testing/small-context.ts';
import { guardCompiler, type InternalFailure, warnOfFailure } from './guard-compiler.ts';

/** Compiler that throws for sources that request it. */
vi.mock('@tessera/shader', async (importOriginal) => {
  const compiler = await importOriginal<typeof import('@tessera/shader')>();
  return {
    ...compiler,
    checkWebGlShader: (...given: Parameters<typeof compiler.checkWebGlShader>) => {
      if (given[0].includes('bug in compileShader')) throw new Error('a bug for this test');
      return { ...compiler.checkWebGlShader(...given), given: given[0] };
    },
    linkWebGlShaders: (...given: Parameters<typeof compiler.linkWebGlShaders>) => {
      const { given: source } = given[0] as unknown as { readonly given: string };
      if (source.includes('bug in linkProgram')) throw new Error('a bug for this test');
      return compiler.linkWebGlShaders(...given);
    },
  };
});

const PLACE = '#version 300 es\nvoid main() { gl_Position = vec4(0); }';

/** Returns a guarded compiler that throws `thrown`, and the list of its reports. */
function makeFailing(thrown: unknown) {
  const failures: InternalFailure[] = [];
  const fail = () => {
    throw thrown;
  };
  const guarded = guardCompiler({ compile: fail, reflect: fail }, (failure) => {
    failures.push(failure);
  });
  return { guarded, failures };
}

describe('guardCompiler', () => {
  it.each([new Error('no storage'), new TypeError('undefined'), new RangeError('stack')])(
    'turns a bug into a failed compilation and a failed link, and reports both: %s',
    (bug) => {
      const { guarded, failures } = makeFailing(bug);
      const compiled = guarded.compile('vertex', PLACE);
      const linked = guarded.reflect(PLACE, PLACE, 100);
      expect(compiled.isCompiled).toBe(false);
      expect(linked.isLinked).toBe(false);
      for (const { log } of [compiled, linked]) {
        expect(log).toContain('not a fault of the shader');
        expect(log).toContain(bug.message);
      }
      expect(failures.map(({ call }) => call)).toEqual(['compileShader', 'linkProgram']);
      for (const { error } of failures) expect(error).toBe(bug);
    },
  );

  it('returns the log of a rejected source, which is not an internal failure', () => {
    const refusal = new RenderError('LIMIT_EXCEEDED', 'link: the program takes 300 registers');
    const { guarded, failures } = makeFailing(refusal);
    expect(guarded.reflect(PLACE, PLACE, 100)).toMatchObject({
      isLinked: false,
      log: refusal.message,
    });
    expect(failures).toEqual([]);
  });

  it('reports a thrown value that is not an Error', () => {
    const { guarded, failures } = makeFailing('text');
    expect(guarded.compile('vertex', PLACE).isCompiled).toBe(false);
    expect(failures[0]!.error.message).toBe('text');
  });
});

describe('warnOfFailure', () => {
  it('warns with the stack of the error', () => {
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    const error = new Error('no storage');
    warnOfFailure({ call: 'linkProgram', error });
    const options = { type: 'TesseraInternalFailure', detail: error.stack };
    expect(warned).toHaveBeenCalledWith(expect.stringContaining('linkProgram'), options);
    warned.mockRestore();
  });
});

describe('a context', () => {
  it('rejects the name of a uniform block as an expression at compilation', () => {
    const gl = makeContext2();
    const shader = gl.createShader(gl.VERTEX_SHADER)!;
    gl.shaderSource(
      shader,
      `#version 300 es
uniform BlockName { vec4 color; };
void main() { BlockName; gl_Position = vec4(0); }`,
    );
    gl.compileShader(shader);
    expect(gl.getShaderParameter(shader, gl.COMPILE_STATUS)).toBe(false);
    expect(gl.getShaderInfoLog(shader)).toContain("ERROR: 0:3: 'BlockName' : variable expected");
  });

  it.each(['compileShader', 'linkProgram'] as const)('survives a bug in %s', (call) => {
    const failures: InternalFailure[] = [];
    const onInternalFailure = (failure: InternalFailure) => {
      failures.push(failure);
    };
    const gl = makeContext({ onInternalFailure });
    const program = linkProgram(gl, `// bug in ${call}\n${POSITION_SOURCE}`, COLOR_SOURCE);
    expect(gl.getProgramParameter(program, gl.LINK_STATUS)).toBe(false);
    const [shader] = gl.getAttachedShaders(program)!;
    const log = `${gl.getShaderInfoLog(shader!)} ${gl.getProgramInfoLog(program)}`;
    expect(log).toContain('not a fault of the shader: a bug for this test');
    expect(failures.map((failure) => failure.call)).toEqual([call]);
    // The next program compiles and draws.
    useColorProgram(gl);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    expect(gl.getError()).toBe(gl.NO_ERROR);
    expect(readPixel(gl)).toEqual([0, 0, 0, 0]);
  });
});
