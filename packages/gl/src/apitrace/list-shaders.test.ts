import { describe, expect, it } from 'vitest';
import { listShaders } from './list-shaders.ts';
import { TraceWriter } from './testing/trace-writer.ts';
import { readTrace } from './trace-reader.ts';

describe('listShaders', () => {
  it('lists distinct sources and the pairs that were linked', () => {
    const writer = new TraceWriter();
    for (const program of [3, 6]) {
      const vertex = program - 2;
      const fragment = program - 1;
      writer
        .call('glCreateShader', { type: 0x8b31 }, vertex)
        .call('glCreateShader', { type: 0x8b30 }, fragment)
        .call('glShaderSource', {
          shader: vertex,
          count: 2,
          string: ['void ma', 'in(){}'],
          length: null,
        })
        .call('glShaderSource', {
          shader: fragment,
          count: 1,
          string: [`f${program};;`],
          length: [3],
        })
        .call('glAttachShader', { program, shader: vertex })
        .call('glAttachShader', { program, shader: fragment })
        .call('glLinkProgram', { program });
    }
    expect(listShaders(readTrace(writer.finish()))).toEqual({
      api: 'gl',
      shaders: [
        { stage: 'vertex', source: 'void main(){}' },
        { stage: 'fragment', source: 'f3;' },
        { stage: 'fragment', source: 'f6;' },
      ],
      programs: [
        { vertex: 0, fragment: 1 },
        { vertex: 0, fragment: 2 },
      ],
    });
  });

  it('knows an ES program by its context', () => {
    const file = new TraceWriter().call('eglCreateContext').finish();
    expect(listShaders(readTrace(file)).api).toBe('gles2');
  });
});
