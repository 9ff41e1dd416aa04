/**
 * Bucket on loopback with the part of the interface of S3 that blobs use. It refuses wrong
 * signatures, stale ones and bodies that do not match their signed hash, with the errors of S3. npm
 * has no S3 server that is maintained, checks signatures and downloads no binary, so the algorithm
 * is implemented in signature-check.ts, which published examples verify.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { expectedSignature, parseAuthorization } from './signature-check.ts';

/** Credentials that the server accepts. */
export const TEST_CREDENTIALS = {
  AWS_ACCESS_KEY_ID: 'TESTKEY',
  AWS_SECRET_ACCESS_KEY: 'c2VjcmV0IG9mIHRoZSB0ZXN0',
} as const;
/** Region that signatures must name. */
export const TEST_REGION = 'test-region-1';

/** Age from which a signature is refused, in milliseconds. */
const STALE_MS = 15 * 60_000;

/** Running server. */
export interface SignedBucket {
  readonly port: number;
  /** Objects by path. */
  readonly objects: Map<string, Buffer>;
  /** Ends the server and all connections. The objects stay. */
  readonly kill: () => Promise<void>;
  /** Starts the server again on the same port. */
  readonly start: () => Promise<void>;
}

/** Starts a server. */
export async function startSignedBucket(): Promise<SignedBucket> {
  const objects = new Map<string, Buffer>();
  const server = createServer((request, response) => {
    answer(request, response, objects).catch(() => request.destroy());
  });
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  await listen(0);
  const { port } = server.address() as { port: number };
  const kill = async () => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return { port, objects, kill, start: () => listen(port) };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  objects: Map<string, Buffer>,
): Promise<void> {
  const { method = '', url = '' } = request;
  const body = await buffer(request);
  const fail = (status: number, code: string) =>
    response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`);
  const refusal = findRefusal(request, body);
  if (refusal !== null) {
    fail(...refusal);
  } else if (method === 'PUT') {
    objects.set(url, body);
    response.writeHead(200).end();
  } else if (method === 'DELETE') {
    objects.delete(url);
    response.writeHead(204).end();
  } else {
    const object = objects.get(url);
    if (object === undefined) fail(404, 'NoSuchKey');
    else response.writeHead(200, { 'Content-Length': object.length }).end(object);
  }
}

function findRefusal(request: IncomingMessage, body: Buffer): [number, string] | null {
  const headers = request.headers as Readonly<Record<string, string | undefined>>;
  const given = parseAuthorization(headers.authorization);
  if (given === null) return [403, 'AccessDenied'];
  if (given.accessKeyId !== TEST_CREDENTIALS.AWS_ACCESS_KEY_ID) return [403, 'InvalidAccessKeyId'];
  if (given.region !== TEST_REGION) return [400, 'AuthorizationHeaderMalformed'];
  for (const name of ['host', 'x-amz-content-sha256', 'x-amz-date']) {
    if (!given.signedHeaders.includes(name)) return [403, 'AccessDenied'];
  }
  const time = headers['x-amz-date']!.replace(
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/,
    '$1-$2-$3T$4:$5:$6Z',
  );
  // Also true if the time is malformed.
  if (!(Math.abs(Date.now() - Date.parse(time)) < STALE_MS)) return [403, 'RequestTimeTooSkewed'];
  const { method, url } = request as { method: string; url: string };
  const secret = TEST_CREDENTIALS.AWS_SECRET_ACCESS_KEY;
  if (given.signature !== expectedSignature({ method, target: url, headers }, given, secret)) {
    return [403, 'SignatureDoesNotMatch'];
  }
  const bodySha256 = createHash('sha256').update(body).digest('hex');
  return headers['x-amz-content-sha256'] === bodySha256 ? null : [400, 'XAmzContentSHA256Mismatch'];
}
