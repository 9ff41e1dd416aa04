/**
 * Tracks which textures and renderbuffers the passes of one recorded frame have drawn.
 *
 *     ┌──────────┐  a pass or copy writes it  ┌─────────────────┐
 *     │ uploaded │ ──────────────────────────►│ drawn by a pass │  a frame cannot hold it
 *     │          │ ◄──── resolve: render ──── │ of this frame   │ ───────────────────────► unknown
 *     └──────────┘                            └─────────────────┘
 *        ▲    ▲                                        │ the frame is taken
 *        │    │                                        ▼
 *        │    │  resolve: render, or adopt    ┌─────────────────┐
 *        │    └────────────────────────────── │ pending         │
 *        │       what its renderer returned   └─────────────────┘
 *        └── upload or new storage, from any state: the object gets a new version
 *
 * A texture counts as drawn into (`isDrawnInto`) in every state except `uploaded`. Its texture
 * index identifies the passes that drew it, either in the frame in progress or in a pending frame
 * (`PendingContents`). Later passes treat unknown contents as blank. A draw that samples them is
 * rejected.
 */
import type { TextureResource } from '@tessera/frame';
import type { RenderbufferObject } from '../objects/framebuffers/renderbuffer-object.ts';
import type { TextureObject } from '../objects/textures/texture-object.ts';

/** Texture or renderbuffer whose images passes can draw into. */
export type ImageObject = TextureObject | RenderbufferObject;

/** Image of an object: level and slice of a texture. Both are 0 for a renderbuffer. */
export interface ObjectImage {
  readonly object: ImageObject;
  readonly level: number;
  readonly slice: number;
}

/** Object that the passes of a frame draw into. */
interface DrawnObject {
  /**
   * Version of the object when it was drawn. The drawn contents are valid only for this version.
   */
  readonly version: number;
  /** Index of the texture in the frame. */
  readonly textureIndex: number;
  /** Whether the frame holds the object's contents from before its first pass. */
  readonly isGiven: boolean;
  /** Images that passes or copies have written, keyed by level and slice. */
  readonly written: Set<string>;
}

/** Images drawn by the passes of one frame. */
export class ImageContents {
  readonly #drawn = new Map<ImageObject, DrawnObject>();

  /**
   * Returns the frame's texture index for an object, or `null` if no pass drew its current
   * contents.
   */
  indexOf(object: ImageObject): number | null {
    const drawn = this.#drawn.get(object);
    return drawn !== undefined && drawn.version === object.version ? drawn.textureIndex : null;
  }

  /** Returns the objects whose current contents were drawn by passes of this frame. */
  list(): ImageObject[] {
    return this.#current().map(([object]) => object);
  }

  #current(): (readonly [ImageObject, DrawnObject])[] {
    return [...this.#drawn].filter(([object, { version }]) => object.version === version);
  }

  /**
   * Adds an object that a pass is about to draw into.
   *
   * @param isGiven Whether the frame holds the object's previous contents.
   */
  add(object: ImageObject, textureIndex: number, isGiven: boolean): void {
    const { version } = object;
    this.#drawn.set(object, { version, textureIndex, isGiven, written: new Set() });
  }

  /** Records that a pass or copy writes an image. Its object must have been added. */
  markWritten(image: ObjectImage): void {
    this.#drawn.get(image.object)!.written.add(placeOf(image));
  }

  /** Whether a pass or copy has written this image. */
  isWritten(image: ObjectImage): boolean {
    if (this.indexOf(image.object) === null) return false;
    return this.#drawn.get(image.object)!.written.has(placeOf(image));
  }

  /** Whether any image of an added object was written. */
  hasWrites(object: ImageObject): boolean {
    return this.#drawn.get(object)!.written.size > 0;
  }

  /** Whether passes or copies have written images of an object above level 0. */
  hasWrittenLevels(object: ImageObject): boolean {
    if (this.indexOf(object) === null) return false;
    return [...this.#drawn.get(object)!.written].some((place) => !place.startsWith('0 '));
  }

  /** Whether the frame holds the contents of an added object from before its first pass. */
  isGiven(object: ImageObject): boolean {
    return this.#drawn.get(object)!.isGiven;
  }

  /**
   * Makes the contents of objects unknown, because a draw that the frame cannot hold wrote them.
   */
  drop(objects: Iterable<ImageObject>): void {
    for (const object of objects) this.#drawn.delete(object);
  }

  /**
   * Stores rendered contents in the objects that still have the version that was drawn.
   *
   * @param drawn Rendered contents by texture index in the frame.
   */
  adopt(
    drawn: ReadonlyMap<number, TextureResource>,
    isWanted: (object: ImageObject) => boolean = () => true,
  ): void {
    for (const [object, { textureIndex }] of this.#current()) {
      const texture = drawn.get(textureIndex);
      if (texture !== undefined && isWanted(object)) object.adopt(texture);
    }
  }

  /** Returns the frame's texture indices of the selected objects whose contents are current. */
  listIndices(isWanted: (object: ImageObject) => boolean = () => true): number[] {
    const wanted = this.#current().filter(([object]) => isWanted(object));
    return wanted.map(([, { textureIndex }]) => textureIndex);
  }

  /**
   * Copies the entries of objects whose textures another frame also has.
   *
   * @param newIndexOf Returns the texture index in the other frame, or `undefined`.
   */
  copyTo(other: ImageContents, newIndexOf: (textureIndex: number) => number | undefined): void {
    for (const [object, drawn] of this.#current()) {
      const textureIndex = newIndexOf(drawn.textureIndex);
      if (textureIndex !== undefined) other.#drawn.set(object, { ...drawn, textureIndex });
    }
  }
}

/**
 * Returns whether an object has more than one image, so that a pass into one image keeps the
 * others.
 */
export function hasOtherImages(object: ImageObject): boolean {
  return 'levels' in object && !object.levels.isOneImage;
}

const placeOf = ({ level, slice }: ObjectImage): string => `${level} ${slice}`;
