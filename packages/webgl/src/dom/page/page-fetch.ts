/** `fetch`, `Request` and `ProgressEvent` of a page: what loaders of libraries fetch files with. */
import type { Document } from '../elements/document.ts';

const OF_NETWORK = /^(https?|data|blob):/;

/** An event of something that is being loaded (XMLHttpRequest, section 6). Node has none. */
export class ProgressEvent extends Event {
  readonly lengthComputable: boolean;
  /** In bytes. */
  readonly loaded: number;
  /** In bytes; 0 where it is not known. */
  readonly total: number;

  constructor(type: string, options: ProgressEventInit = {}) {
    super(type, options);
    this.lengthComputable = options.lengthComputable ?? false;
    this.loaded = options.loaded ?? 0;
    this.total = options.total ?? 0;
  }
}

/** Node's `Request` takes absolute URLs alone; those of a page may be relative, or paths. */
export interface PageFetch {
  readonly fetch: typeof fetch;
  readonly Request: typeof Request;
}

/**
 * Makes `fetch` and `Request` that find files of the page too, as the document finds images.
 *
 * @param pageAddress What the `url` of a request with a relative address begins with.
 */
export function makePageFetch(document: Document, pageAddress: URL): PageFetch {
  const fetchAbsolute = globalThis.fetch;
  /** Addresses as the program gave them: the document says what they are relative to. */
  const addresses = new WeakMap<Request, string>();

  class PageRequest extends Request {
    constructor(input: RequestInfo | URL, init?: RequestInit) {
      super(input instanceof Request ? input : new URL(String(input), pageAddress), init);
      const given = input instanceof Request ? addresses.get(input) : String(input);
      addresses.set(this, given ?? this.url);
    }

    override clone(): Request {
      const cloned = super.clone();
      addresses.set(cloned, addresses.get(this)!); // set by the constructor
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
