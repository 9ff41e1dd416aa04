/**
 * Signature Version 4 as a server computes it, from the published algorithm ("Authenticating
 * Requests: Using the Authorization Header", Amazon S3 API Reference). It shares no code with the
 * client, so it is an oracle of the signatures that the client sends.
 */
import { createHash, createHmac } from 'node:crypto';

/** Request as it arrived. */
export interface SignedRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
}

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/;

/** Parts of an Authorization header. */
export interface Authorization {
  readonly accessKeyId: string;
  readonly date: string;
  readonly region: string;
  readonly signedHeaders: readonly string[];
  readonly signature: string;
}

/** Returns the parts of an Authorization header; null if it has another form. */
export function parseAuthorization(header: string | undefined): Authorization | null {
  const match = AUTHORIZATION.exec(header ?? '');
  if (match === null) return null;
  const [, accessKeyId, date, region, signedHeaders, signature] = match;
  return {
    accessKeyId: accessKeyId!,
    date: date!,
    region: region!,
    signedHeaders: signedHeaders!.split(';'),
    signature: signature!,
  };
}

/** Returns the signature that the request must have. */
export function expectedSignature(
  { method, target, headers }: SignedRequest,
  { date, region, signedHeaders }: Omit<Authorization, 'signature' | 'accessKeyId'>,
  secretAccessKey: string,
): string {
  const [path, query = ''] = target.split('?');
  const fields = [...new URLSearchParams(query)]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort();
  const canonicalRequest = [
    method,
    // S3 encodes each part of the path once.
    path!.split('/').map(decodeURIComponent).map(encode).join('/'),
    fields.join('&'),
    ...signedHeaders.map((name) => `${name}:${headers[name]?.trim().replaceAll(/ +/g, ' ')}`),
    '',
    signedHeaders.join(';'),
    headers['x-amz-content-sha256'],
  ].join('\n');
  const scope = `${date}/${region}/s3/aws4_request`;
  const text = [
    'AWS4-HMAC-SHA256',
    headers['x-amz-date'],
    scope,
    createHash('sha256').update(canonicalRequest).digest('hex'),
  ].join('\n');
  let key: Buffer = Buffer.from(`AWS4${secretAccessKey}`);
  for (const part of scope.split('/')) key = createHmac('sha256', key).update(part).digest();
  return createHmac('sha256', key).update(text).digest('hex');
}

/** Percent-encodes all bytes but the unreserved characters of RFC 3986. */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
