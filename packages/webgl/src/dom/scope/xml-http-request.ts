/**
 * `XMLHttpRequest` (XMLHttpRequest standard) over the page's `fetch`, for loaders of libraries.
 * Synchronous requests read files and data addresses only.
 */
import { fireEvent } from './fire-event.ts';
import { type PageFetch, ProgressEvent } from './page-fetch.ts';
import type { ScopeServices } from './scope-services.ts';

const [UNSENT, OPENED, HEADERS_RECEIVED, LOADING, DONE] = [0, 1, 2, 3, 4];

type Handler = ((event: Event) => void) | null;

/** Part of a response that a request shows. */
interface Received {
  readonly status: number;
  readonly statusText: string;
  readonly url: string;
  readonly headers: Headers;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Request of a page or worker. */
class PageRequest extends EventTarget {
  static readonly UNSENT = UNSENT;
  static readonly OPENED = OPENED;
  static readonly HEADERS_RECEIVED = HEADERS_RECEIVED;
  static readonly LOADING = LOADING;
  static readonly DONE = DONE;
  readonly UNSENT = UNSENT;
  readonly OPENED = OPENED;
  readonly HEADERS_RECEIVED = HEADERS_RECEIVED;
  readonly LOADING = LOADING;
  readonly DONE = DONE;
  onreadystatechange: Handler = null;
  onloadstart: Handler = null;
  onprogress: Handler = null;
  onload: Handler = null;
  onerror: Handler = null;
  onabort: Handler = null;
  ontimeout: Handler = null;
  onloadend: Handler = null;
  readyState = UNSENT;
  responseType: XMLHttpRequestResponseType = '';
  timeout = 0;
  withCredentials = false;
  readonly upload = new EventTarget();
  #method = 'GET';
  #address = '';
  #isAsync = true;
  #headers = new Headers();
  #mimeType: string | null = null;
  #received: Received | null = null;
  #response: unknown = null;
  #abort = new AbortController();
  readonly #services: ScopeServices;
  readonly #fetch: PageFetch;

  constructor(services: ScopeServices, pageFetch: PageFetch) {
    super();
    this.#services = services;
    this.#fetch = pageFetch;
  }

  get status(): number {
    return this.#received?.status ?? 0;
  }

  get statusText(): string {
    return this.#received?.statusText ?? '';
  }

  get responseURL(): string {
    return this.#received?.url ?? '';
  }

  /** Response in the form of `responseType`; `null`, or an empty text, before it is complete. */
  get response(): unknown {
    const isText = this.responseType === '' || this.responseType === 'text';
    if (this.readyState !== DONE || this.#received === null) return isText ? '' : null;
    this.#response ??= this.#decode(this.#received);
    return this.#response;
  }

  /** @throws {DOMException} InvalidStateError for a response that is not text. */
  get responseText(): string {
    if (this.responseType !== '' && this.responseType !== 'text') {
      const message = `responseText: the responseType is ${this.responseType}`;
      throw new DOMException(message, 'InvalidStateError');
    }
    return this.response as string;
  }

  get responseXML(): null {
    return null;
  }

  open(method: string, address: string | URL, isAsync = true): void {
    this.abort();
    this.#method = method.toUpperCase();
    this.#address = String(address);
    this.#isAsync = isAsync;
    this.#headers = new Headers();
    this.#received = null;
    this.#response = null;
    this.#abort = new AbortController();
    this.#enter(OPENED);
  }

  setRequestHeader(name: string, value: string): void {
    this.#headers.append(name, value);
  }

  overrideMimeType(type: string): void {
    this.#mimeType = type;
  }

  getResponseHeader(name: string): string | null {
    return this.#received?.headers.get(name) ?? null;
  }

  getAllResponseHeaders(): string {
    const headers = [...(this.#received?.headers ?? [])];
    return headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  }

  /** @throws {DOMException} InvalidStateError before `open`; NetworkError if the page waits. */
  send(body: BodyInit | null = null): void {
    if (this.readyState !== OPENED) {
      throw new DOMException('send: the request is not open', 'InvalidStateError');
    }
    if (this.#isAsync) void this.#load(body, this.#abort);
    else this.#read();
  }

  abort(): void {
    const isActive = this.readyState > UNSENT && this.readyState < DONE;
    this.#abort.abort();
    this.#received = null;
    if (isActive && this.readyState !== OPENED) this.#end('abort');
    this.readyState = UNSENT;
  }

  #read(): void {
    let bytes: Uint8Array;
    try {
      bytes = this.#services.readBytes(this.#address);
    } catch (cause) {
      this.readyState = DONE;
      throw Object.assign(new DOMException(`send: ${String(cause)}`, 'NetworkError'), { cause });
    }
    const { href: url } = new URL(this.#address, this.#services.address);
    const headers = new Headers();
    this.#received = {
      ...{ status: 200, statusText: 'OK', url, headers },
      bytes: new Uint8Array(bytes),
    };
    this.#enter(DONE);
    this.#fire('load', bytes.length);
    this.#fire('loadend', bytes.length);
  }

  async #load(body: BodyInit | null, { signal }: AbortController): Promise<void> {
    this.#fire('loadstart', 0);
    const limit = this.timeout > 0 ? AbortSignal.timeout(this.timeout) : null;
    const signals = limit === null ? signal : AbortSignal.any([signal, limit]);
    const end = this.#services.pending.begin(`XMLHttpRequest ${this.#address}`);
    try {
      const init = { method: this.#method, headers: this.#headers, body, signal: signals };
      const { fetch, Request } = this.#fetch;
      const response = await fetch(new Request(this.#address, init));
      const { status, statusText, headers } = response;
      const bytes = new Uint8Array(await response.arrayBuffer());
      if (signal.aborted) return;
      const url = response.url;
      this.#received = { status, statusText, url, headers, bytes };
      this.#enter(HEADERS_RECEIVED);
      this.#enter(LOADING);
      this.#fire('progress', bytes.length);
      this.#enter(DONE);
      this.#fire('load', bytes.length);
      this.#fire('loadend', bytes.length);
    } catch {
      // Handlers of the events above throw through their timers, never into this block.
      if (!signal.aborted) this.#end(limit?.aborted === true ? 'timeout' : 'error');
    } finally {
      end();
    }
  }

  #end(type: 'abort' | 'error' | 'timeout'): void {
    this.#received = null;
    this.#enter(DONE);
    this.#fire(type, 0);
    this.#fire('loadend', 0);
  }

  #enter(state: number): void {
    this.readyState = state;
    fireEvent(this, new Event('readystatechange'));
  }

  #fire(type: string, loaded: number): void {
    const options = { lengthComputable: loaded > 0, loaded, total: loaded };
    fireEvent(this, new ProgressEvent(type, options));
  }

  #decode({ bytes, headers }: Received): unknown {
    const type = this.#mimeType ?? headers.get('Content-Type') ?? '';
    if (this.responseType === 'arraybuffer') return bytes.buffer;
    if (this.responseType === 'blob') return new Blob([bytes], { type });
    const charset = /charset\s*=\s*"?([\w-]+)/i.exec(type)?.[1] ?? 'utf-8';
    const text = new TextDecoder(charset).decode(bytes);
    if (this.responseType !== 'json') return text;
    try {
      return JSON.parse(text);
    } catch {
      return null; // As the standard requires.
    }
  }
}

/** Returns the class of a page or worker, whose constructor has no arguments. */
export function xmlHttpRequestOf(services: ScopeServices, pageFetch: PageFetch): new () => object {
  return class XMLHttpRequest extends PageRequest {
    constructor() {
      super(services, pageFetch);
    }
  };
}
