import { describe, expect, it } from 'vitest';
import { Document } from './document.ts';

const document = new Document({ createContext: () => null });
document.body.innerHTML =
  '<div id="map" class="view wide"><p><span data-kind="title big">a</span></p></div><span>b</span>';
const textOf = (selector: string) =>
  document.querySelectorAll(selector).map(({ textContent }) => textContent);

describe('selectors', () => {
  it.each([
    ['span', ['a', 'b']],
    ['html', ['ab']],
    ['#map', ['a']],
    ['div.view.wide', ['a']],
    ['div.narrow', []],
    ['div span', ['a']],
    ['div > span', []],
    ['div > p > span', ['a']],
    ['body > span, p', ['a', 'b']],
    ['[data-kind]', ['a']],
    ['span[data-kind="title big"]', ['a']],
    ['[data-kind~=big]', ['a']],
    ["[data-kind^='big']", []],
  ])('%s', (selector, texts) => {
    expect(textOf(selector)).toEqual(texts);
  });

  it('find the nearest element upwards', () => {
    const span = document.querySelector('p > span')!;
    expect(span.closest('span')).toBe(span);
    expect(span.closest('.view')?.id).toBe('map');
    expect(span.closest('section')).toBeNull();
    expect(span.matches('div *')).toBe(true);
  });

  it.each(['span:hover', 'div >', '', 'p + p'])('reject %j', (selector) => {
    expect(() => document.querySelector(selector)).toThrow('is not a supported selector');
  });
});
