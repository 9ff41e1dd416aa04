/**
 * Blobs in a bucket of S3 or of a server with its interface. Requests are signed with Signature
 * Version 4. The SHA-256 of the content is part of the signature, so the server checks it too.
 */
import { AwsV4Signer } from 'aws4fetch';
import type { BlobServer } from './http-blobs.ts';

/** Environment that credentials are read from. */
type Environment = Readonly<Record<string, string | undefined>>;

/** Query parameters of a bucket's URL. */
const PARAMETERS: readonly string[] = ['endpoint', 'region'];
const DEFAULT_REGION = 'us-east-1';

/**
 * Returns the server of `s3://bucket/prefix?endpoint=https://host&region=r`. Without `endpoint` it
 * is that of Amazon in the region. The region is AWS_REGION or us-east-1 by default.
 *
 * @param environment AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, and AWS_SESSION_TOKEN if needed.
 * @throws {RangeError} If a part of the URL or a credential is missing or unknown.
 */
export function s3Server(url: URL, environment: Environment): BlobServer {
  const bucket = url.host;
  if (bucket === '' || url.username !== '' || url.password !== '' || url.hash !== '') {
    throw new RangeError(
      `blob store s3: give s3://bucket/prefix, and the credentials as AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY`,
    );
  }
  for (const name of url.searchParams.keys()) {
    if (PARAMETERS.includes(name)) continue;
    throw new RangeError(
      `blob store s3://${bucket}: unknown parameter '${name}'; permitted: ${PARAMETERS.join(', ')}`,
    );
  }
  const secret = (name: string): string => {
    const value = environment[name];
    if (value) return value;
    throw new RangeError(`blob store s3://${bucket}: ${name} is not set`);
  };
  const region = url.searchParams.get('region') ?? environment.AWS_REGION ?? DEFAULT_REGION;
  const credentials = {
    accessKeyId: secret('AWS_ACCESS_KEY_ID'),
    secretAccessKey: secret('AWS_SECRET_ACCESS_KEY'),
    ...(environment.AWS_SESSION_TOKEN && { sessionToken: environment.AWS_SESSION_TOKEN }),
  };
  const prefix = prefixOf(url, bucket, region);
  return {
    name: `s3://${bucket}${url.pathname}`,
    canDelete: true,
    storedStatuses: [200],
    urlOf: (sha256) => new URL(`${prefix}/${sha256}`),
    authorize: async (method, signedUrl, bodySha256) => {
      const signer = new AwsV4Signer({
        method,
        url: signedUrl.href,
        headers: { 'x-amz-content-sha256': bodySha256 },
        service: 's3',
        region,
        ...credentials,
      });
      return Object.fromEntries((await signer.sign()).headers);
    },
  };
}

/** Returns the address of the bucket's folder, without a slash at its end. */
function prefixOf(url: URL, bucket: string, region: string): string {
  const folder = url.pathname.replace(/\/+$/, '');
  if (!/^[\w./-]*$/.test(folder)) {
    throw new RangeError(
      `blob store s3://${bucket}: prefix '${folder}' has characters other than letters, digits, '.', '-', '_' and '/'`,
    );
  }
  const endpoint = url.searchParams.get('endpoint');
  if (endpoint === null) {
    const host = `s3.${region}.amazonaws.com`;
    // The certificate of Amazon does not cover a name with dots before the host.
    const isPath = bucket.includes('.');
    return isPath ? `https://${host}/${bucket}${folder}` : `https://${bucket}.${host}${folder}`;
  }
  const parsed = URL.parse(endpoint);
  if (!/^https?:$/.test(parsed?.protocol ?? '') || parsed!.search !== '') {
    throw new RangeError(
      `blob store s3://${bucket}: endpoint '${endpoint}' has not the form https://host`,
    );
  }
  return `${parsed!.href.replace(/\/+$/, '')}/${bucket}${folder}`;
}
