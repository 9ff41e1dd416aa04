import { PassThrough } from 'node:stream';
import { RenderError } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { Uploads } from './uploads.ts';

/** Reads a body to its end; the test writes its stream. */
function startBody(uploads: Uploads) {
  const stream = new PassThrough();
  const upload = uploads.begin();
  let bytes = 0;
  const read = async () => {
    for await (const chunk of upload.count(stream)) bytes += chunk.length;
    return bytes;
  };
  const result = read()
    .catch((error: unknown) => (error instanceof RenderError ? error.code : String(error)))
    .finally(() => upload.close());
  return { stream, result, bytes: () => bytes };
}

describe('bodies being received', () => {
  it('arrive unchanged while there is space, and count until they have arrived', async () => {
    const uploads = new Uploads(100);
    const body = startBody(uploads);
    body.stream.write(Buffer.alloc(60));
    await expect.poll(() => uploads.bytes).toBe(60);
    body.stream.end(Buffer.alloc(40));
    expect(await body.result).toBe(100);
    expect(uploads.bytes).toBe(0);
  });

  it('are refused by size: the largest makes room at once, even if it is stalled', async () => {
    const uploads = new Uploads(100);
    const bodies = [50, 30].map((bytes) => {
      const body = startBody(uploads);
      body.stream.write(Buffer.alloc(bytes));
      return body;
    });
    await expect.poll(() => uploads.bytes).toBe(80);
    const small = startBody(uploads);
    small.stream.write(Buffer.alloc(21));
    expect(await bodies[0]?.result).toBe('UPLOADS_FULL');
    expect(uploads.bytes).toBe(51);
    small.stream.end();
    expect(await small.result).toBe(21);
    bodies[1]?.stream.end();
    expect(await bodies[1]?.result).toBe(30);
    expect(uploads.bytes).toBe(0);
  });

  it('are refused if one alone is too large', async () => {
    const uploads = new Uploads(100);
    const body = startBody(uploads);
    body.stream.end(Buffer.alloc(101));
    expect(await body.result).toBe('UPLOADS_FULL');
    expect(uploads.bytes).toBe(0);
  });

  it('never refuse a small body, however many large ones are sent', async () => {
    const uploads = new Uploads(1000);
    const large = Array.from({ length: 50 }, () => {
      const body = startBody(uploads);
      body.stream.end(Buffer.alloc(400));
      return body;
    });
    const small = Array.from({ length: 20 }, () => {
      const body = startBody(uploads);
      body.stream.end(Buffer.alloc(10));
      return body;
    });
    for (const { result } of small) expect(await result).toBe(10);
    await Promise.all(large.map(({ result }) => result));
    expect(uploads.bytes).toBe(0);
  });

  it('do not count after their stream fails or their reader stops', async () => {
    const uploads = new Uploads(100);
    const failing = startBody(uploads);
    failing.stream.write(Buffer.alloc(10));
    await expect.poll(() => uploads.bytes).toBe(10);
    failing.stream.destroy(new Error('cut off'));
    expect(await failing.result).toBe('Error: cut off');
    const upload = uploads.begin();
    const stream = new PassThrough();
    stream.write(Buffer.alloc(10));
    for await (const chunk of upload.count(stream)) {
      expect(chunk.length).toBe(10);
      break;
    }
    expect(stream.destroyed).toBe(true);
    upload.close();
    upload.close();
    expect(uploads.bytes).toBe(0);
  });
});
