/** nginx with WebDAV on loopback, started by a test as the current user. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';

/** Environment of nginx, which Debian installs outside of the paths of most users. */
const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };

/** Whether nginx is installed. */
export const HAS_NGINX = spawnSync('nginx', ['-v'], { env, stdio: 'ignore' }).status === 0;

/** Running server. */
export interface NginxDav {
  /** Address of the blobs. */
  readonly url: string;
  readonly port: number;
  /** Folder that contains the blobs. */
  readonly folder: string;
  /** Ends the process. The folder stays. */
  readonly kill: () => Promise<void>;
  /** Starts the process again, on the same port and folder. */
  readonly start: () => Promise<void>;
  /** Ends the process and removes the folder. */
  readonly close: () => Promise<void>;
}

/** Configuration that docs/deploy recommends, for a test. */
function configuration(port: number, root: string): string {
  return `
    daemon off;
    ${userInfo().username === 'root' ? 'user root;' : ''}
    worker_processes 1;
    pid ${root}/nginx.pid;
    error_log ${root}/error.log;
    events {}
    http {
      access_log off;
      client_body_temp_path ${root}/blobs/incoming;
      proxy_temp_path ${root}/proxy;
      fastcgi_temp_path ${root}/fastcgi;
      uwsgi_temp_path ${root}/uwsgi;
      scgi_temp_path ${root}/scgi;
      client_max_body_size 0;
      server {
        listen 127.0.0.1:${port};
        location ~ "^/blobs/[0-9a-f]{2}/[0-9a-f]{64}$" {
          root ${root};
          dav_methods PUT DELETE;
          create_full_put_path on;
        }
      }
    }`;
}

/** Starts a server. */
export async function startNginxDav(): Promise<NginxDav> {
  const root = mkdtempSync(join(tmpdir(), 'nginx-dav-'));
  const folder = join(root, 'blobs');
  mkdirSync(folder);
  const port = await findFreePort();
  writeFileSync(join(root, 'nginx.conf'), configuration(port, root));
  const url = `http://127.0.0.1:${port}/blobs`;
  let child: ChildProcess;
  const start = async () => {
    const args = ['-p', root, '-c', join(root, 'nginx.conf'), '-e', `${root}/error.log`];
    child = spawn('nginx', args, { env });
    while (!(await isListening(url))) {
      if (child.exitCode !== null) throw new Error(`nginx exited with status ${child.exitCode}`);
      await sleep(20);
    }
  };
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    // The fast shutdown of nginx: it also ends the worker, and requests in progress.
    child.kill('SIGTERM');
    await exited;
  };
  await start();
  const close = async () => {
    await kill();
    rmSync(root, { recursive: true });
  };
  return { url, port, folder, kill, start, close };
}

async function isListening(url: string): Promise<boolean> {
  try {
    await (await request(url)).body.dump();
    return true;
  } catch {
    return false;
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
