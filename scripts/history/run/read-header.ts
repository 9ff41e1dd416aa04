/** Reads the facts about a service that its history is checked against. */
import type { Job } from '../clients/jobs.ts';
import type { HistoryHeader } from '../record/entries.ts';

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, unknown>>;
}

/** Returns the header of a history. */
export async function readHeader(
  url: string,
  jobs: readonly Job[],
  isCluster: boolean,
): Promise<HistoryHeader> {
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as Document;
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
  const documented = operations.map(({ operationId, responses }) => [
    operationId,
    Object.keys(responses).map(Number),
  ]);
  const expected = jobs
    .filter(({ body }) => body.expectedError !== undefined)
    .map(({ name, body }) => [name, body.expectedError]);
  return {
    type: 'header',
    documented: Object.fromEntries(documented),
    expectedErrors: Object.fromEntries(expected),
    isCluster,
  };
}
