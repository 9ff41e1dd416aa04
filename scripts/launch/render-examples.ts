/** Renders the examples of `npm start` at the first start with a data folder. */
import { createHash } from 'node:crypto';
import { EXAMPLES, type Example } from './examples/examples.ts';

/** Address of a service, and headers of every request. */
interface RenderingService {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

const WAIT_SECONDS = 60;
/**
 * Options of all examples. Without coupling, the measured cycles of their bins let the dashboard
 * estimate any number of chiplets.
 */
const OPTIONS = 'coupling=none&tags=example';

/**
 * Renders the examples, one after another, and yields the paths of their images. A service that has
 * rendered an example returns the same frame.
 *
 * @throws {Error} If an example fails.
 */
export async function* renderExamples(service: RenderingService): AsyncGenerator<string, string> {
  let path = '';
  for (const example of EXAMPLES) {
    path = await renderExample(service, example);
    yield path;
  }
  return path;
}

async function renderExample(
  { url, headers }: RenderingService,
  example: Example,
): Promise<string> {
  const { name, mediaType, query, make } = example;
  const bytes = await make();
  const options = [query, OPTIONS, `name=${encodeURIComponent(name)}`].filter(Boolean).join('&');
  const key = createHash('sha256').update(bytes).update(options).update(environmentKey());
  const response = await fetch(`${url}/v1/frames?${options}`, {
    method: 'POST',
    headers: {
      ...headers,
      'Content-Type': mediaType,
      'Idempotency-Key': `example ${key.digest('hex')}`,
      Prefer: `wait=${WAIT_SECONDS}`,
    },
    body: new Uint8Array(bytes),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`example '${name}': ${response.status} ${text}`);
  return `${response.headers.get('Location')}/image`;
}

/** Returns the settings of the service that change the results of a frame. */
function environmentKey(): string {
  return ['TESSERA_SPEC', 'TESSERA_WORKERS'].map((name) => process.env[name] ?? '').join();
}
