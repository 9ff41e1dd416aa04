/** Request of /livez for threads and processes that measure a service beside its clients. */
import { Agent, get } from 'node:http';

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** Resolves to the status of the answer when all of it has arrived. @throws {Error} Without one. */
export function askLive(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get(`${url}/livez`, { agent }, (response) => {
      response.once('error', reject);
      response.resume().once('end', () => resolve(response.statusCode!));
    }).once('error', reject);
  });
}
