/** Button that copies the address of the page, with the state of the exploration. */
import { element, replace } from '../ui/dom.ts';

/**
 * Creates the button, and a place for the address where a browser permits no copies, as over plain
 * HTTP.
 *
 * @param announce Announces a text to screen readers.
 */
export function copyLink(announce: (text: string) => void): {
  readonly button: HTMLElement;
  readonly place: HTMLElement;
} {
  const place = element('div', {});
  const showAddress = () => {
    const field = element('input', { type: 'text', readonly: true, value: location.href });
    replace(place, element('label', { class: 'field' }, element('span', {}, 'Address'), field));
    field.select();
  };
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(location.href);
    } catch {
      // Without a secure origin there is no clipboard, and a user may have forbidden it.
      showAddress();
      return;
    }
    replace(place, element('p', { class: 'hint' }, 'The address was copied.'));
    announce('The address was copied');
  };
  return { button: element('button', { type: 'button', onclick: copy }, 'Copy link'), place };
}
