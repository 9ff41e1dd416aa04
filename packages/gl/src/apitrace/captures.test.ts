import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { listShaders } from './list-shaders.ts';
import { listCaptures, readCapture } from './testing/captures.ts';
import { readTrace } from './trace-reader.ts';

const captures = listCaptures();

describe.skipIf(captures.length === 0)('recorded captures', () => {
  it.each(captures.length === 0 ? ['none'] : captures)(
    '%s holds the calls and shaders of its inventory',
    (name) => {
      const { file, inventory } = readCapture(name);
      const calls = [...readTrace(file)];
      const counts: Record<string, number> = {};
      for (const call of calls) counts[call.name] = (counts[call.name] ?? 0) + 1;
      expect(calls).toHaveLength(inventory.total_calls);
      expect(counts).toEqual(inventory.functions);
      const ids = listShaders(calls).shaders.map((shader) =>
        createHash('sha1').update(shader.source).digest('hex').slice(0, 12),
      );
      expect(ids.sort()).toEqual(inventory.shaders.map((shader) => shader.id).sort());
    },
  );
});
