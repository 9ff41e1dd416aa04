/**
 * A proxy in front of a service that records what clients send: bodies of frames, and contents that
 * they name by hash.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** Recorded requests of clients. */
export interface PostRecorder {
  readonly url: string;
  /** Bodies of `POST /v1/frames`, in order. */
  readonly frames: readonly Buffer[];
  /** Uploaded contents by the last part of their address. */
  readonly resources: ReadonlyMap<string, Buffer>;
  close(): void;
}

/**
 * Starts the proxy.
 *
 * @param target Address of the service, such as `http://127.0.0.1:8080`.
 */
export async function recordPosts(target: string): Promise<PostRecorder> {
  const frames: Buffer[] = [];
  const resources = new Map<string, Buffer>();
  const server = createServer(async (request, response) => {
    const { method = 'GET', url = '/' } = request;
    const body = await buffer(request);
    if (method === 'POST') frames.push(body);
    if (method === 'PUT') resources.set(url.split('/').at(-1)!, body);
    const headers = new Headers();
    for (const name of ['content-type', 'accept', 'prefer']) {
      const value = request.headers[name];
      if (typeof value === 'string') headers.set(name, value);
    }
    const hasBody = method === 'POST' || method === 'PUT';
    const answer = await fetch(`${target}${url}`, {
      method,
      headers,
      ...(hasBody ? { body: new Uint8Array(body) } : {}),
    });
    response.statusCode = answer.status;
    for (const name of ['content-type', 'location']) {
      const value = answer.headers.get(name);
      if (value !== null) response.setHeader(name, value);
    }
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo; // a socket's address, not a pipe's
  return {
    url: `http://127.0.0.1:${port}`,
    frames,
    resources,
    close: () => server.close(),
  };
}
