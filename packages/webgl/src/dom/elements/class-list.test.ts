import { expect, it } from 'vitest';
import { Document } from './document.ts';

it('lists the class names of an element, each once', () => {
  const element = new Document().createElement('div');
  element.className = ' one  two one ';
  expect([...element.classList]).toEqual(['one', 'two']);
  element.classList.add('three', 'two');
  element.classList.remove('one', 'none');
  expect(element.className).toBe('two three');
  expect(element.classList.contains('three')).toBe(true);
  expect(element.classList.contains('one')).toBe(false);
});

it('toggles a name, or sets it as requested', () => {
  const { classList } = new Document().createElement('div');
  expect(classList.toggle('on')).toBe(true);
  expect(classList.toggle('on')).toBe(false);
  expect(classList.toggle('on', false)).toBe(false);
  expect(classList.length).toBe(0);
});
