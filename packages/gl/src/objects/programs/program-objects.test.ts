import { describe, expect, it } from 'vitest';
import { GL } from '../../api/constants.ts';
import { makeContext, useProgram } from '../../testing/small-context.ts';

const VERTEX = `attribute vec4 a; attribute mat2 m; attribute float b;
uniform mat4 matrix; uniform vec3 list[3]; uniform bool isOn; uniform int number; uniform sampler2D map;`;

function setUp(dialect: 'gl' | 'gles2' = 'gles2') {
  const made = makeContext(dialect);
  const program = useProgram(made.gl, VERTEX);
  const linked = made.gl.programs.current!.linked!;
  const at = (name: string) => made.gl.programs.uniformLocation(program, name);
  const value = (name: string) => linked.uniforms.get(at(name));
  return { ...made, program, linked, at, value };
}

describe('programs', () => {
  it('give free locations to attributes, columns of matrices in a row', () => {
    const { gl, program } = setUp();
    expect(
      ['a', 'm', 'b', 'none'].map((name) => gl.programs.attributeLocation(program, name)),
    ).toEqual([0, 1, 3, -1]);
  });

  it('keep the locations that were asked for before the link', () => {
    const { gl, program } = setUp();
    gl.programs.bindLocation(program, 0, 'b');
    gl.programs.bindLocation(program, 14, 'm');
    expect(gl.programs.attributeLocation(program, 'b')).toBe(3);
    gl.programs.link(program);
    expect(['a', 'm', 'b'].map((name) => gl.programs.attributeLocation(program, name))).toEqual([
      1, 14, 0,
    ]);
    gl.programs.bindLocation(program, 15, 'm');
    gl.programs.link(program);
    expect(gl.programs.find('', program)).toMatchObject({ isLinked: false });
  });

  it('state the version of their dialect in the frame’s sources', () => {
    expect(setUp('gl').linked.source.vertexSource).toMatch(/^#version 110\n/);
    expect(setUp('gles2').linked.source.fragmentSource).toMatch(/^#version 100\n/);
    const { gl } = makeContext();
    useProgram(gl, ' # version 300 es\nx');
    expect(gl.programs.current!.linked!.source.vertexSource).toBe(' # version 300 es\nx');
  });

  it('cannot be used unless linked, and stay in use when a new link fails', () => {
    const { gl, program } = setUp();
    const broken = useProgram(gl, '#error');
    expect(gl.errors.take()).toBe(GL.INVALID_OPERATION);
    expect(gl.programs.find('', broken)).toMatchObject({ isLinked: false, log: 'an #error' });
    expect(gl.programs.current!.name).toBe(program);
    const shader = gl.programs.current!.shaders[0]!;
    gl.shaders.setSource(shader.name, '#error');
    gl.shaders.compile(shader.name);
    gl.programs.link(program);
    expect(gl.programs.current).toMatchObject({ isLinked: false });
    expect(gl.programs.current!.linked).not.toBeNull();
  });

  it('may have several shaders of a stage in desktop OpenGL', () => {
    for (const dialect of ['gl', 'gles2'] as const) {
      const { gl, program } = setUp(dialect);
      const more = gl.shaders.create(GL.VERTEX_SHADER);
      gl.shaders.setSource(more, '#version 120\nuniform float more;');
      gl.shaders.compile(more);
      gl.programs.attach(program, more);
      gl.programs.link(program);
      if (dialect === 'gles2') {
        expect(gl.errors.take()).toBe(GL.INVALID_OPERATION);
        continue;
      }
      const { source } = gl.programs.current!.linked!;
      expect(source.vertexSource).toMatch(/^#version 120\n#pragma tessera_next_shader\n/);
      expect(source.vertexSource.split('#version')).toHaveLength(2);
      expect(gl.programs.uniformLocation(program, 'more')).toBeGreaterThan(-1);
      gl.programs.attach(program, more);
      expect(gl.errors.take()).toBe(GL.INVALID_OPERATION);
    }
  });

  it('live on, as their shaders do, until nothing holds them', () => {
    const { gl, program } = setUp();
    const shader = gl.programs.current!.shaders[0]!.name;
    gl.shaders.remove(shader);
    gl.programs.remove(program);
    expect(gl.shaders.find('', shader)).not.toBeNull();
    gl.programs.use(0);
    expect(gl.errors.take()).toBe(GL.NO_ERROR);
    expect(gl.programs.find('', program)).toBeNull();
    expect(gl.shaders.find('', shader)).toBeNull();
  });
});

describe('uniforms', () => {
  it('are set by location, elements of arrays too', () => {
    const { gl, at, value, messages } = setUp();
    gl.programs.setFloats(at('list[1]'), 3, [1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(value('list')).toEqual([0, 0, 0]);
    expect(value('list[1]')).toEqual([1, 2, 3]);
    expect(value('list[2]')).toEqual([4, 5, 6]);
    gl.programs.setInts(at('number'), 1, [-4]);
    expect(value('number')).toEqual([-4]);
    gl.programs.setFloats(at('isOn'), 1, [0.5]);
    expect(value('isOn')).toEqual([1]);
    gl.programs.setInts(at('map'), 1, [5]);
    expect(value('map')).toEqual([5]);
    gl.programs.setFloats(at('none'), 1, [1]);
    expect(messages).toEqual([]);
  });

  it('take matrices column by column, and transposed ones on the desktop', () => {
    const { gl, at, value } = setUp('gl');
    const rows = Array.from({ length: 16 }, (_, i) => i);
    gl.programs.setMatrix(at('matrix'), 4, 4, true, rows);
    expect(value('matrix')?.slice(0, 4)).toEqual([0, 4, 8, 12]);
    gl.programs.setMatrix(at('matrix'), 4, 4, false, rows);
    expect(value('matrix')).toEqual(rows);
    const es = setUp('gles2');
    es.gl.programs.setMatrix(es.at('matrix'), 4, 4, true, rows);
    expect(es.gl.errors.take()).toBe(GL.INVALID_VALUE);
  });

  it('stay what they were in a snapshot', () => {
    const { gl, at, linked } = setUp();
    const before = linked.uniforms.snapshot();
    expect(linked.uniforms.snapshot()).toBe(before);
    gl.programs.setInts(at('number'), 1, [3]);
    expect([...before.number!]).toEqual([0]);
    expect([...linked.uniforms.snapshot().number!]).toEqual([3]);
  });

  it.each<[string, number, (made: ReturnType<typeof setUp>) => void]>([
    [
      'another type',
      GL.INVALID_OPERATION,
      ({ gl, at }) => gl.programs.setFloats(at('number'), 1, [1]),
    ],
    [
      'another size',
      GL.INVALID_OPERATION,
      ({ gl, at }) => gl.programs.setFloats(at('list'), 2, [1, 2]),
    ],
    [
      'many values for one',
      GL.INVALID_OPERATION,
      ({ gl, at }) => gl.programs.setInts(at('number'), 1, [1, 2]),
    ],
    [
      'a part of an element',
      GL.INVALID_VALUE,
      ({ gl, at }) => gl.programs.setFloats(at('list'), 3, [1, 2]),
    ],
    [
      'a location that is not there',
      GL.INVALID_OPERATION,
      ({ gl }) => gl.programs.setFloats(99, 1, [1]),
    ],
    [
      'a float for a sampler',
      GL.INVALID_OPERATION,
      ({ gl, at }) => gl.programs.setFloats(at('map'), 1, [1]),
    ],
    [
      'a unit past the last',
      GL.INVALID_VALUE,
      ({ gl, at }) => gl.programs.setInts(at('map'), 1, [gl.rules.textureUnitCount]),
    ],
  ])('refuse %s', (_what, error, act) => {
    const made = setUp();
    act(made);
    expect(made.gl.errors.take()).toBe(error);
  });
});
