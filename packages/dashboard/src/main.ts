/** The dashboard: finds the page of the address, keeps theme and connection. */
import { type ConnectionState, LiveService } from './api/live-service.ts';
import { element } from './dom.ts';
import { type Page, problemBox, showingProblems } from './page.ts';
import { comparePage } from './pages/compare-page.ts';
import { countersPage } from './pages/counters-page.ts';
import { framePage } from './pages/frame-page.ts';
import { overviewPage } from './pages/overview-page.ts';
import { studiesPage } from './pages/studies-page.ts';
import { studyPage } from './pages/study-page.ts';
import { parseRoute, type Route } from './routes.ts';
import { startTheme } from './theme.ts';

const main = requireElement('main');
const announcer = requireElement('#announcer');
const connection = requireElement('#connection');
const live = new LiveService('/v1/events');
let leave = new AbortController();

/** @throws {Error} If index.html has no such element. */
function requireElement(selector: string): HTMLElement {
  const found = document.querySelector<HTMLElement>(selector);
  if (found === null) throw new Error(`index.html: no ${selector}`);
  return found;
}

function announce(text: string): void {
  announcer.textContent = text;
}

function choosePage(route: Route): readonly [title: string, page: Page] {
  switch (route.page) {
    case 'overview':
      return ['Overview', overviewPage];
    case 'frame':
      return ['Frame', (context) => framePage(context, route.id)];
    case 'compare':
      return ['Compare', (context) => comparePage(context, route.a, route.b)];
    case 'studies':
      return ['Studies', studiesPage];
    case 'study':
      return ['Study', (context) => studyPage(context, route.id)];
    case 'counters':
      return ['Counters', countersPage];
    case 'unknown':
      return ['No such page', ({ root }) => root.append(noSuchPage(route.hash))];
  }
}

function noSuchPage(hash: string): HTMLElement {
  const detail = `the dashboard has no page ${hash}`;
  return problemBox({ code: 'NO SUCH PAGE', title: '', detail, status: 0 });
}

function showPage(isFirst: boolean): void {
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
  const context = { root, live, signal: leave.signal, announce };
  showingProblems(root, async () => page(context));
}

const CONNECTION_TEXTS: Readonly<Record<ConnectionState, string>> = {
  connecting: 'connecting …',
  open: 'live',
  lost: 'service gone, trying again …',
};

function showConnection(state: ConnectionState): void {
  connection.textContent = CONNECTION_TEXTS[state];
  connection.className = state;
}

startTheme(requireElement('#theme') as HTMLSelectElement);
live.on('connection', showConnection, new AbortController().signal);
addEventListener('hashchange', () => showPage(false));
// A file that misses the drop zone would replace the page.
addEventListener('dragover', (event) => event.preventDefault());
addEventListener('drop', (event) => event.preventDefault());
showPage(true);
