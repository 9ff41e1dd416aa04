/** Socket on which workers reach the crosslink. */
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { acceptWebSockets, type CrosslinkServer, type TlsFiles } from '@tessera/wire';
import type { Config } from './config.ts';

/** Path of the crosslink's WebSocket. */
const CROSSLINK_PATH = '/crosslink';
/** Addresses that stand for all interfaces, which other machines cannot connect to. */
const WILDCARD_HOSTS = ['0.0.0.0', '::'];

/** Settings of a {@link CrosslinkEndpoint}. */
export interface CrosslinkEndpointOptions {
  readonly config: Config;
  /** Secret that workers must present; null for none. */
  readonly secret: string | null;
  readonly tls: TlsFiles | null;
  readonly crosslink: CrosslinkServer;
}

/** Listening socket of the crosslink. */
export class CrosslinkEndpoint {
  /** Closes the WebSockets of all workers. */
  readonly closeLinks: () => void;
  readonly #options: CrosslinkEndpointOptions;
  readonly #server: Server;

  constructor(options: CrosslinkEndpointOptions) {
    const { tls, secret, crosslink } = options;
    this.#options = options;
    const refuse: RequestListener = (_request, response) => response.writeHead(426).end();
    this.#server = tls === null ? createServer(refuse) : createTlsServer({ ...tls }, refuse);
    this.closeLinks = acceptWebSockets(
      this.#server,
      CROSSLINK_PATH,
      'crosslink-server',
      (connection) => crosslink.attach(connection),
      secret,
    );
  }

  /** Address at which workers reach the crosslink. The endpoint must listen. */
  get url(): string {
    const { config, tls } = this.#options;
    if (config.TESSERA_CROSSLINK_PUBLIC_URL !== '') return config.TESSERA_CROSSLINK_PUBLIC_URL;
    const host = config.TESSERA_CROSSLINK_HOST;
    const { port } = this.#server.address() as AddressInfo; // It listens on a port.
    const scheme = tls === null ? 'ws' : 'wss';
    return `${scheme}://${WILDCARD_HOSTS.includes(host) ? hostname() : host}:${port}${CROSSLINK_PATH}`;
  }

  /** Starts to listen. Returns the reason for a failure, or null. */
  async listen(): Promise<string | null> {
    const { TESSERA_CROSSLINK_HOST: host, TESSERA_CROSSLINK_PORT: port } = this.#options.config;
    try {
      this.#server.listen(port, host);
      await once(this.#server, 'listening');
      return null;
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      const reason = code === 'EADDRINUSE' ? 'is in use; set TESSERA_CROSSLINK_PORT' : message;
      return `${host}:${port} ${reason}`;
    }
  }

  /** Closes the socket and all connections. */
  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
