/** `fetch`, `Request` and `ProgressEvent` of a page, which loaders of libraries use. */
import type { Document } from '../elements/document.ts';

const OF_NETWORK = /^(https?|data|blob):/;

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

/**
 * Creates `fetch` and `Request` that also find files of the page, as the document finds images.
 *
 * @param pageAddress Base of the `url` of a request with a relative address.
 */
export function makePageFetch(document: Document, pageAddress: URL): PageFetch {
  const fetchAbsolute = globalThis.fetch;
  /** Addresses as the program specified them. The document resolves them. */
  const addresses = new WeakMap<Request, string>();

  class PageRequest extends Request {
    constructor(input: RequestInfo | URL, init?: RequestInit) {
      super(input instanceof Request ? input : new URL(String(input), pageAddress), init);
      const given = input instanceof Request ? addresses.get(input) : String(input);
      addresses.set(this, given ?? this.url);
    }

    override clone(): Request {
      const cloned = super.clone();
      addresses.set(cloned, addresses.get(this)!); // Set by the constructor.
      return cloned;
    }
  }

  return {
    Request: PageRequest,
    fetch: async (input, init) => {
      const isRequest = input instanceof Request;
      const address = isRequest ? (addresses.get(input) ?? input.url) : String(input);
      if (OF_NETWORK.test(address)) return fetchAbsolute(input, init);
      const signal = init?.signal ?? (isRequest ? input.signal : undefined);
      signal?.throwIfAborted();
      let bytes: Uint8Array;
      try {
        bytes = await document.fetchBytes(address);
      } catch (cause) {
        throw new TypeError(`fetch failed: ${address}`, { cause });
      }
      signal?.throwIfAborted();
      const headers = { 'Content-Length': String(bytes.length) };
      return new Response(new Uint8Array(bytes), { headers });
    },
  };
}
