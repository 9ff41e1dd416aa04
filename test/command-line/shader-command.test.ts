import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  listShader,
  type ShaderListingOptions,
} from '../../packages/experiments/src/commands/shader-command.ts';

const ALL: ShaderListingOptions = {
  stage: 'fragment',
  defaultVersion: 100,
  isWebGl: false,
  showsIr: true,
  showsIsa: true,
  showsStatistics: true,
};

const FRAGMENT = `
precision mediump float;
uniform sampler2D map;
uniform vec4 tint;
varying vec2 place;
void main() { gl_FragColor = texture2D(map, place) * tint; }
`;

const VERTEX = `
attribute vec4 position;
uniform mat4 matrix;
varying vec2 place;
void main() { gl_Position = matrix * position; place = sin(position.xy); }
`;

/** Returns the figures of a row of the statistics. */
function figures(text: string, name: string): number[] {
  const table = text.slice(text.indexOf('Statistics'));
  const line = table.split('\n').find((each) => each.trim().startsWith(name));
  return (line ?? '').trim().slice(name.length).trim().split(/\s+/).map(Number);
}

describe('listShader', () => {
  it('prints names, IR, ISA and statistics', () => {
    const { text, log, hasErrors } = listShader(FRAGMENT, ALL);
    expect([log, hasErrors]).toEqual(['', false]);
    expect(text).toContain('uniform tint: c0\nsampler map: t0\ninput place: i0\n');
    expect(text).toMatch(/IR\nfragment values=\d+\n/);
    expect(text).toMatch(/ISA\n[\s\S]*\btex r\d/);
    expect(figures(text, 'texture reads')).toEqual([1]);
    expect(figures(text, 'words of constants')).toEqual([4]);
    expect(figures(text, 'output')).toEqual([4]);
  });

  it('prints only the requested forms', () => {
    const { text } = listShader(FRAGMENT, { ...ALL, showsIr: false, showsIsa: false });
    expect(text).not.toMatch(/^(IR|ISA)$/m);
    expect(text).toContain('Statistics');
  });

  it('shows the position-only part beside a vertex shader', () => {
    const { text } = listShader(VERTEX, { ...ALL, stage: 'vertex' });
    const [all, positionOnly] = figures(text, 'instructions');
    expect(positionOnly).toBeGreaterThan(0);
    expect(positionOnly).toBeLessThan(all!);
    expect(figures(text, 'output')).toEqual([6, 4]);
  });

  it('prints the log of a shader with errors', () => {
    const { text, log, hasErrors } = listShader('void main() {\n  foo;\n}', ALL);
    expect([text, hasErrors]).toEqual(['', true]);
    expect(log).toBe("ERROR: 0:2: 'foo' : undeclared identifier\n");
  });

  it('accepts desktop shaders', () => {
    const source = 'void main() { gl_FragColor = gl_Color; }';
    expect(listShader(source, ALL).hasErrors).toBe(true);
    expect(listShader(source, { ...ALL, defaultVersion: 110 }).hasErrors).toBe(false);
  });
});

describe('tessera shader', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-shader-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const run = (name: string, source: string, ...options: string[]) => {
    const path = join(folder, name);
    writeFileSync(path, source);
    const cli = resolve(import.meta.dirname, '../../packages/experiments/src/cli.ts');
    return spawnSync(process.execPath, [cli, 'shader', path, ...options], { encoding: 'utf8' });
  };

  it('detects the stage by the extension', () => {
    const { status, stdout } = run('a.vert', VERTEX, '--isa');
    expect([status, stdout.includes('ISA'), stdout.includes('Statistics')]).toEqual([
      0,
      true,
      false,
    ]);
  });

  it('exits with status 2 on errors of the shader and of the command', () => {
    const bad = run('b.frag', 'void main() { x; }');
    expect([bad.status, bad.stderr]).toEqual([2, "ERROR: 0:1: 'x' : undeclared identifier\n"]);
    const unknown = run('c.glsl', FRAGMENT);
    expect([unknown.status, unknown.stderr.includes('--stage')]).toEqual([2, true]);
    const version = run('d.frag', FRAGMENT, '--version', '330');
    expect([version.status, version.stderr.includes('330')]).toEqual([2, true]);
  });
});
