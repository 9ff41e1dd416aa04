import { describe, expect, it } from 'vitest';
import {
  compareHref,
  documentHref,
  frameHref,
  parseQuery,
  parseRoute,
  sequenceHref,
  studyHref,
} from './routes.ts';

describe('parseRoute', () => {
  it.each([
    ['', { page: 'overview' }],
    ['#/', { page: 'overview' }],
    [frameHref('a b/c'), { page: 'frame', id: 'a b/c' }],
    [compareHref('x', 'y'), { page: 'compare', a: 'x', b: 'y' }],
    ['#/studies', { page: 'studies' }],
    [studyHref('s'), { page: 'study', id: 's' }],
    ['#/sequences', { page: 'sequences' }],
    [sequenceHref('q'), { page: 'sequence', id: 'q' }],
    ['#/counters', { page: 'counters' }],
    ['#/docs', { page: 'document', path: 'README.md', anchor: '' }],
    [documentHref('a/b.md', 'c-d'), { page: 'document', path: 'a/b.md', anchor: 'c-d' }],
    ['#/compare/x', { page: 'unknown', hash: '#/compare/x' }],
    ['#/frames/f?chiplets=8&policy=a/b', { page: 'frame', id: 'f' }],
    ['#/frames/%zz', { page: 'frame', id: '%zz' }],
  ])('reads %j', (hash, route) => {
    expect(parseRoute(hash)).toEqual(route);
  });
});

describe('parseQuery', () => {
  it('reads the state of a page', () => {
    expect([...parseQuery('#/frames/f?chiplets=8&x=a%2Fb')]).toEqual([
      ['chiplets', '8'],
      ['x', 'a/b'],
    ]);
    expect([...parseQuery('#/frames/f')]).toEqual([]);
  });
});
