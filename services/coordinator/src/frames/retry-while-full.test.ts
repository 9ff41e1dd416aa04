import { RenderError } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { retryWhileFull } from './retry-while-full.ts';

const FULL = new RenderError('STORAGE_FULL', 'no space');

describe('retryWhileFull', () => {
  it('repeats a write until the disk has space', async () => {
    let fullCount = 0;
    let attempts = 0;
    const write = async () => {
      attempts++;
      if (attempts < 3) throw FULL;
      return 'written';
    };
    const { signal } = new AbortController();
    const written = retryWhileFull(write, { signal, retryMs: 1, onFull: () => fullCount++ });
    expect(await written).toBe('written');
    expect(fullCount).toBe(2);
  });

  it('throws other failures at once', async () => {
    const { signal } = new AbortController();
    const write = () => Promise.reject(new Error('a bug'));
    await expect(retryWhileFull(write, { signal, onFull: () => {} })).rejects.toThrow('a bug');
  });

  it('tries once more when the service stops, then throws', async () => {
    const stopping = new AbortController();
    let attempts = 0;
    const write = () => {
      attempts++;
      return Promise.reject(FULL);
    };
    const options = { signal: stopping.signal, retryMs: 60_000, onFull: () => stopping.abort() };
    await expect(retryWhileFull(write, options)).rejects.toBe(FULL);
    expect(attempts).toBe(2);
  });
});
