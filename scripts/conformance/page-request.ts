/**
 * `XMLHttpRequest` for test pages, which load text and images with it. It reads files of the suite
 * and never a network.
 */
import { readFile, readFileSync } from 'node:fs';
import { fireEvent } from '@tessera/webgl/dom';

/**
 * Creates the class.
 *
 * @param locate Returns the path of the file at an address of the page.
 */
export function makeRequestClass(locate: (address: string) => string): unknown {
  return class XMLHttpRequest extends EventTarget {
    readyState = 0;
    status = 0;
    responseType = '';
    response: unknown = null;
    #path = '';
    #isAsync = true;

    get responseText(): string {
      return typeof this.response === 'string' ? this.response : '';
    }

    open(_method: string, address: string, isAsync = true): void {
      this.#path = locate(address);
      this.#isAsync = isAsync;
    }

    setRequestHeader(): void {}

    overrideMimeType(): void {}

    send(): void {
      if (this.#isAsync) readFile(this.#path, (error, bytes) => this.#finish(error, bytes));
      else this.#finish(null, readFileSync(this.#path));
    }

    #finish(error: Error | null, bytes: Buffer): void {
      this.readyState = 4;
      this.status = error === null ? 200 : 404;
      if (error === null) {
        const copy = new Uint8Array(bytes);
        if (this.responseType === 'arraybuffer') this.response = copy.buffer;
        else if (this.responseType === 'blob') this.response = new Blob([copy]);
        else this.response = bytes.toString('utf8');
      }
      fireEvent(this, new Event('readystatechange'));
      fireEvent(this, new Event(error === null ? 'load' : 'error'));
    }
  };
}
