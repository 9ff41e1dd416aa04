/** How a chiplet's health check learns whether the coordinator counts on the chiplet. */
import { hostname } from 'node:os';

export { readChipletAccess } from './environment/chiplet-access.ts';

/** Path of the WebSocket on which chiplets register with the coordinator. */
export const CHIPLET_ENDPOINT_PATH = '/chiplets';
const ANSWER_WITHIN_MS = 3000;

/** Name of a chiplet process, unique on the network. */
export function processInstance(): string {
  return `${hostname()}/${process.pid}`;
}

/**
 * Whether a chiplet process of this host is registered and ready.
 *
 * @param coordinatorUrl The WebSocket address that the chiplet registers at.
 * @param role What the chiplet is registered as.
 * @param secret Shown to the coordinator; `null` for none.
 * @throws {Error} If the coordinator cannot be asked.
 */
export async function isChipletReady(
  coordinatorUrl: string,
  role: 'visibility' | 'worker',
  secret: string | null,
): Promise<boolean> {
  const url = new URL('/v1/chiplets', coordinatorUrl.replace(/^ws/, 'http'));
  const headers: Record<string, string> =
    secret === null ? {} : { Authorization: `Bearer ${secret}` };
  const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
  const response = await fetch(url, { headers, signal });
  if (!response.ok) throw new Error(`${url} answers ${response.status}`);
  const { chiplets } = (await response.json()) as {
    chiplets: { role: string; instance: string; isReady: boolean }[];
  };
  return chiplets.some(
    (chiplet) =>
      chiplet.role === role && chiplet.isReady && chiplet.instance.startsWith(`${hostname()}/`),
  );
}
