import { describe, expect, it } from 'vitest';
import { draw, replay, startCapture, swap } from '../testing/small-capture.ts';
import { IncludedStrings } from './calls/include-calls.ts';

function makeStrings(strings: Readonly<Record<string, string>>): IncludedStrings {
  const included = new IncludedStrings();
  for (const [name, text] of Object.entries(strings)) included.strings.set(name, text);
  return included;
}

describe('included strings', () => {
  it('replaces directives by the strings that they name, nested ones too', () => {
    const strings = makeStrings({ '/a/one': '#include "two"\nfloat x;', '/a/two': 'float y;' });
    const source =
      '#extension GL_ARB_shading_language_include : enable\n#include </a/one>\nvoid main() {}';
    expect(strings.expand(source, [])).toBe('\nfloat y;\nfloat x;\nvoid main() {}');
  });

  it('searches relative paths in the folders of the compilation', () => {
    const strings = makeStrings({ '/b/c': 'float z;' });
    expect(strings.expand('#include "../b/c"', ['/a', '/b'])).toBe('float z;');
    expect(strings.expand('#include "c"', ['/a'])).toBe('#include "c"');
    const nested = makeStrings({ '/a/d': '#include <e>', '/a/e': 'beside', '/b/e': 'searched' });
    expect(nested.expand('#include "/a/d"', ['/b'])).toBe('searched');
  });

  it('ends where strings include each other', () => {
    const strings = makeStrings({ '/a': '#include "/b"', '/b': '#include "/a"' });
    expect(strings.expand('#include "/a"', [])).toMatch(/^#include "\/[ab]"$/);
  });

  it('compiles a shader of a capture with its strings', () => {
    const string = 'uniform vec4 included;';
    const writer = startCapture()
      .call('glNamedStringARB', { type: 0x8dae, namelen: -1, name: '/a', stringlen: -1, string })
      .call('glCreateShader', { type: 0x8b31 }, 104)
      .call('glShaderSource', {
        shader: 104,
        count: 1,
        string: ['attribute vec2 at;\n#include "/a"\n'],
        length: null,
      })
      .call('glCompileShaderIncludeARB', { shader: 104, count: 0, path: null, length: null })
      .call('glDetachShader', { program: 103, shader: 101 })
      .call('glAttachShader', { program: 103, shader: 104 })
      .call('glLinkProgram', { program: 103 })
      .call('glUseProgram', { program: 103 });
    const { frame, draws } = replay(swap(draw(writer)));
    expect(Object.keys(draws[0]!.uniforms)).toContain('included');
    expect(frame.programs[0]!.vertexSource).toContain(string);
  });
});
