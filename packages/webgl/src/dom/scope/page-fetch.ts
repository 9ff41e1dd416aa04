/** `fetch`, `Request` and `ProgressEvent` of a page, which loaders of libraries use. */
import { resolveObjectURL } from 'node:buffer';
import type { ScopeServices } from './scope-services.ts';

const OF_NETWORK = /^(https?|data):/;

/** Types that the platform or libraries require of a response, by ending of the address. */
const TYPE_BY_ENDING: Readonly<Record<string, string>> = {
  css: 'text/css',
  gif: 'image/gif',
  html: 'text/html',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  js: 'text/javascript',
  json: 'application/json',
  mjs: 'text/javascript',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain',
  wasm: 'application/wasm',
  xml: 'application/xml',
};

/** Progress event (XMLHttpRequest standard, section 6), which Node does not have. */
export class ProgressEvent extends Event {
  readonly lengthComputable: boolean;
  /** Number of bytes loaded. */
  readonly loaded: number;
  /** Total number of bytes; 0 if unknown. */
  readonly total: number;

  constructor(type: string, options: ProgressEventInit = {}) {
    super(type, options);
    this.lengthComputable = options.lengthComputable ?? false;
    this.loaded = options.loaded ?? 0;
    this.total = options.total ?? 0;
  }
}

/**
 * `fetch` and `Request` that accept relative addresses and paths. Node's `Request` accepts only
 * absolute URLs.
 */
export interface PageFetch {
  readonly fetch: typeof fetch;
  readonly Request: typeof Request;
}

/** Returns the type of the file at an address, or `null` if its ending is unknown. */
export function typeOfFile(address: string): string | null {
  const ending = /\.(\w+)(?:[?#].*)?$/.exec(address)?.[1] ?? '';
  return TYPE_BY_ENDING[ending.toLowerCase()] ?? null;
}

/** Creates `fetch` and `Request` that also find files of the page, as the document finds images. */
export function makePageFetch(services: ScopeServices): PageFetch {
  const fetchAbsolute = globalThis.fetch;
  /** Addresses as the program specified them. The services resolve them. */
  const addresses = new WeakMap<Request, string>();

  class PageRequest extends Request {
    constructor(input: RequestInfo | URL, init?: RequestInit) {
      super(input instanceof Request ? input : new URL(String(input), services.address), init);
      const given = input instanceof Request ? addresses.get(input) : String(input);
      addresses.set(this, given ?? this.url);
    }

    override clone(): Request {
      const cloned = super.clone();
      addresses.set(cloned, addresses.get(this)!); // Set by the constructor.
      return cloned;
    }
  }

  const fetchFile = async (address: string, signal: AbortSignal | null | undefined) => {
    signal?.throwIfAborted();
    let bytes: Uint8Array;
    try {
      bytes = await services.fetchBytes(address);
    } catch (cause) {
      throw new TypeError(`fetch failed: ${address}`, { cause });
    }
    signal?.throwIfAborted();
    const type = typeOfFile(address);
    const headers = {
      'Content-Length': String(bytes.length),
      ...(type === null ? {} : { 'Content-Type': type }),
    };
    const response = new Response(new Uint8Array(bytes), { headers });
    const url = URL.canParse(address, services.address)
      ? new URL(address, services.address).href
      : '';
    Object.defineProperty(response, 'url', { value: url, configurable: true });
    return response;
  };

  return {
    Request: PageRequest,
    fetch: (input, init) => {
      const isRequest = input instanceof Request;
      const address = isRequest ? (addresses.get(input) ?? input.url) : String(input);
      const signal = init?.signal ?? (isRequest ? input.signal : undefined);
      const response = isOfPage(address, services.address)
        ? fetchFile(address, signal)
        : fetchAbsolute(input, init);
      return services.pending.track(`fetch ${address}`, response);
    },
  };
}

/**
 * Whether the services read an address: files, files of a page's own origin, blobs of a creator.
 */
function isOfPage(address: string, { origin }: URL): boolean {
  if (address.startsWith('blob:')) return resolveObjectURL(address) === undefined;
  const isOwn = origin !== 'null' && URL.canParse(address) && new URL(address).origin === origin;
  return isOwn || !OF_NETWORK.test(address);
}
