/** `tessera upload` against the routes of a gateway, over connections that break. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { openBlobStore } from '@tessera/blobs';
import { TesseraError, type UploadContent, type UploadOptions, uploadBlob } from '@tessera/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type CuttingProxy,
  startCuttingProxy,
} from '../../packages/blobs/src/testing/cutting-proxy.ts';
import {
  blobsUrl,
  startTestGateway,
  type TestGateway,
} from '../../services/coordinator/src/testing/test-gateway.ts';

const CLI = resolve(import.meta.dirname, '../../packages/experiments/src/cli.ts');
const CONTENT = Buffer.alloc(10_000_000, 'calls of a capture');
const SHA256 = createHash('sha256').update(CONTENT).digest('hex');
const PART_BYTES = 2 ** 20;
const WAITS_MS = [5, 5, 5];

let folder: string;
let gateway: TestGateway;
let proxy: CuttingProxy;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'upload-'));
  gateway = await startTestGateway(folder);
  proxy = await startCuttingProxy(gateway.port);
});
afterEach(async () => {
  await proxy.close();
  await gateway.close();
  rmSync(folder, { recursive: true });
});

const stored = async () => buffer(await openBlobStore(blobsUrl(folder)).get(SHA256));

/** Content that records which bytes were read. */
function readableContent(content = CONTENT, sha256 = SHA256) {
  const starts: number[] = [];
  async function* read(start: number, end: number) {
    starts.push(start);
    for (let at = start; at < end; at += 2 ** 16) {
      yield content.subarray(at, Math.min(end, at + 2 ** 16));
    }
  }
  return { content: { sha256, bytes: content.length, read }, starts };
}

describe('uploadBlob', () => {
  const upload = (content: UploadContent, options: UploadOptions = {}) =>
    uploadBlob(`http://127.0.0.1:${proxy.port}`, content, {
      partBytes: PART_BYTES,
      waitsMs: WAITS_MS,
      ...options,
    });

  it('sends parts and reports how much has arrived', async () => {
    const { content, starts } = readableContent();
    const progress: number[] = [];
    await upload(content, { onProgress: (bytes: number) => progress.push(bytes) });
    const offsets = Array.from({ length: 10 }, (_, i) => i * PART_BYTES);
    expect(starts).toEqual(offsets);
    expect(progress).toEqual([...offsets, CONTENT.length]);
    expect((await stored()).equals(CONTENT)).toBe(true);
    await upload(content);
    expect(starts.length).toBe(10);
  });

  it('continues where it stopped, however often the connection breaks', async () => {
    const { content, starts } = readableContent();
    // More cuts than waits: an upload that makes progress does not give up.
    proxy.cuts = { afterBytes: 1_500_000, from: 'client', count: 6 };
    await upload(content, { partBytes: CONTENT.length, waitsMs: Array(5).fill(200) });
    expect(proxy.cuts.count).toBe(0);
    expect(new Set(starts).size).toBeGreaterThan(3);
    expect(starts).toEqual(starts.toSorted((a, b) => a - b));
    expect((await stored()).equals(CONTENT)).toBe(true);
  });

  it('gives up when there is no progress', async () => {
    const { content } = readableContent();
    proxy.cuts = { afterBytes: 10, from: 'client', count: 1000 };
    await expect(upload(content)).rejects.toThrow('fetch failed');
    expect(1000 - proxy.cuts.count).toBeGreaterThanOrEqual(WAITS_MS.length + 1);
  });

  it('serves two clients that upload the same content', async () => {
    const contents = [readableContent(), readableContent()];
    const options = { waitsMs: Array(1000).fill(5) };
    await Promise.all(contents.map(({ content }) => upload(content, options)));
    expect((await stored()).equals(CONTENT)).toBe(true);
  });

  it('reports the refusal of the gateway, and does not repeat it', async () => {
    const wrong = readableContent(CONTENT, 'f'.repeat(64));
    const mismatch = await upload(wrong.content).catch((error) => error);
    expect(mismatch).toBeInstanceOf(TesseraError);
    expect(mismatch).toMatchObject({ status: 422, code: 'CONTENT_MISMATCH' });
    expect(wrong.starts.length).toBe(10);
    const invalid = upload({ ...wrong.content, sha256: 'none' });
    await expect(invalid).rejects.toMatchObject({ status: 400, code: 'REQUEST_INVALID' });
  });

  it('passes on the error of reading the content', async () => {
    const read = async function* (): AsyncGenerator<Uint8Array> {
      yield CONTENT.subarray(0, 10);
      throw new Error('the disk is gone');
    };
    const failed = upload({ sha256: SHA256, bytes: CONTENT.length, read });
    await expect(failed).rejects.toThrow('the disk is gone');
  });
});

describe('tessera upload', () => {
  function run(...args: string[]) {
    const child = spawn(process.execPath, [CLI, 'upload', ...args], { cwd: folder });
    const outcome = (async () => {
      const [[status], stdout, stderr] = await Promise.all([
        once(child, 'exit'),
        text(child.stdout),
        text(child.stderr),
      ]);
      return { status, stdout, stderr };
    })();
    return { child, outcome };
  }

  it('prints the hash, and sends nothing twice', async () => {
    writeFileSync(join(folder, 'program.trace'), CONTENT);
    const first = run('program.trace', '--service', gateway.origin);
    expect(await first.outcome).toEqual({ status: 0, stdout: `${SHA256}\n`, stderr: '' });
    const second = run('program.trace', '--service', gateway.origin, '--json');
    expect(JSON.parse((await second.outcome).stdout)).toEqual({
      sha256: SHA256,
      bytes: CONTENT.length,
      bytesBefore: CONTENT.length,
    });
    expect((await stored()).equals(CONTENT)).toBe(true);
  });

  it('continues an upload of a process that was killed', async () => {
    writeFileSync(join(folder, 'program.trace'), CONTENT);
    // The proxy holds the connection back, so the first process is killed in the middle.
    proxy.holdAfterBytes = 5_000_000;
    const { child, outcome } = run('program.trace', '--service', `http://127.0.0.1:${proxy.port}`);
    await proxy.held;
    child.kill('SIGKILL');
    await outcome;
    const { status, stdout, stderr } = await run('program.trace', '--service', gateway.origin)
      .outcome;
    expect([status, stdout]).toEqual([0, `${SHA256}\n`]);
    expect(stderr).toMatch(/^continues at \d+ of 10000000 bytes\n$/);
    expect((await stored()).equals(CONTENT)).toBe(true);
  });

  it('names a missing file, a bad address and a silent gateway', async () => {
    const missing = await run('none.trace').outcome;
    expect(missing).toMatchObject({ status: 2, stderr: expect.stringContaining('none.trace') });
    const address = await run('x', '--service', 'ftp://host').outcome;
    expect(address.stderr).toContain("service: 'ftp://host' is not an http or https address");
    expect((await run().outcome).stderr).toContain('give exactly one file');
  });
});
