import { describe, expect, it } from 'vitest';
import { hasSingleComparisons } from './single-comparisons.ts';

describe('comparisons of one component', () => {
  it.each([
    ['#version 110', '#version 110', false],
    ['#version 120', '#version 120', false],
    ['', ' # version 130 core', true],
    ['#version 330', '#version 330', true],
    ['#version 130', '#version 120', true],
  ])('%s with %s: %s', (vertex, fragment, expected) => {
    const vertexSource = `${vertex}\nvoid main() {}`;
    const fragmentSource = `// A comment.\n${fragment}\nvoid main() {}`;
    expect(hasSingleComparisons({ vertexSource, fragmentSource })).toBe(expected);
  });
});
