/** Groups of check boxes. */
import { element } from './dom.ts';

/** Creates a group of check boxes. */
export function checkBoxes(
  legend: string,
  choices: readonly (readonly [value: string, label: string])[],
  checked: readonly string[],
): { readonly root: HTMLElement; readonly chosen: () => string[] } {
  const boxes = choices.map(([value]) =>
    element('input', { type: 'checkbox', value, checked: checked.includes(value) }),
  );
  const labels = choices.map(([, label], index) =>
    element('label', { class: 'choice' }, boxes[index]!, label),
  );
  return {
    root: element('fieldset', { class: 'boxes' }, element('legend', {}, legend), ...labels),
    chosen: () => boxes.filter((box) => box.checked).map(({ value }) => value),
  };
}
