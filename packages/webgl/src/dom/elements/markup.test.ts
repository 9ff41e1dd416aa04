import { expect, it, vi } from 'vitest';
import { CanvasElement } from './canvas-element.ts';
import { Document } from './document.ts';

it('creates elements from markup', () => {
  const document = new Document();
  document.body.innerHTML = `an <b class=x>image</b>:<br> <canvas id="one" width=3 height=4></canvas><!-- no --> end`;
  const canvas = document.getElementById('one');
  expect(canvas).toBeInstanceOf(CanvasElement);
  expect((canvas as CanvasElement).width).toBe(3);
  expect(document.querySelector('.x')?.textContent).toBe('image');
  expect(document.body.textContent).toBe('an image:  end');
  expect(document.body.children.map(({ tagName }) => tagName)).toEqual(['B', 'BR', 'CANVAS']);
});

it('formats elements as markup', () => {
  const element = new Document().createElement('p');
  element.textContent = 'a < b & c';
  expect(element.innerHTML).toBe('a &lt; b &amp; c');
  element.innerHTML += '<i title="&quot;">d</i>';
  expect(element.textContent).toBe('a < b & cd');
  expect(element.innerHTML).toBe('a &lt; b &amp; c<i title="&quot;">d</i>');
});

it('ignores end tags without a start tag', () => {
  const element = new Document().createElement('p');
  element.innerHTML = '</div><i>a</b></i>c';
  expect(element.innerHTML).toBe('<i>a</i>c');
});

it('does not run or parse scripts in markup', () => {
  const runScript = vi.fn();
  const document = new Document({ runScript });
  document.body.innerHTML = '<script id="s">if (a < b && c) d("<i>")</script>';
  expect(runScript).not.toHaveBeenCalled();
  expect(document.getElementById('s')?.textContent).toBe('if (a < b && c) d("<i>")');
});
