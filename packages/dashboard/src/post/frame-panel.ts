/** Drop zone and file picker that post a frame and show its page. */
import type { FrameStatus } from '../api/types.ts';
import type { PageContext } from '../ui/page.ts';
import { frameHref } from '../ui/routes.ts';
import { RENDER_OPTIONS } from './option-fields.ts';
import { postPanel } from './post-panel.ts';
import { POSTED_ENDINGS } from './posted-files.ts';

/** Options of a frame that are visible at once. */
const FIRST_OPTIONS = ['width', 'height', 'quality', ...RENDER_OPTIONS];

/** Creates the panel. */
export function framePanel(context: PageContext): HTMLElement {
  return postPanel<FrameStatus>(context, {
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
}
