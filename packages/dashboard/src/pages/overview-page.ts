/** The first page: post a model, see what every chiplet does, find frames. */

import { chipletTable } from '../chiplet-table.ts';
import { element } from '../dom.ts';
import { type FrameListView, frameList } from '../frame-list.ts';
import { type PageContext, section } from '../page.ts';
import { postPanel } from '../post/post-panel.ts';
import { frameHref } from '../routes.ts';

export function overviewPage(context: PageContext): void {
  const frames: FrameListView = frameList(context);
  const panel = postPanel(context, (frame) => {
    location.hash = frameHref(frame.id);
  });
  context.root.append(
    element('h1', {}, 'Overview'),
    element(
      'div',
      { class: 'side-by-side' },
      section('Render', panel),
      section('Queue and chiplets', chipletTable(context)),
    ),
    section('Frames', frames.root),
  );
}
