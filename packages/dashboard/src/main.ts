/** The dashboard: routes the address to a page, and manages theme, connection and session. */
import { type ConnectionState, LiveService } from './api/live-service.ts';
import { SIGNED_OUT_EVENT } from './api/requests.ts';
import { getSession, signOut } from './api/session.ts';
import { clusterPage } from './pages/cluster-page.ts';
import { comparePage } from './pages/compare-page.ts';
import { countersPage } from './pages/counters-page.ts';
import { documentPage } from './pages/document-page.ts';
import { framePage } from './pages/frame-page.ts';
import { overviewPage } from './pages/overview-page.ts';
import { sequencePage } from './pages/sequence-page.ts';
import { sequencesPage } from './pages/sequences-page.ts';
import { studiesPage } from './pages/studies-page.ts';
import { studyPage } from './pages/study-page.ts';
import { element } from './ui/dom.ts';
import { type Page, problemBox, showingProblems } from './ui/page.ts';
import { parseRoute, type Route } from './ui/routes.ts';
import { showSignIn } from './ui/sign-in.ts';
import { startTheme } from './ui/theme.ts';

const main = requireElement('main');
const isGateway = document.documentElement.dataset.role === 'gateway';
const announcer = requireElement('#announcer');
const connection = requireElement('#connection');
let live: LiveService | null = null;
let leave = new AbortController();

/**
 * Returns an element of index.html.
 *
 * @throws {Error} If it does not exist.
 */
function requireElement(selector: string): HTMLElement {
  const found = document.querySelector<HTMLElement>(selector);
  if (found === null) throw new Error(`index.html has no element ${selector}`);
  return found;
}

function announce(text: string): void {
  announcer.textContent = text;
}

function choosePage(route: Route): readonly [title: string, page: Page] {
  switch (route.page) {
    case 'overview':
      return isGateway ? ['Cluster', clusterPage] : ['Overview', overviewPage];
    case 'frame':
      return ['Frame', (context) => framePage(context, route.id)];
    case 'compare':
      return ['Compare', (context) => comparePage(context, route.a, route.b)];
    case 'studies':
      return ['Studies', studiesPage];
    case 'study':
      return ['Study', (context) => studyPage(context, route.id)];
    case 'sequences':
      return ['Sequences', sequencesPage];
    case 'sequence':
      return ['Sequence', (context) => sequencePage(context, route.id)];
    case 'counters':
      return ['Counters', countersPage];
    case 'document':
      return ['Documents', (context) => documentPage(context, route.path, route.anchor)];
    case 'unknown':
      return ['Page not found', ({ root }) => root.append(noSuchPage(route.hash))];
  }
}

function noSuchPage(hash: string): HTMLElement {
  const detail = `the dashboard has no page ${hash}`;
  return problemBox({ code: 'PAGE_NOT_FOUND', title: '', detail, status: 0 });
}

/** Adds a heading, and the way to a page with contents, to the problem of a whole page. */
function completeProblem(root: HTMLElement, title: string): void {
  root.prepend(element('h1', {}, title));
  root.append(element('a', { class: 'button', href: '#/' }, 'Overview'));
}

/** Closes the innermost opened details with the focus. */
function closeOnEscape({ key }: KeyboardEvent): void {
  const opened = document.activeElement?.closest<HTMLDetailsElement>('details[open]');
  if (key !== 'Escape' || !opened) return;
  opened.open = false;
  opened.querySelector('summary')!.focus();
}

function showPage(isFirst: boolean): void {
  if (live === null) return;
  leave.abort();
  leave = new AbortController();
  const route = parseRoute(location.hash);
  const [title, page] = choosePage(route);
  document.title = `${title} · Tessera`;
  const root = element('div', { class: `page ${route.page}` });
  main.replaceChildren(root);
  for (const link of document.querySelectorAll<HTMLAnchorElement>('nav a[data-page]')) {
    const isHere = link.dataset.page === route.page || link.dataset.page === `${route.page}s`;
    if (isHere) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  if (!isFirst) {
    main.focus();
    scrollTo(0, 0);
  }
  const context = { root, live, isGateway, signal: leave.signal, announce };
  showingProblems(root, async () => page(context)).then(() => {
    if (root.querySelector('h1') === null) completeProblem(root, title);
  });
}

const CONNECTION_TEXTS: Readonly<Record<ConnectionState, string>> = {
  connecting: 'connecting …',
  open: 'live',
  lost: 'service lost, reconnecting …',
};

function showConnection(state: ConnectionState): void {
  connection.textContent = CONNECTION_TEXTS[state];
  connection.className = state;
}

/** Shows the sign-in form instead of a page. */
function askForToken(): void {
  if (main.querySelector('.sign-in') !== null) return;
  leave.abort();
  live?.stop();
  live = null;
  connection.textContent = 'signed out';
  connection.className = 'connecting';
  document.title = 'Sign in · Tessera';
  showSignIn(main);
}

async function start(): Promise<void> {
  const { isRequired, isSignedIn } = await getSession();
  if (isRequired && !isSignedIn) {
    askForToken();
    return;
  }
  const signOutButton = requireElement('#sign-out');
  signOutButton.hidden = !isRequired;
  signOutButton.addEventListener('click', () => {
    showingProblems(main, async () => {
      await signOut();
      location.reload();
    });
  });
  live = new LiveService('/v1/events');
  live.on('connection', showConnection, new AbortController().signal);
  showPage(true);
}

startTheme(requireElement('#theme') as HTMLSelectElement);
addEventListener(SIGNED_OUT_EVENT, askForToken);
addEventListener('hashchange', () => showPage(false));
addEventListener('keydown', closeOnEscape);
// A file dropped outside the drop zone would replace the page.
addEventListener('dragover', (event) => event.preventDefault());
addEventListener('drop', (event) => event.preventDefault());
showingProblems(main, start);
