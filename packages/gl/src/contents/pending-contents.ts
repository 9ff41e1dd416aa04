/**
 * Contents drawn by frames that were taken and are not rendered yet. They are resolved when a call depends on
 * them, or adopted when the renderer of the frame returns them.
 */
import type { TextureResource } from '@tessera/frame';
import type { ImageContents, ImageObject } from './image-contents.ts';

/** Upper bound on pending frames. Programs that draw into several targets in turn need a few. */
const MAX_PENDING_FRAMES = 3;

/** Frame that was taken, with its drawn images. */
interface TakenFrame {
  readonly list: { readonly contents: ImageContents };
}

/** Frames with pending contents, the youngest last. */
export class PendingContents<Taken extends TakenFrame> {
  readonly #render: (frame: Taken, wanted: ReadonlySet<ImageObject>) => void;
  #frames: Taken[] = [];

  /** @param render Renders what the wanted objects need of a frame, and gives them their contents. */
  constructor(render: (frame: Taken, wanted: ReadonlySet<ImageObject>) => void) {
    this.#render = render;
  }

  /** Adds a frame that was taken. Renders the oldest one if there are too many. */
  add(taken: Taken): void {
    this.#frames.push(taken);
    if (this.#frames.length === 1) return;
    this.#frames = this.#frames.filter(
      (frame, age) => frame === taken || this.#listHeld(age, null).length > 0,
    );
    if (this.#frames.length > MAX_PENDING_FRAMES) this.#resolveOldest(null);
  }

  /**
   * Whether the contents of an object were drawn by a pending frame.
   *
   * @param current Contents drawn since the youngest pending frame.
   */
  isPending(object: ImageObject, current: ImageContents): boolean {
    return (
      this.#frames.some(({ list }) => list.contents.indexOf(object) !== null) &&
      current.indexOf(object) === null
    );
  }

  /** Renders all pending frames. @param current Contents drawn since; they are not changed. */
  resolve(current: ImageContents): void {
    while (this.#frames.length > 0) this.#resolveOldest(current);
  }

  /** Adopts what the youngest frame drew, as its renderer returned it, by index of the frame's textures. */
  adopt(drawnTextures: ReadonlyMap<number, TextureResource>, current: ImageContents): void {
    if (this.#frames.length === 0) return;
    const held = new Set(this.#listHeld(this.#frames.length - 1, current));
    const { list } = this.#frames.pop()!;
    list.contents.adopt(drawnTextures, (object) => held.has(object));
  }

  #resolveOldest(current: ImageContents | null): void {
    const wanted = new Set(this.#listHeld(0, current));
    const frame = this.#frames.shift()!;
    if (wanted.size > 0) this.#render(frame, wanted);
  }

  /** Returns the objects that still hold what a frame drew. @param current Contents drawn since all frames. */
  #listHeld(age: number, current: ImageContents | null): readonly ImageObject[] {
    const younger = this.#frames.slice(age + 1).map(({ list }) => list.contents);
    if (current !== null) younger.push(current);
    const drawn = this.#frames[age]!.list.contents.list();
    return drawn.filter((object) => younger.every((contents) => contents.indexOf(object) === null));
  }
}
