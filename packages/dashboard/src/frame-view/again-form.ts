/**
 * The form «Render again with …»: renders the same model with other options and compares both
 * frames.
 */
import { getJson, postJson } from '../api/requests.ts';
import type { SpecEntry } from '../api/specs.ts';
import type { FrameStatus } from '../api/types.ts';
import { optionFields, RENDER_OPTIONS } from '../post/option-fields.ts';
import { element } from '../ui/dom.ts';
import { type PageContext, showingProblems } from '../ui/page.ts';
import { compareHref } from '../ui/routes.ts';

/** Creates the form. */
export function againForm({ signal }: PageContext, status: FrameStatus): HTMLElement {
  const place = element('div', {});
  const problem = element('div', {});
  const details = element(
    'details',
    { class: 'again' },
    element('summary', {}, 'Render again with …'),
    element('div', { class: 'card' }, place, problem),
  );
  let isFilled = false;
  details.addEventListener('toggle', () => {
    if (!details.open || isFilled) return;
    isFilled = true;
    showingProblems(place, async () => {
      const { spec: _spec, ...values } = status.options;
      const unchosenSpec = await specOf(status, signal);
      const fields = await optionFields({
        path: '/v1/frames/{id}/again',
        first: RENDER_OPTIONS,
        values,
        unchosenSpec,
        signal,
      });
      const button = element('button', { class: 'primary' }, 'Render and compare');
      const form = element('form', {}, fields.root, button);
      form.addEventListener('submit', (event) => {
        event.preventDefault();
        button.disabled = true;
        showingProblems(problem, async () => {
          const again = await postJson<FrameStatus>(`${status.links.self}/again?${fields.query()}`);
          location.hash = compareHref(status.id, again.id);
        }).finally(() => {
          button.disabled = false;
        });
      });
      place.replaceChildren(form);
    });
  });
  return details;
}

/**
 * Returns the specification of a frame, which may be none of the stored. Its values are known once
 * the frame has a report.
 */
async function specOf(
  { status, options, links }: FrameStatus,
  signal: AbortSignal,
): Promise<SpecEntry> {
  if (status !== 'done') return { name: options.spec, spec: { parameters: {} } };
  const { spec } = await getJson<{ readonly spec: SpecEntry['spec'] & { readonly name: string } }>(
    links.report,
    signal,
  );
  return { name: spec.name, spec };
}
