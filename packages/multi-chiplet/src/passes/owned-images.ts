/** Images of a frame with the owners of their pixels, as passes draw and copy them. */
import {
  levelSizeOf,
  type PassLink,
  type TargetCopy,
  type TextureImage,
  type TextureResource,
  texelBytesOf,
} from '@tessera/frame';
import type { BinPart } from '../bins/bin-splitting.ts';
import { DEPTH_STENCIL_BYTES } from './compositor.ts';
import { imageKey, type PassAttachments } from './pass-attachments.ts';
import {
  CLEARED,
  copyOwners,
  drawOwners,
  emptyOwners,
  type OwnedRect,
  type OwnerMap,
  ownerOf,
} from './target-owners.ts';

/** Image of a texture with the owners of its pixels. */
export interface OwnedImage {
  readonly level: number;
  readonly slice: number;
  readonly map: OwnerMap;
}

/** Image that the bins of a pass load, and the bytes of its pixels. */
export interface LoadedImage {
  readonly map: OwnerMap;
  readonly pixelBytes: number;
}

/** Pass that draws into images. */
export interface DrawingPass {
  readonly passIndex: number;
  readonly attachments: PassAttachments;
  readonly link: PassLink;
  readonly parts: readonly Pick<BinPart, 'rect' | 'summary'>[];
}

const SCREEN_KEY = 'screen';

/** Owners of all images of a frame. */
export class OwnedImages {
  readonly #maps = new Map<string, OwnerMap>();
  /** Drawn images by texture, and those by their keys. */
  readonly #images = new Map<number, Map<string, Required<TextureImage>>>();

  /** Lists the images of a texture that passes drew or copied to. */
  imagesOf(textureIndex: number): readonly OwnedImage[] {
    return [...(this.#images.get(textureIndex) ?? [])].map(([key, { level, slice }]) => ({
      ...{ level, slice },
      map: this.#maps.get(key)!,
    }));
  }

  /** Lists the images that a pass loads. */
  loadedBy(
    { colors, depthStencil, sampleCount, ...size }: PassAttachments,
    { loads }: PassLink,
    textures: (textureIndex: number) => TextureResource,
  ): readonly LoadedImage[] {
    const mapOf = (key: string, image: TextureImage | null) =>
      this.#maps.get(key) ?? emptyMap(image, size, textures);
    const loaded: LoadedImage[] = [];
    for (const color of colors) {
      if (color === null || !loads.includes('color')) continue;
      const map = mapOf(colorKey(color.image), color.image);
      loaded.push({ map, pixelBytes: texelBytesOf({ format: color.format, sampleCount }) });
    }
    if (depthStencil !== null && isDepthLoaded(loads)) {
      const image = 'ownedBy' in depthStencil ? null : depthStencil;
      const map = mapOf(depthKey(depthStencil), image);
      loaded.push({ map, pixelBytes: DEPTH_STENCIL_BYTES * sampleCount });
    }
    return loaded;
  }

  /** Records what a pass has drawn and copied. */
  draw(
    { passIndex, attachments, link, parts }: DrawingPass,
    textures: (textureIndex: number) => TextureResource,
  ): void {
    const { colors, depthStencil, ...size } = attachments;
    const rectsOf = (isLoaded: boolean): OwnedRect[] =>
      parts.map(({ rect, summary }, binIndex) => {
        if (summary.primitives > 0) return { rect, owner: ownerOf(passIndex, binIndex) };
        return { rect, owner: isLoaded ? null : CLEARED };
      });
    const drawInto = (key: string, image: TextureImage | null, isLoaded: boolean) => {
      const map = this.#maps.get(key) ?? emptyMap(image, size, textures);
      this.#maps.set(key, drawOwners(map, size.heightPx, rectsOf(isLoaded)));
      if (image !== null) this.#note(image);
    };
    for (const color of colors) {
      if (color === null) continue;
      drawInto(colorKey(color.image), color.image, link.loads.includes('color'));
    }
    if (depthStencil !== null) {
      const image = 'ownedBy' in depthStencil ? null : depthStencil;
      drawInto(depthKey(depthStencil), image, isDepthLoaded(link.loads));
    }
    for (const copy of link.copies) this.#copy(copy, attachments, textures);
  }

  #copy(
    { source, into, intoX, intoY, sourceX, sourceY, widthPx, heightPx }: TargetCopy,
    { colors, depthStencil }: PassAttachments,
    textures: (textureIndex: number) => TextureResource,
  ): void {
    const key =
      source === 'depth-stencil' ? depthKey(depthStencil!) : colorKey(colors[source]!.image);
    const intoMap = this.#maps.get(imageKey(into)) ?? emptyMap(into, NO_SIZE, textures);
    const rect = { x: intoX, y: intoY, width: widthPx, height: heightPx };
    const from = { x: sourceX, y: sourceY };
    this.#maps.set(imageKey(into), copyOwners(intoMap, this.#maps.get(key)!, rect, from));
    this.#note(into);
  }

  #note(image: TextureImage): void {
    const { textureIndex, level = 0, slice = 0 } = image;
    const images = this.#images.get(textureIndex) ?? new Map();
    images.set(imageKey(image), { textureIndex, level, slice });
    this.#images.set(textureIndex, images);
  }
}

/** Size of an image that is not the screen's or its depth. */
const NO_SIZE = { widthPx: 0, heightPx: 0 };

function colorKey(image: TextureImage | null): string {
  return image === null ? SCREEN_KEY : imageKey(image);
}

function depthKey(depth: NonNullable<PassAttachments['depthStencil']>): string {
  return 'ownedBy' in depth ? `depth of ${depth.ownedBy}` : imageKey(depth);
}

function isDepthLoaded(loads: PassLink['loads']): boolean {
  return loads.some((aspect) => aspect !== 'color');
}

/** Returns the map of an image of a texture, or of one of the given size. */
function emptyMap(
  image: TextureImage | null,
  size: { readonly widthPx: number; readonly heightPx: number },
  textures: (textureIndex: number) => TextureResource,
): OwnerMap {
  const { widthPx, heightPx } =
    image === null ? size : levelSizeOf(textures(image.textureIndex), image.level ?? 0);
  return emptyOwners(widthPx, heightPx);
}
