import { describe, expect, it } from 'vitest';
import { CaptureWriter } from './capture-writer.ts';
import { readCalls } from './format/capture-reader.ts';
import { listShaders } from './list-shaders.ts';

describe('listShaders', () => {
  it('lists distinct sources and the pairs that were linked', () => {
    const writer = new CaptureWriter();
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
    expect(listShaders(readCalls(writer.finish()))).toEqual({
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
    const file = new CaptureWriter().call('eglCreateContext').finish();
    expect(listShaders(readCalls(file)).api).toBe('gles2');
  });
});
