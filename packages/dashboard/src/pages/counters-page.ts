/** The meaning of every counter, with links to documentation. */
import { getJson } from '../api/requests.ts';
import type { CounterEntry } from '../api/types.ts';
import { element, replace } from '../ui/dom.ts';
import { type PageContext, section } from '../ui/page.ts';

const LINKS: readonly (readonly [href: string, text: string, meaning: string])[] = [
  ['/docs', 'API documentation', 'every route, with requests to try'],
  ['/openapi.json', 'OpenAPI 3.1', 'the same in machine-readable form'],
  ['/v1/chiplets', 'Chiplets', 'all parameters of their specifications'],
  ['/v1/counters', 'Counters', 'this table as JSON'],
  ['/metrics', 'Metrics', 'metrics of the service, for Prometheus'],
];

/** Shows all counters. */
export async function countersPage({ root, signal }: PageContext): Promise<void> {
  const search = element('input', { type: 'search', placeholder: 'cache, quads, stalled …' });
  const place = element('div', {});
  root.append(
    element('h1', {}, 'Counters and documentation'),
    section(
      'Documentation',
      element(
        'ul',
        {},
        ...LINKS.map(([href, text, meaning]) =>
          element('li', {}, element('a', { href }, text), `: ${meaning}`),
        ),
      ),
    ),
    section(
      'Counters',
      element('div', { class: 'toolbar' }, element('label', {}, 'Search ', search)),
      place,
    ),
  );
  const { counters } = await getJson<{ counters: CounterEntry[] }>('/v1/counters', signal);
  const draw = () => {
    const words = search.value.trim().toLowerCase();
    const found = counters.filter(({ name, meaning }) =>
      `${name} ${meaning}`.toLowerCase().includes(words),
    );
    const units = Map.groupBy(found, ({ chipletUnit }) => chipletUnit);
    const parts = [...units].flatMap(([unit, entries]) => [
      element('h3', {}, unit),
      element(
        'dl',
        { class: 'counters' },
        ...entries.flatMap(({ name, unit: counted, meaning }) => [
          element('dt', {}, element('code', {}, name), ` ${counted}`),
          element('dd', {}, meaning),
        ]),
      ),
    ]);
    replace(place, ...(parts.length === 0 ? [element('p', {}, 'No counter matches.')] : parts));
  };
  search.addEventListener('input', draw);
  draw();
}
