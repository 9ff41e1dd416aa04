/** The first page: post a model, see the state of every chiplet, find frames. */

import type { FrameStatus } from '../api/types.ts';
import { chipletTable } from '../overview/chiplet-table.ts';
import { exampleFrames } from '../overview/example-frames.ts';
import { FrameListView } from '../overview/frame-list.ts';
import { postPanel } from '../post/post-panel.ts';
import { POSTED_ENDINGS } from '../post/posted-files.ts';
import { element } from '../ui/dom.ts';
import { documentLinks, type PageContext, section } from '../ui/page.ts';
import { frameHref } from '../ui/routes.ts';

/** Options of a frame that are visible at once. */
export const FIRST_OPTIONS = [
  'width',
  'height',
  'policy',
  'chiplets',
  'bins',
  'timing',
  'coupling',
  'visibility',
  'spec',
];

/** Shows the overview. */
export function overviewPage(context: PageContext): void {
  const frames = new FrameListView(context);
  const panel = postPanel<FrameStatus>(context, {
    path: '/v1/frames',
    firstOptions: FIRST_OPTIONS,
    invitation: [
      'Drop a model or capture here',
      'or choose a file: .glb, .gltf with its files, .trace, a native frame',
    ],
    endings: POSTED_ENDINGS,
    onPosted: ({ id }) => {
      location.hash = frameHref(id);
    },
  });
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
      section('Render', panel),
      section('Queue and chiplets', chipletTable(context)),
    ),
    section('Frames', frames.root),
  );
}
