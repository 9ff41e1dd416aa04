/**
 * Contents of images: which textures and renderbuffers the passes of one recorded frame have drawn.
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
 *        └── upload or new storage, from any state: the object gets another version
 *
 * A texture counts as drawn into (`isDrawnInto`) in all states but `uploaded`. The texture index leads to the
 * pass that drew it: in `ImageContents` of the frame in progress, or of a frame in `PendingContents`.
 * Unknown contents are blank to later passes; a draw that samples them is rejected.
 */
import type { TextureResource } from '@tessera/frame';
import type { RenderbufferObject } from '../objects/framebuffers/renderbuffer-object.ts';
import type { TextureObject } from '../objects/textures/texture-object.ts';

/** Object that holds images. */
export type ImageObject = TextureObject | RenderbufferObject;

/** Image of an object: a level and a slice of a texture, or 0 and 0 for a renderbuffer. */
export interface ObjectImage {
  readonly object: ImageObject;
  readonly level: number;
  readonly slice: number;
}

/** Object that the passes of a frame draw into. */
interface DrawnObject {
  /** Version of the object when it was drawn. With another version the drawn contents are gone. */
  readonly version: number;
  /** Index of the frame's texture. */
  readonly textureIndex: number;
  /** Whether the frame holds the contents from before its first pass. */
  readonly isGiven: boolean;
  /** Images that passes or copies have written, by level and slice. */
  readonly written: Set<string>;
}

/** Images drawn by the passes of one frame. */
export class ImageContents {
  readonly #drawn = new Map<ImageObject, DrawnObject>();

  /** Returns the index of the frame's texture that has an object's contents; `null` if no pass drew them. */
  indexOf(object: ImageObject): number | null {
    const drawn = this.#drawn.get(object);
    return drawn !== undefined && drawn.version === object.version ? drawn.textureIndex : null;
  }

  /** Returns the objects whose contents passes of this frame have drawn. */
  list(): ImageObject[] {
    return this.#current().map(([object]) => object);
  }

  #current(): (readonly [ImageObject, DrawnObject])[] {
    return [...this.#drawn].filter(([object, { version }]) => object.version === version);
  }

  /** Adds an object that a pass is about to draw into. @param isGiven Whether the frame holds its contents. */
  add(object: ImageObject, textureIndex: number, isGiven: boolean): void {
    const { version } = object;
    this.#drawn.set(object, { version, textureIndex, isGiven, written: new Set() });
  }

  /** Records that a pass or copy writes an image of an added object. */
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

  /** Drops objects whose contents are drawn by something the frame cannot hold: they are unknown. */
  drop(objects: Iterable<ImageObject>): void {
    for (const object of objects) this.#drawn.delete(object);
  }

  /**
   * Gives rendered contents to the objects that still hold them.
   *
   * @param drawn Rendered contents by index of the frame's textures.
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

  /** Returns the indices of the frame's textures with the current contents of all or some objects. */
  listIndices(isWanted: (object: ImageObject) => boolean = () => true): number[] {
    const wanted = this.#current().filter(([object]) => isWanted(object));
    return wanted.map(([, { textureIndex }]) => textureIndex);
  }

  /**
   * Copies the objects whose textures another frame also has.
   *
   * @param newIndexOf Returns the index in the other frame, or `undefined`.
   */
  copyTo(other: ImageContents, newIndexOf: (textureIndex: number) => number | undefined): void {
    for (const [object, drawn] of this.#current()) {
      const textureIndex = newIndexOf(drawn.textureIndex);
      if (textureIndex !== undefined) other.#drawn.set(object, { ...drawn, textureIndex });
    }
  }
}

/** Returns whether an object holds more than one image, so that a pass into one keeps the others. */
export function hasOtherImages(object: ImageObject): boolean {
  return 'levels' in object && !object.levels.isOneImage;
}

const placeOf = ({ level, slice }: ObjectImage): string => `${level} ${slice}`;
