import { describe, expect, it } from 'vitest';
import { buildCase, casesOf, INVALID_SHADERS } from '../testing/invalid-shaders.ts';
import { checkShader } from './check-shader.ts';

describe.each(INVALID_SHADERS)('invalid: $title', (group) => {
  it.each(casesOf(group))('%s', (text) => {
    const { source, line } = buildCase(group, text);
    const { diagnostics } = checkShader(source, group);
    const first = diagnostics.find((diagnostic) => diagnostic.severity === 'error');
    expect(first?.position.line).toBe(line);
  });
});

describe('the declarations around the cases', () => {
  it.each(INVALID_SHADERS.filter((group) => group.place !== 'raw'))('$title', (group) => {
    const { diagnostics } = checkShader(buildCase(group, '').source, group);
    expect(diagnostics).toEqual([]);
  });
});
