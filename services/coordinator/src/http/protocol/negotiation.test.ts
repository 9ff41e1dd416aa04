import { describe, expect, it } from 'vitest';
import { chooseMediaType, isNotModified, waitSeconds } from './negotiation.ts';

const OFFERED = ['application/json', 'image/png'] as const;

describe('chooseMediaType', () => {
  it.each([
    [undefined, 'application/json'],
    ['*/*', 'application/json'],
    ['image/png', 'image/png'],
    ['image/*', 'image/png'],
    ['IMAGE/PNG; q=0.5', 'image/png'],
    ['image/png, application/json', 'application/json'],
    ['image/png, application/json;q=0.9', 'image/png'],
    ['*/*;q=0.1, application/json;q=0', 'image/png'],
    ['text/html, image/avif, */*;q=0.8', 'application/json'],
  ])('for %s gives %s', (accept, chosen) => {
    expect(chooseMediaType(accept, OFFERED)).toBe(chosen);
  });

  it.each(['text/html', 'image/webp, text/*', 'image/png;q=0', 'nonsense', 'image/png;q=x'])(
    'refuses %s',
    (accept) => {
      expect(() => chooseMediaType(accept, OFFERED)).toThrow('accepts none of');
    },
  );
});

describe('waitSeconds', () => {
  it.each([
    [undefined, 0],
    ['wait=10', 10],
    ['respond-async, wait=5', 5],
    ['respond-async; WAIT = "7"', 7],
    ['wait=100000', 300],
    ['wait=-1', 0],
    ['await=3', 0],
  ])('of %s is %i', (prefer, seconds) => {
    expect(waitSeconds(prefer)).toBe(seconds);
  });
});

describe('isNotModified', () => {
  it.each([
    ['"abc"', true],
    ['W/"abc"', true],
    ['"x", "abc"', true],
    ['*', true],
    ['"x"', false],
    [undefined, false],
  ])('for %s is %s', (ifNoneMatch, expected) => {
    expect(isNotModified(ifNoneMatch, '"abc"')).toBe(expected);
  });
});
