import { describe, expect, it } from 'vitest';
import { GL } from '../api/constants.ts';
import type { Capabilities } from '../state/capabilities.ts';
import type { PrimitiveKind } from '../state/polygon-mode.ts';
import { refusePrimitives } from './refuse-primitives.ts';

function check(
  enabled: readonly number[],
  kinds: readonly PrimitiveKind[],
  change: { mode?: number; vertexCount?: number; isStippled?: boolean; sampleCount?: number } = {},
): () => void {
  const capabilities = { has: (one: number) => enabled.includes(one) } as Capabilities;
  const draw = { mode: GL.LINES, vertexCount: 6, isStippled: false, sampleCount: 1, ...change };
  return () => refusePrimitives(capabilities, { ...draw, rasterized: new Set(kinds) });
}

describe('primitives', () => {
  it('are drawn smooth with one sample per pixel only', () => {
    expect(check([GL.LINE_SMOOTH], ['lines'])).not.toThrow();
    expect(check([GL.LINE_SMOOTH], ['lines'], { sampleCount: 4 })).toThrow(/GL_LINE_SMOOTH/);
    expect(check([GL.POINT_SMOOTH], ['points'], { sampleCount: 4 })).toThrow(/GL_POINT_SMOOTH/);
    expect(check([GL.POINT_SMOOTH], ['lines'], { sampleCount: 4 })).not.toThrow();
  });

  it('are drawn with dashes if each line starts the pattern', () => {
    const dashes = (mode: number, vertexCount = 6) =>
      check([GL.LINE_STIPPLE], ['lines'], { mode, vertexCount, isStippled: true });
    expect(dashes(GL.LINES)).not.toThrow();
    expect(dashes(GL.LINE_STRIP, 2)).not.toThrow();
    for (const mode of [GL.LINE_STRIP, GL.LINE_LOOP, GL.TRIANGLES]) {
      expect(dashes(mode)).toThrow(/connected lines/);
    }
    const both = check([GL.LINE_STIPPLE, GL.LINE_SMOOTH], ['lines'], { isStippled: true });
    expect(both).toThrow(/GL_LINE_STIPPLE and GL_LINE_SMOOTH/);
  });

  it('of several kinds have no state that shaders apply to all of them', () => {
    expect(check([GL.LINE_SMOOTH], ['polygons', 'lines'])).not.toThrow();
    expect(check([GL.LINE_SMOOTH], ['points', 'lines'])).toThrow(/GL_LINE_SMOOTH/);
    expect(check([GL.POLYGON_STIPPLE], ['polygons', 'lines'])).toThrow(/GL_POLYGON_STIPPLE/);
    expect(check([GL.POLYGON_STIPPLE], ['polygons'])).not.toThrow();
  });
});
