import { expect, it } from 'vitest';
import { Document } from './document.ts';

it('has declarations as properties, by both kinds of names', () => {
  const { style } = new Document().createElement('div');
  style.setProperty('margin-left', '3px');
  style.setProperty('--width', 7);
  expect(style.marginLeft).toBe('3px');
  expect(style.getPropertyValue('margin-left')).toBe('3px');
  expect(style.getPropertyValue('--width')).toBe('7');
  expect(style['margin-left']).toBe('3px');
  expect(style.marginRight).toBe('');
  expect(style.webkitTransform).toBeUndefined();
  style.marginLeft = '4px';
  expect(style.removeProperty('margin-left')).toBe('4px');
  expect(style.getPropertyValue('margin-left')).toBe('');
  style.setProperty('--width', '');
  expect(style.cssText).toBe('');
});

it('parses and formats declarations', () => {
  const { style } = new Document().createElement('div');
  style.color = 'red';
  style.cssText = 'z-index: 2; width:50% !important; background: url("a;b.png") #fff';
  expect(style.color).toBe('');
  expect(style.zIndex).toBe('2');
  expect(style.cssText).toBe('z-index: 2; width: 50%; background: url("a;b.png") #fff;');
});

it('is the style attribute of the element', () => {
  const document = new Document({ pageSize: { width: 200, height: 100 } });
  document.body.innerHTML = '<div style="width: 50%; height: 10vh"></div>';
  const element = document.querySelector('div')!;
  expect([element.clientWidth, element.clientHeight]).toEqual([100, 10]);
  element.style.width = '25%';
  expect(element.clientWidth).toBe(50);
  expect(element.getAttribute('style')).toBe('width: 25%; height: 10vh;');
  expect(element.hasAttribute('style')).toBe(true);
  Object.assign(element, { style: 'height: 20px' });
  expect([element.clientWidth, element.clientHeight]).toEqual([200, 20]);
  element.removeAttribute('style');
  expect(element.clientHeight).toBe(0);
  expect(element.hasAttribute('style')).toBe(false);
  expect(element.getAttribute('style')).toBeNull();
});
