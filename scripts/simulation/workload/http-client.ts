/** HTTP client in the simulated network, with Node's own parser. */
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import type { Network, SimSocket } from '../world/network.ts';
import type { SimProcess } from '../world/sim-process.ts';

/** Answer of a request. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Request of a client. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | undefined;
  /** Virtual time after which the client gives up. */
  readonly withinMs: number;
  /** Sends only this share of the body, then disconnects. */
  readonly cutAt?: number | undefined;
  /** Called with the parts of the answer as they arrive. */
  readonly onPart?: (part: Buffer) => void;
}

const PORT = 8080;

/** Client process of the service. */
export class HttpClient {
  readonly network: Network;
  readonly process: SimProcess;

  constructor(network: Network, process: SimProcess) {
    this.network = network;
    this.process = process;
  }

  /** Sends a request. Resolves with null if no complete answer came. */
  call({ method, path, headers, body, withinMs, cutAt, onPart }: Call): Promise<Answer | null> {
    return new Promise((resolve) => {
      const socket: SimSocket = this.network.connect(this.process, PORT, '127.0.0.1');
      const timer = setTimeout(() => request.destroy(new Error('the client gave up')), withinMs);
      const finish = (answer: Answer | null) => {
        clearTimeout(timer);
        resolve(answer);
        socket.destroy();
      };
      const length = body === undefined ? {} : { 'content-length': String(body.length) };
      const request = httpRequest({
        method,
        path,
        headers: { host: `127.0.0.1:${PORT}`, connection: 'close', ...length, ...headers },
        createConnection: () => socket,
      });
      request.on('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => {
          if (onPart === undefined) chunks.push(chunk);
          else onPart(chunk);
        });
        response.on('end', () => {
          const { statusCode: status = 0, headers: given, complete } = response;
          finish(complete ? { status, headers: given, body: Buffer.concat(chunks) } : null);
        });
        response.on('error', () => finish(null));
      });
      request.on('error', () => finish(null));
      socket.on('error', () => {});
      if (body === undefined || cutAt === undefined) request.end(body);
      else {
        request.write(body.subarray(0, Math.floor(body.length * cutAt)));
        setTimeout(() => request.destroy(new Error('cut off')), withinMs / 1000);
      }
    });
  }
}
