/**
 * Signing in, where the service asks for a token: a form in place of the page. The service answers with a cookie that
 * scripts cannot read and that pictures, downloads and the stream of events are asked for with; the token itself is
 * kept nowhere.
 */
import { signIn } from '../api/session.ts';
import { element } from './dom.ts';
import { problemBox, problemOfError } from './page.ts';

/** Shows the form; the page is loaded again when its token was right. */
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
      'This service asks for a token (',
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
