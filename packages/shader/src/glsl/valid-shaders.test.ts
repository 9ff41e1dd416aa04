import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { DESKTOP_SHADERS } from '../testing/desktop-shaders.ts';
import { VALID_SHADERS } from '../testing/valid-shaders.ts';
import { formatDiagnostics } from '../tree/diagnostics.ts';
import { checkShader } from './check-shader.ts';

describe('valid shaders', () => {
  it.each([...VALID_SHADERS, ...DESKTOP_SHADERS])('$title', ({ source, ...options }) => {
    const shader = checkShader(source, options);
    const errors = shader.diagnostics.filter((diagnostic) => diagnostic.severity === 'error');
    expect(formatDiagnostics(errors)).toBe('');
    expect(shader.functions.at(-1)?.name).toBe('main');
  });
});

const hasGlslang = spawnSync('glslangValidator', ['--version']).status === 0;

describe.skipIf(!hasGlslang)('glslang agrees', () => {
  it.each(VALID_SHADERS)('$title', ({ source, stage }) => {
    const text = source.startsWith('#version') ? source : `#version 100\n${source}`;
    const stageName = stage === 'vertex' ? 'vert' : 'frag';
    const run = spawnSync('glslangValidator', ['--stdin', '-S', stageName], { input: text });
    expect(`${run.stdout}`).not.toContain('ERROR');
  });
});
