import { chipletColor, cssColor, textColorOn } from '@tessera/plot/colors';
import { element } from './dom.ts';

/** Creates a mark with the number of a chiplet in its color. */
export function chipletMark(chiplet: number): HTMLElement {
  const mark = element('span', { class: 'chiplet-mark' }, chiplet);
  const color = chipletColor(chiplet);
  mark.style.backgroundColor = cssColor(color);
  mark.style.color = textColorOn(color);
  return mark;
}
