/** The first page: post a model, see the state of every chiplet, find frames. */

import { chipletTable } from '../overview/chiplet-table.ts';
import { exampleFrames } from '../overview/example-frames.ts';
import { FrameListView } from '../overview/frame-list.ts';
import { framePanel } from '../post/frame-panel.ts';
import { element } from '../ui/dom.ts';
import { documentLinks, type PageContext, section } from '../ui/page.ts';

/** Shows the overview. */
export function overviewPage(context: PageContext): void {
  const frames = new FrameListView(context);
  context.root.append(
    element('h1', {}, 'Overview'),
    element(
      'p',
      {},
      'Tessera renders models and captures on a simulated GPU of several chiplets. A frame has an image, and a report of the work and the cycles of each chiplet.',
    ),
    documentLinks(
      ['Tutorial', 'tutorial.md'],
      ['Use the dashboard', 'how-to/use-the-dashboard.md'],
      ['Glossary', 'glossary.md'],
      ['All documents', 'README.md'],
    ),
    exampleFrames(context),
    element(
      'div',
      { class: 'side-by-side' },
      section('Render', framePanel(context)),
      section('Queue and chiplets', chipletTable(context)),
    ),
    section('Frames', frames.root),
  );
}
