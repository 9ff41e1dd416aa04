import { describe, expect, it } from 'vitest';
import { expectedSignature } from './signature-check.ts';

const SECRET = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const HOST = 'examplebucket.s3.amazonaws.com';
const SCOPE = { date: '20130524', region: 'us-east-1' };

/**
 * Examples of "Authenticating Requests: Using the Authorization Header", Amazon S3 API Reference.
 */
const EXAMPLES = [
  {
    name: 'GET Object',
    method: 'GET',
    target: '/test.txt',
    headers: { range: 'bytes=0-9', 'x-amz-content-sha256': EMPTY },
    signedHeaders: ['host', 'range', 'x-amz-content-sha256', 'x-amz-date'],
    signature: 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  },
  {
    name: 'PUT Object',
    method: 'PUT',
    target: '/test%24file.text',
    headers: {
      date: 'Fri, 24 May 2013 00:00:00 GMT',
      'x-amz-content-sha256': '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
      'x-amz-storage-class': 'REDUCED_REDUNDANCY',
    },
    signedHeaders: ['date', 'host', 'x-amz-content-sha256', 'x-amz-date', 'x-amz-storage-class'],
    signature: '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  },
  {
    name: 'GET Bucket Lifecycle',
    method: 'GET',
    target: '/?lifecycle',
    headers: { 'x-amz-content-sha256': EMPTY },
    signedHeaders: ['host', 'x-amz-content-sha256', 'x-amz-date'],
    signature: 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  },
  {
    name: 'List Objects',
    method: 'GET',
    target: '/?max-keys=2&prefix=J',
    headers: { 'x-amz-content-sha256': EMPTY },
    signedHeaders: ['host', 'x-amz-content-sha256', 'x-amz-date'],
    signature: '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  },
];

describe('expectedSignature', () => {
  it.each(EXAMPLES)('is that of the published example: $name', (example) => {
    const headers = { ...example.headers, host: HOST, 'x-amz-date': '20130524T000000Z' };
    const { signedHeaders, signature } = example;
    const found = expectedSignature({ ...example, headers }, { ...SCOPE, signedHeaders }, SECRET);
    expect(found).toBe(signature);
  });
});
