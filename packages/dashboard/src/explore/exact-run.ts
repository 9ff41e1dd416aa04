/** The button that runs the explored GPU exactly and shows how far the estimate was off. */
import { getJson, postJson } from '../api/requests.ts';
import type { FrameStatus, Report } from '../api/types.ts';
import { followFrame } from '../frame-view/follow-frame.ts';
import { element, replace } from '../ui/dom.ts';
import { type PageContext, problemBox, showingProblems } from '../ui/page.ts';
import { frameHref } from '../ui/routes.ts';
import { estimateFrame, type Measurement } from './estimate-frame.ts';
import { differenceTable, figuresOfReport } from './exact-figures.ts';
import { describeSettings, type ExploreSettings, settingsQuery } from './explore-settings.ts';

/** Returns the query of `POST /v1/frames/{id}/again` for an exact run of one frame. */
export function exactQuery(settings: ExploreSettings): URLSearchParams {
  const query = settingsQuery(settings);
  query.delete('frames');
  query.set('timing', 'cycle');
  query.set('coupling', 'exact');
  query.set('placement', 'replicated');
  return query;
}

/** Creates the button and the place of its result. */
export function exactRun(
  { live, signal, announce }: PageContext,
  status: FrameStatus,
  measurement: Measurement,
  settings: () => ExploreSettings,
): { readonly button: HTMLElement; readonly result: HTMLElement } {
  const result = element('div', {});
  const run = async () => {
    const asked: ExploreSettings = { ...settings(), frames: 1 };
    const described = describeSettings(asked);
    replace(result, element('p', { role: 'status' }, `Running one frame exactly: ${described} …`));
    const path = `${status.links.self}/again?${exactQuery(asked)}`;
    const posted = await postJson<FrameStatus>(path);
    const over = await followFrame({ id: posted.id, live, signal });
    if (over.error !== null) {
      const { code, message } = over.error;
      replace(result, problemBox({ code, title: '', detail: message, status: 0 }));
      return;
    }
    const report = await getJson<Report>(over.links.report, signal);
    const { figures } = estimateFrame(measurement, asked);
    replace(
      result,
      element(
        'p',
        {},
        `One frame, ${described}. Exact run: `,
        element('a', { href: frameHref(over.id) }, 'its page'),
        '.',
      ),
      differenceTable(figures, figuresOfReport(report)),
      gridNote(report, measurement),
    );
    announce('The exact run is finished');
  };
  const button = element('button', { type: 'button' }, 'Run exactly');
  button.addEventListener('click', () => {
    button.disabled = true;
    showingProblems(result, async () => {
      try {
        await run();
      } finally {
        button.disabled = false;
      }
    });
  });
  return { button, result };
}

/** Returns a note if the grid of bins depends on the number of chiplets, else null. */
function gridNote({ bins }: Report, { passes }: Measurement): HTMLElement | null {
  const binCount = passes.reduce((sum, pass) => sum + pass.bins.length, 0);
  if (bins.length === binCount) return null;
  const text = `The exact run has ${bins.length} bins and the estimate ${binCount}, because the grid of this frame depends on the number of chiplets.`;
  return element('p', {}, text);
}
