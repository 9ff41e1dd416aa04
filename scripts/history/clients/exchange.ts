/** HTTP requests of clients that may be cut off at any place. */
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';

/** Request to send. */
export interface Request {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string | undefined;
  /** Number of bytes of the body after which the client disconnects. */
  readonly cutAfterBytes?: number;
  /** Time after which the client disconnects without an answer. */
  readonly dropAfterMs?: number;
}

/** Answer as it arrived. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** Part of a stream of events as it arrived. */
export interface RawStream {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** Whether the service ended the stream. */
  readonly isEnded: boolean;
}

/** Time after which a client gives up. */
const ANSWER_WITHIN_MS = 60_000;

/** Sends requests to one service. */
export class Exchange {
  readonly #agent: Agent;

  /** @param agent Opens the connections. */
  constructor(agent = new Agent({ keepAlive: true, maxSockets: 64 })) {
    this.#agent = agent;
  }

  /** Sends a request. Returns null if the answer did not arrive as a whole. */
  send(origin: string, sent: Request): Promise<RawAnswer | null> {
    const { promise, resolve } = Promise.withResolvers<RawAnswer | null>();
    const outgoing = this.#open(origin, sent, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.once('end', () => {
        if (!answer.complete) return resolve(null);
        const { statusCode, headers } = answer;
        resolve({ status: statusCode!, headers, body: Buffer.concat(parts) });
      });
    });
    const drop = () => outgoing.destroy();
    const timer = setTimeout(drop, sent.dropAfterMs ?? ANSWER_WITHIN_MS);
    outgoing.once('close', () => {
      clearTimeout(timer);
      resolve(null);
    });
    return promise;
  }

  /**
   * Reads a stream for at most `withinMs`.
   *
   * @param onText Called for each part; returns whether to disconnect.
   */
  stream(
    origin: string,
    sent: Request,
    withinMs: number,
    onText: (text: string) => boolean,
  ): Promise<RawStream | null> {
    const { promise, resolve } = Promise.withResolvers<RawStream | null>();
    let head: IncomingMessage | null = null;
    let isEnded = false;
    const outgoing = this.#open(origin, sent, (answer) => {
      head = answer;
      answer.setEncoding('utf8').on('data', (text: string) => {
        if (onText(text)) outgoing.destroy();
      });
      answer.once('end', () => {
        isEnded = answer.complete;
        resolve({ status: answer.statusCode!, headers: answer.headers, isEnded });
      });
    });
    const timer = setTimeout(() => outgoing.destroy(), withinMs);
    outgoing.once('close', () => {
      clearTimeout(timer);
      const { statusCode, headers } = head ?? {};
      resolve(head === null ? null : { status: statusCode!, headers: headers!, isEnded });
    });
    return promise;
  }

  close(): void {
    this.#agent.destroy();
  }

  #open(
    origin: string,
    { method, path, headers, body, cutAfterBytes }: Request,
    onAnswer: (answer: IncomingMessage) => void,
  ): ClientRequest {
    const bytes = body === undefined ? null : Buffer.from(body);
    const length = bytes === null ? {} : { 'Content-Length': String(bytes.length) };
    const outgoing = request(`${origin}${path}`, {
      method,
      agent: this.#agent,
      headers: { ...headers, ...length },
    });
    outgoing.on('response', (answer) => {
      answer.on('error', () => {}); // 'close' of the request follows.
      onAnswer(answer);
    });
    outgoing.on('error', () => {}); // 'close' follows.
    if (bytes !== null && cutAfterBytes !== undefined) {
      outgoing.write(bytes.subarray(0, cutAfterBytes), () => outgoing.destroy());
    } else outgoing.end(bytes ?? undefined);
    return outgoing;
  }
}
