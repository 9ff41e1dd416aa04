/**
 * Sign-in form, shown instead of a page if the service requires a token. The service answers with a
 * cookie that scripts cannot read and that the browser sends with requests for images, downloads
 * and the event stream. The token itself is not stored.
 */
import { signIn } from '../api/session.ts';
import { element } from './dom.ts';
import { problemBox, problemOfError } from './page.ts';

/** Shows the form. Reloads the page after a successful sign-in. */
export function showSignIn(place: HTMLElement): void {
  const input = element('input', {
    type: 'password',
    id: 'token',
    autocomplete: 'current-password',
    required: true,
  });
  const refusal = element('div');
  const form = element(
    'form',
    { class: 'page sign-in' },
    element('h1', {}, 'Sign in'),
    element(
      'p',
      {},
      'This service requires a token (',
      element('code', {}, 'TESSERA_HTTP_TOKENS'),
      ').',
    ),
    element('p', {}, element('label', { for: 'token' }, 'Token '), input),
    element('p', {}, element('button', { type: 'submit' }, 'Sign in')),
    refusal,
  );
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    refusal.replaceChildren();
    try {
      await signIn(input.value);
      location.reload();
    } catch (error) {
      refusal.append(problemBox(problemOfError(error)));
    }
  });
  place.replaceChildren(form);
  input.focus();
}
