/** The number of a chiplet in its colour. */
import { chipletColor, cssColor, textColorOn } from './colors.ts';
import { element } from './dom.ts';

export function chipletMark(chiplet: number): HTMLElement {
  const mark = element('span', { class: 'chiplet-mark' }, chiplet);
  const color = chipletColor(chiplet);
  mark.style.backgroundColor = cssColor(color);
  mark.style.color = textColorOn(color);
  return mark;
}
