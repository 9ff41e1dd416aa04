import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startTestGateway } from '../testing/test-gateway.ts';

const CHUNK = Buffer.alloc(2 ** 16, 'capture');
const CHUNKS = 4800;
const BYTES = CHUNKS * CHUNK.length;
/**
 * Upper bound on the growth of the process, which also runs the client: half the upload. Uploads of
 * 50, 100, 300 and 900 MB made it grow by 73, 82, 96 and 93 MiB, mostly of buffers not collected
 * yet.
 */
const MAX_GROWTH_BYTES = BYTES / 2;

describe('an upload of 300 MB', () => {
  it('is not held in memory', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gateway-'));
    const { port, close } = await startTestGateway(folder);
    const hash = createHash('sha256');
    for (let i = 0; i < CHUNKS; i++) hash.update(CHUNK);
    const path = `/v1/blobs/${hash.digest('hex')}`;
    const base = { port, host: '127.0.0.1', path };

    const startBytes = process.memoryUsage.rss();
    let peakBytes = startBytes;
    const measure = () => {
      peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
    };
    const timer = setInterval(measure, 20);
    const upload = request({
      ...base,
      method: 'PATCH',
      headers: {
        'Content-Type': 'application/offset+octet-stream',
        'Content-Length': BYTES,
        'Upload-Offset': 0,
        'Upload-Length': BYTES,
      },
    });
    for (let i = 0; i < CHUNKS; i++) if (!upload.write(CHUNK)) await once(upload, 'drain');
    upload.end();
    const [answer] = await once(upload, 'response');
    expect(answer.statusCode).toBe(201);
    const [content] = await once(request(base).end(), 'response');
    let received = 0;
    for await (const chunk of content) received += chunk.length;
    clearInterval(timer);
    measure();
    expect(received).toBe(BYTES);
    expect(peakBytes - startBytes).toBeLessThan(MAX_GROWTH_BYTES);
    await close();
    rmSync(folder, { recursive: true });
  });
});
