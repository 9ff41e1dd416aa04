/**
 * Signing in, where the service asks for a token: a form in place of the page. The service answers with a cookie that
 * scripts cannot read and that pictures, downloads and the stream of events are asked for with; the token itself is
 * kept nowhere.
 */
import { getJson, ProblemError, postWithoutAnswer } from './api/requests.ts';
import { element } from './dom.ts';
import { problemBox } from './page.ts';

interface Session {
  readonly isRequired: boolean;
  readonly isSignedIn: boolean;
}

/** Resolves when requests will not lack a token; until then `place` has the form. */
export async function requireSession(place: HTMLElement): Promise<void> {
  const session = await getJson<Session>('/v1/session').catch((error: unknown) => {
    // What is shown next says that the service does not answer.
    if (error instanceof ProblemError) return null;
    throw error;
  });
  if (session === null || !session.isRequired || session.isSignedIn) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const input = element('input', {
    type: 'password',
    id: 'token',
    autocomplete: 'current-password',
    required: '',
  });
  const refusal = element('div', {});
  const form = element(
    'form',
    { class: 'page sign-in' },
    element('h1', {}, 'Sign in'),
    element('p', {}, 'This service asks for a token (TESSERA_HTTP_TOKENS).'),
    element('p', {}, element('label', { for: 'token' }, 'Token '), input),
    element('p', {}, element('button', { type: 'submit' }, 'Sign in')),
    refusal,
  );
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    refusal.replaceChildren();
    try {
      await postWithoutAnswer('/v1/session', { token: (input as HTMLInputElement).value });
      resolve();
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      refusal.append(problemBox(error.problem));
    }
  });
  place.replaceChildren(form);
  input.focus();
  await promise;
}
