import { describe, expect, it } from 'vitest';
import { errorOf } from './boss-queue.ts';

describe('errorOf', () => {
  it('makes an error of a copy of its properties', () => {
    const error = Object.assign(new Error('connection refused'), { code: 'ECONNREFUSED' });
    expect(errorOf(error)).toBe(error);
    const { message, stack } = error;
    const made = errorOf({ ...error, message, stack });
    expect(made).toBeInstanceOf(Error);
    expect(made).toMatchObject({ message, stack, code: 'ECONNREFUSED' });
  });
});
