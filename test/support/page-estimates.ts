/** Code of the page that estimates, as a script of its own that tests load into a browser. */
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { buildScripts } from '../../services/coordinator/src/http/dashboard/page-scripts.ts';

/** Address at which {@link serveEstimates} serves the script. */
export const ESTIMATES_PATH = '/dashboard/scripts/estimates.js';

/** Lets a page import {@link ESTIMATES_PATH}. The service itself only has whole pages. */
export async function serveEstimates(page: Page): Promise<void> {
  const entry = fileURLToPath(new URL('./estimates.ts', import.meta.url));
  const [code] = (await buildScripts([entry])).filter(({ path }) => path.endsWith('.js'));
  await page.route(`**${ESTIMATES_PATH}`, (route) =>
    route.fulfill({ contentType: 'text/javascript', body: code!.text }),
  );
}
