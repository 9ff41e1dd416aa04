import { describe, expect, it } from 'vitest';
import { ProgressBar, withProgress } from './progress-bar.ts';

function makeOutput(isTTY: boolean) {
  const written: string[] = [];
  return { isTTY, written, write: (text: string) => written.push(text) };
}

describe('ProgressBar', () => {
  it('writes nothing without a terminal', () => {
    const output = makeOutput(false);
    const bar = new ProgressBar(output, () => 0);
    bar.update(1, 2, 'bins');
    bar.end();
    expect(output.written).toEqual([]);
  });

  it('shows the progress, and disappears', () => {
    const output = makeOutput(true);
    const bar = new ProgressBar(output, () => 0);
    bar.update(6, 12, 'bins');
    expect(output.written[0]).toBe(`\r\u001b[2K${'█'.repeat(12)}${'░'.repeat(12)} 6/12 bins`);
    bar.end();
    bar.end();
    expect(output.written.slice(1)).toEqual(['\r\u001b[2K']);
  });

  it('is drawn at a limited rate, and always at the end', () => {
    const output = makeOutput(true);
    let nowMs = 0;
    const bar = new ProgressBar(output, () => nowMs);
    for (let done = 1; done <= 100; done++, nowMs += 10) bar.update(done, 100, '');
    expect(output.written.length).toBeLessThan(25);
    expect(output.written.at(-1)).toContain(' 100/100 ');
  });

  it('yields items, and disappears when the loop is left', () => {
    const output = makeOutput(true);
    const bar = new ProgressBar(output, () => 0);
    const seen: string[] = [];
    for (const item of withProgress(['a', 'b', 'c'], (name) => `scene ${name}`, bar)) {
      seen.push(item);
      if (item === 'b') break;
    }
    expect(seen).toEqual(['a', 'b']);
    expect(output.written[0]).toContain('0/3 scene a');
    expect(output.written.at(-1)).toBe('\r\u001b[2K');
  });
});
