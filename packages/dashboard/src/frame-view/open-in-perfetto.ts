/**
 * Opens a timeline in Perfetto's page, in another window. Its scripts come from its own server, and
 * the timeline goes from window to window (https://perfetto.dev, "Deep linking to the Perfetto
 * UI").
 */
import { send } from '../api/requests.ts';
import { element, replace } from '../ui/dom.ts';
import { type PageContext, showingProblems } from '../ui/page.ts';

const ORIGIN = 'https://ui.perfetto.dev';
const ASK_EVERY_MS = 100;
const WAIT_MS = 30_000;

/** Creates the button. Nothing of Perfetto is loaded before it is pressed. */
export function perfettoButton(
  { signal }: PageContext,
  title: string,
  timelinePath: string,
): HTMLElement {
  const message = element('p', { class: 'hint', role: 'status' });
  const open = () =>
    showingProblems(message, async () => {
      // Opened at once, because browsers block windows that a click does not open.
      const other = window.open(ORIGIN);
      if (other === null) throw new Error('the browser blocked the window of Perfetto');
      replace(message, 'Waiting for Perfetto …');
      const buffer = await (await send(timelinePath, { signal })).arrayBuffer();
      await whenReady(other, signal);
      other.postMessage({ perfetto: { buffer, title, fileName: `${title}.json` } }, ORIGIN);
      replace(message, 'Perfetto has the timeline.');
    });
  return element(
    'div',
    {},
    element('button', { type: 'button', onclick: open }, 'Open the timeline in Perfetto'),
    element(
      'p',
      { class: 'hint' },
      'Loads ui.perfetto.dev, a page that is not part of Tessera. The timeline stays in this browser.',
    ),
    message,
  );
}

/** Asks the window until it answers, as Perfetto's protocol requires. */
async function whenReady(other: Window, signal: AbortSignal): Promise<void> {
  const answered = Promise.withResolvers<void>();
  const listen = ({ source, origin, data }: MessageEvent) => {
    if (source === other && origin === ORIGIN && data === 'PONG') answered.resolve();
  };
  addEventListener('message', listen);
  const asking = setInterval(() => other.postMessage('PING', ORIGIN), ASK_EVERY_MS);
  const error = new Error('Perfetto does not answer; download the timeline instead');
  const waiting = setTimeout(() => answered.reject(error), WAIT_MS);
  signal.addEventListener('abort', () => answered.reject(signal.reason), { once: true });
  try {
    await answered.promise;
  } finally {
    removeEventListener('message', listen);
    clearInterval(asking);
    clearTimeout(waiting);
  }
}
