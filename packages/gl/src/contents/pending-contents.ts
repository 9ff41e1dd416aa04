/**
 * Contents drawn by frames that were taken but are not yet rendered, and their occlusion queries.
 * They are resolved when a call depends on them, or adopted when the frame's renderer returns them.
 */
import type { TextureResource } from '@tessera/frame';
import type { ImageContents, ImageObject } from './image-contents.ts';

/** Upper bound on pending frames. A program that alternates between several targets needs a few. */
const MAX_PENDING_FRAMES = 3;

/** Taken frame, with the contents that it draws and its occlusion queries. */
interface TakenFrame {
  readonly list: {
    readonly contents: ImageContents;
    /** Whether a query counts draws of a pass that was not rendered. */
    readonly hasUncountedQueries: boolean;
  };
}

/** Queue of frames with pending contents. The newest frame is last. */
export class PendingContents<Taken extends TakenFrame> {
  readonly #render: (frame: Taken, wanted: ReadonlySet<ImageObject>) => void;
  #frames: Taken[] = [];

  /**
   * @param render Renders the passes of a frame that the wanted objects and its queries depend on,
   *   and stores the contents in these objects.
   */
  constructor(render: (frame: Taken, wanted: ReadonlySet<ImageObject>) => void) {
    this.#render = render;
  }

  /** Adds a frame that was taken. Resolves the oldest frame if there are too many. */
  add(taken: Taken): void {
    this.#frames.push(taken);
    if (this.#frames.length === 1) return;
    this.#frames = this.#frames.filter(
      (frame, age) =>
        frame === taken || frame.list.hasUncountedQueries || this.#listHeld(age, null).length > 0,
    );
    if (this.#frames.length > MAX_PENDING_FRAMES) this.#resolveOldest(null);
  }

  /**
   * Whether a pending frame drew the current contents of an object.
   *
   * @param current Contents drawn since the newest pending frame.
   */
  isPending(object: ImageObject, current: ImageContents): boolean {
    return (
      this.#frames.some(({ list }) => list.contents.indexOf(object) !== null) &&
      current.indexOf(object) === null
    );
  }

  /**
   * Renders all pending frames.
   *
   * @param current Contents drawn since the newest pending frame. They are not changed.
   */
  resolve(current: ImageContents): void {
    while (this.#frames.length > 0) this.#resolveOldest(current);
  }

  /**
   * Adopts the textures that the renderer returned for the newest frame.
   *
   * @param drawnTextures Contents by texture index in that frame.
   * @param current Contents drawn since that frame.
   */
  adopt(drawnTextures: ReadonlyMap<number, TextureResource>, current: ImageContents): void {
    if (this.#frames.length === 0) return;
    const held = new Set(this.#listHeld(this.#frames.length - 1, current));
    const { list } = this.#frames.pop()!;
    list.contents.adopt(drawnTextures, (object) => held.has(object));
  }

  #resolveOldest(current: ImageContents | null): void {
    const wanted = new Set(this.#listHeld(0, current));
    const frame = this.#frames.shift()!;
    if (wanted.size > 0 || frame.list.hasUncountedQueries) this.#render(frame, wanted);
  }

  /**
   * Returns the objects that still hold contents drawn by a frame.
   *
   * @param age Index of the frame in the queue.
   * @param current Contents drawn since the newest pending frame.
   */
  #listHeld(age: number, current: ImageContents | null): readonly ImageObject[] {
    const younger = this.#frames.slice(age + 1).map(({ list }) => list.contents);
    if (current !== null) younger.push(current);
    const drawn = this.#frames[age]!.list.contents.list();
    return drawn.filter((object) => younger.every((contents) => contents.indexOf(object) === null));
  }
}
