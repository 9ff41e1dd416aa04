/** Requests about resources and stored specifications. */
import { sha256Of } from './bodies.ts';
import type { RawAnswer } from './exchange.ts';
import type { HistoryClient } from './history-client.ts';

const SPEC_NAMES = ['one', 'two', 'three', 'four'];
const JSON_HEADERS = { 'Content-Type': 'application/json' };

/** Uploads a resource that some job names, or new content. */
export async function putResource(client: HistoryClient): Promise<void> {
  const { random, services } = client;
  const named = services.jobs.flatMap(({ body }) => body.resources ?? []);
  const fresh = Buffer.from(`content ${services.run} ${services.nextNumber()}`);
  const content = random.next() < 0.5 && named.length > 0 ? random.pick(named) : fresh;
  const cutAfterBytes = random.next() < 0.05 ? { cutAfterBytes: 5 } : {};
  await sendResource(client, content, cutAfterBytes);
}

/** Uploads a resource. */
export async function sendResource(
  client: HistoryClient,
  content: Buffer,
  more: { readonly cutAfterBytes?: number } = {},
): Promise<void> {
  const subject = sha256Of(content);
  const request = {
    method: 'PUT',
    path: `/v1/resources/${subject}`,
    headers: { 'Content-Type': 'application/octet-stream' },
    body: content,
    ...more,
  };
  await client.ask({ operation: 'putResource', subject }, request);
}

/** Stores a specification under one of few names. */
export async function putSpec(client: HistoryClient): Promise<void> {
  const { random, services } = client;
  const subject = specName(client);
  const smCount = 1 + (services.nextNumber() % 64);
  const textureLatencyCycles = random.integer(1, 200);
  const set = { smCount, textureLatencyCycles };
  const value = specValue(set);
  const request = {
    method: 'PUT',
    path: `/v1/specs/${subject}`,
    headers: JSON_HEADERS,
    body: JSON.stringify({ preset: 'default', set }),
  };
  await client.ask({ operation: 'putSpec', subject, value }, request, (raw) => readSpec(raw));
}

/** Reads a stored specification. */
export async function getSpec(client: HistoryClient): Promise<void> {
  const subject = specName(client);
  const request = { method: 'GET', path: `/v1/specs/${subject}` };
  await client.ask({ operation: 'getSpec', subject }, request, (raw) => readSpec(raw));
}

/** Deletes a stored specification. */
export async function deleteSpec(client: HistoryClient): Promise<void> {
  const subject = specName(client);
  const request = { method: 'DELETE', path: `/v1/specs/${subject}` };
  await client.ask({ operation: 'deleteSpec', subject, value: null }, request);
}

/** Lists specifications. */
export async function listSpecs(client: HistoryClient): Promise<void> {
  const request = { method: 'GET', path: '/v1/specs' };
  const absent = Object.fromEntries(SPEC_NAMES.map((name) => [fullName(client, name), null]));
  await client.ask({ operation: 'listSpecs' }, request, ({ body }) => {
    const { specs } = JSON.parse(body.toString()) as { specs: SpecBody[] };
    const stored = specs.filter(({ isPreset }) => !isPreset).map(valuesOf);
    return { values: Object.assign(absent, ...stored) };
  });
}

/** Stored specification as the service writes it. */
interface SpecBody {
  readonly name: string;
  readonly isPreset: boolean;
  readonly description: { readonly set: object } | null;
}

function specName(client: HistoryClient): string {
  return fullName(client, client.random.pick(SPEC_NAMES));
}

function fullName({ services }: HistoryClient, name: string): string {
  return `${name}-${services.run}`;
}

function specValue(set: object | undefined): string {
  return JSON.stringify(set);
}

function valuesOf({ name, description }: SpecBody): Record<string, string> {
  return { [name]: specValue(description?.set) };
}

function readSpec({ body }: RawAnswer): { values: Record<string, string> } {
  return { values: valuesOf(JSON.parse(body.toString()) as SpecBody) };
}
