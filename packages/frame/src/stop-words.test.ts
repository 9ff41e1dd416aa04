import { describe, expect, it } from 'vitest';
import { StopWords } from './stop-words.ts';

const CANCELLED = expect.objectContaining({ code: 'FRAME_CANCELLED' });

describe('StopWords', () => {
  it('stops the work in progress, seen through another view of the memory', () => {
    const worker = new StopWords();
    const main = new StopWords(worker.memory);
    expect(worker.isStopped()).toBe(false);
    worker.begin(7);
    expect(worker.isStopped()).toBe(false);
    main.stop(7);
    expect(worker.isStopped()).toBe(true);
    expect(() => worker.throwIfStopped()).toThrow(CANCELLED);
  });

  it('stops work before it starts, and again whenever it starts', () => {
    const words = new StopWords();
    words.stop(3);
    words.begin(2);
    expect(() => words.begin(3)).toThrow(CANCELLED);
    words.begin(4);
    expect(() => words.begin(3)).toThrow(CANCELLED);
  });

  it('leaves other work alone, before and after', () => {
    const words = new StopWords();
    words.begin(1);
    words.stop(2);
    words.stop(3);
    expect(words.isStopped()).toBe(false);
    words.stop(1);
    words.stop(4);
    expect(words.isStopped()).toBe(true);
    words.end();
    expect(words.isStopped()).toBe(false);
    words.begin(5);
    words.stop(1);
    expect(words.isStopped()).toBe(false);
  });
});
