import { describe, expect, it } from 'vitest';
import { Document } from './document.ts';

const document = new Document({ createContext: () => null, pageSize: { width: 640, height: 360 } });

/** Returns the size of an element with a style, in a container of a style. */
function sizeOf(name: string, style: object, containerStyle: object = {}): number[] {
  const container = document.body.appendChild(document.createElement('div'));
  Object.assign(container.style, containerStyle);
  const element = container.appendChild(document.createElement(name));
  Object.assign(element.style, style);
  return [element.clientWidth, element.clientHeight];
}

describe('sizes of elements', () => {
  it('are those of the page for the root and the body', () => {
    const { documentElement, body } = document;
    expect([documentElement.clientWidth, body.clientHeight]).toEqual([640, 360]);
  });

  it.each([
    ['div', {}, {}, [640, 0]],
    ['canvas', {}, {}, [300, 150]],
    ['canvas', { width: '20px', height: '10px' }, {}, [20, 10]],
    ['canvas', { width: '100%', height: '100%' }, {}, [640, 360]],
    ['canvas', { width: '50%' }, { width: '200px', height: '80px' }, [100, 150]],
    ['canvas', { width: '50%', height: '50%' }, { width: '200px', height: '80px' }, [100, 40]],
    ['div', { width: '10vw', height: '50vh' }, { width: '200px' }, [64, 180]],
    ['canvas', { width: '3em' }, {}, [300, 150]],
  ])('%s with %j in %j', (name, style, container, size) => {
    expect(sizeOf(name, style, container)).toEqual(size);
  });

  it('are those of bounding rectangles', () => {
    const canvas = document.createElement('canvas');
    canvas.style.width = '100%';
    const rectangle = { left: 0, top: 0, right: 640, bottom: 150, width: 640, height: 150 };
    expect(canvas.getBoundingClientRect()).toMatchObject(rectangle);
  });
});
