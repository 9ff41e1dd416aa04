/** Health check of a chiplet process, answered by the coordinator. */
import { hostname } from 'node:os';
import { type ChipletAccessVariables, readChipletAccess } from './environment/chiplet-access.ts';

/** Path of the WebSocket where chiplets register with the coordinator. */
export const CHIPLET_ENDPOINT_PATH = '/chiplets';
const ANSWER_WITHIN_MS = 3000;

/** Returns the name of a chiplet process, unique on the network. */
export function processInstance(): string {
  return `${hostname()}/${process.pid}`;
}

/**
 * Runs the health check of a service. Sets the exit status of this process to 0 if the chiplet is
 * ready; otherwise prints the problem and sets it to 1.
 *
 * @param service Name of the service, for the message.
 * @param role Role that the chiplet registers with.
 */
export async function runHealthcheck(
  service: string,
  role: 'visibility' | 'worker',
  config: ChipletAccessVariables & { readonly TESSERA_COORDINATOR_URL: string },
): Promise<void> {
  let problem: string | null = null;
  try {
    const secret = readChipletAccess(config);
    const isReady = await isChipletReady(config.TESSERA_COORDINATOR_URL, role, secret);
    if (!isReady) problem = 'not ready';
  } catch (error) {
    problem = (error as Error).message;
  }
  if (problem !== null) process.stderr.write(`${service}: ${problem}\n`);
  process.exitCode = problem === null ? 0 : 1;
}

/**
 * Returns whether a chiplet process of this host is registered and ready.
 *
 * @param coordinatorUrl WebSocket address at which the chiplet registers.
 * @param role Role that the chiplet registers with.
 * @param secret Secret sent to the coordinator; `null` for none.
 * @throws {Error} If the coordinator does not respond with a list of chiplets.
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
  if (!response.ok) throw new Error(`${url} responded with status ${response.status}`);
  const { chiplets } = (await response.json()) as {
    chiplets: { role: string; instance: string; isReady: boolean }[];
  };
  return chiplets.some(
    (chiplet) =>
      chiplet.role === role && chiplet.isReady && chiplet.instance.startsWith(`${hostname()}/`),
  );
}
