/** Button that copies the address of a part of a page with its state. */
import { element, replace } from './dom.ts';

/**
 * Creates the button, and a place for the address where a browser permits no copies, as over plain
 * HTTP.
 *
 * @param announce Announces a text to screen readers.
 * @param addressOf Returns the address within this site.
 */
export function copyLink(
  announce: (text: string) => void,
  addressOf: () => string,
): {
  readonly button: HTMLElement;
  readonly place: HTMLElement;
} {
  const close = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    replace(place);
    button.focus();
  };
  const place = element('div', { onkeydown: close });
  const showAddress = (address: string) => {
    const field = element('input', { type: 'text', readonly: true, value: address });
    replace(place, element('label', { class: 'field' }, element('span', {}, 'Address'), field));
    field.select();
  };
  const copy = async () => {
    const address = new URL(addressOf(), location.href).href;
    try {
      await navigator.clipboard.writeText(address);
    } catch {
      // Without a secure origin there is no clipboard, and a user may have forbidden it.
      showAddress(address);
      return;
    }
    replace(place, element('p', { class: 'hint' }, 'The address was copied.'));
    announce('The address was copied');
  };
  const button = element('button', { type: 'button', onclick: copy }, 'Copy link');
  return { button, place };
}
