/** Images of other makers are named by tag and digest, and the digests come from a registry. */
import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  findImageReferences,
  readImageReferences,
  writeDigests,
} from '../../scripts/supply-chain/image-references.ts';
import { fetchDigest, parseTagged } from '../../scripts/supply-chain/registry-digest.ts';
import { ROOT, readText } from '../support/compose-services.ts';

const MANIFEST = '{"schemaVersion":2,"manifests":[]}\n';
const DIGEST = `sha256:${createHash('sha256').update(MANIFEST).digest('hex')}`;

describe('images of other makers', () => {
  const references = readImageReferences(ROOT);

  it('are named by an exact version and a digest', () => {
    expect(references.map(({ tagged }) => tagged.split(':')[0])).toEqual([
      'node',
      'postgres',
      'prom/prometheus',
      'grafana/grafana',
    ]);
    for (const { path, line, tagged, digest } of references) {
      expect(tagged, `${path}:${line}`).toMatch(/:v?\d+\.\d+(\.\d+)?(-[\w-]+)?$/);
      expect(digest, `${path}:${line}`).toMatch(/^sha256:[0-9a-f]{64}$/);
    }
  });

  it('have the Node that package.json pins', () => {
    const { dependencies } = JSON.parse(readText('package.json')) as {
      dependencies: { node: string };
    };
    expect(references[0]?.tagged).toBe(`node:${dependencies.node}-bookworm-slim`);
  });
});

describe('the build of the image', () => {
  const steps = readText('Dockerfile')
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line !== '');

  it('fetches nothing but the base and the packages of the lock file', () => {
    expect(steps.filter((step) => step.startsWith('FROM '))).toHaveLength(1);
    expect(steps.filter((step) => step.startsWith('ADD '))).toEqual([]);
    const runs = steps.filter((step) => step.startsWith('RUN '));
    expect(runs.map((run) => run.replace(/\s+/g, ' '))).toEqual([
      'RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --ignore-scripts --no-audit --no-fund --no-update-notifier',
      expect.stringMatching(/^RUN mkdir [\w\s./-]+ && chmod 700 [\w/]+ && chown [\w:\s./-]+$/),
      'RUN node scripts/launch/compile-ahead.ts',
    ]);
  });

  it('depends on no time, no variable of the build and no file outside the repository', () => {
    expect(steps.filter((step) => /^ARG |\bdate\b|\$RANDOM|\/etc\/hostname/.test(step))).toEqual(
      [],
    );
    // Everything is ignored that the file does not name, so local files do not get in.
    const ignored = readText('.dockerignore').split('\n');
    expect(ignored[0]).toBe('**');
    const admitted = ignored.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
    for (const step of steps.filter((line) => line.startsWith('COPY '))) {
      for (const source of step.split(/\s+/).slice(1, -1)) {
        const isAdmitted = admitted.some((path) => `${source}/`.startsWith(`${path}/`));
        expect(isAdmitted, step).toBe(true);
      }
    }
    expect(ignored).toContain('**/node_modules');
  });
});

describe('references', () => {
  const text = [
    'FROM --platform=linux/arm64 node:26 AS build',
    '    image: postgres:17.6@sha256:0123 # a database',
    '    image: tessera',
    '# image: commented:1',
  ].join('\n');

  it('are found in Dockerfiles and manifests, except comments and the image of the project', () => {
    expect(findImageReferences('f', text)).toEqual([
      { path: 'f', line: 1, tagged: 'node:26', digest: null },
      { path: 'f', line: 2, tagged: 'postgres:17.6', digest: 'sha256:0123' },
    ]);
  });

  it('get their digests, and keep everything else of their lines', () => {
    const digests = new Map([
      ['node:26', 'sha256:aa'],
      ['postgres:17.6', 'sha256:bb'],
    ]);
    expect(writeDigests(text, digests).split('\n')).toEqual([
      'FROM --platform=linux/arm64 node:26@sha256:aa AS build',
      '    image: postgres:17.6@sha256:bb # a database',
      '    image: tessera',
      '# image: commented:1',
    ]);
  });

  it('name a repository of Docker Hub', () => {
    expect(parseTagged('node:26')).toEqual({ repository: 'library/node', tag: '26' });
    expect(parseTagged('a/b:v1')).toEqual({ repository: 'a/b', tag: 'v1' });
    for (const wrong of ['node', 'quay.io/a/b:1', 'node:26@sha256:aa', 'a/../b:1']) {
      expect(() => parseTagged(wrong), wrong).toThrow(/not an image of Docker Hub/);
    }
  });
});

describe('the digest of a tag', () => {
  let server: Server;
  let url = '';
  const asked: string[] = [];

  beforeAll(async () => {
    server = createServer((request, response) => {
      asked.push(request.url!);
      if (request.url!.startsWith('/token')) {
        response.end(JSON.stringify({ token: 'anonymous' }));
      } else if (request.headers.authorization !== 'Bearer anonymous') {
        const scope = 'repository:library/node:pull';
        const challenge = `Bearer realm="${url}/token",service="registry",scope="${scope}"`;
        response.writeHead(401, { 'WWW-Authenticate': challenge }).end();
      } else if (request.url!.endsWith('/missing')) {
        response.writeHead(404).end();
      } else {
        const digest = request.url!.endsWith('/forged') ? `sha256:${'0'.repeat(64)}` : DIGEST;
        response.writeHead(200, { 'Docker-Content-Digest': digest }).end(MANIFEST);
      }
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());

  it('is the SHA-256 of the manifest, which an anonymous token gives', async () => {
    expect(await fetchDigest('node:26', url)).toBe(DIGEST);
    expect(asked).toEqual([
      '/v2/library/node/manifests/26',
      '/token?service=registry&scope=repository%3Alibrary%2Fnode%3Apull',
      '/v2/library/node/manifests/26',
    ]);
  });

  it('is refused if the registry has no such tag, or announces another digest', async () => {
    await expect(fetchDigest('node:missing', url)).rejects.toThrow(/missing answers 404/);
    await expect(fetchDigest('node:forged', url)).rejects.toThrow(/announces sha256:0{64} and/);
  });
});
