/**
 * Omission of texture contents that the passes of a frame clear, image by image, before reading
 * them. An example is a shadow map that still contains the draws of the previous frame. No pixel
 * depends on such contents, so they need not be sent.
 */
import {
  type Frame,
  levelSizeOf,
  type Pass,
  type TextureImage,
  type TextureResource,
} from '@tessera/frame';

/** Images of a texture that have been replaced so far, and whether any content was read before. */
interface Watched {
  readonly imageCount: number;
  readonly replaced: Set<string>;
  isRead: boolean;
}

/**
 * Returns the frame without the contents of textures that it replaces completely before reading
 * them.
 */
export function dropReplacedContents(frame: Frame): Frame {
  const watched = new Map<number, Watched>();
  for (const [index, texture] of frame.textures.entries()) {
    if (texture.levels.length === 0 || texture.isMipmapGenerated) continue;
    watched.set(index, {
      imageCount: countImages(texture),
      replaced: new Set(),
      isRead: false,
    });
  }
  for (const pass of frame.passes) watchPass(pass, watched);
  const isDropped = (index: number) => {
    const one = watched.get(index);
    return one !== undefined && !one.isRead && one.replaced.size === one.imageCount;
  };
  return {
    ...frame,
    textures: frame.textures.map((texture, index) =>
      isDropped(index)
        ? { ...texture, levels: [], levelCount: texture.levelCount ?? texture.levels.length }
        : texture,
    ),
  };
}

function watchPass(pass: Pass, watched: ReadonlyMap<number, Watched>): void {
  // Targets are cleared before the draws, which can sample other images of the same texture.
  const { target, loads = [], copies = [] } = pass;
  const replace = (image: TextureImage | null, isLoaded: boolean) => {
    const one = image === null ? undefined : watched.get(image.textureIndex);
    if (one === undefined) return;
    const place = `${image!.level ?? 0} ${image!.slice ?? 0}`;
    if (!isLoaded) one.replaced.add(place);
    else if (!one.replaced.has(place)) one.isRead = true;
  };
  if (target?.kind === 'texture') replace(target, loads.includes('color'));
  if (target?.kind === 'images') {
    for (const color of target.colors) replace(color, loads.includes('color'));
    replace(target.depthStencil, loads.includes('depth') || loads.includes('stencil'));
  }
  const read = (textureIndex: number) => {
    const one = watched.get(textureIndex);
    if (one !== undefined && one.replaced.size < one.imageCount) one.isRead = true;
  };
  for (const { textures } of pass.draws) {
    for (const { textureIndex } of Object.values(textures)) read(textureIndex);
  }
  // A copy can leave the texels around it unchanged.
  for (const { into } of copies) read(into.textureIndex);
}

function countImages(texture: TextureResource): number {
  const levelCount = texture.levelCount ?? texture.levels.length;
  let images = 0;
  for (let level = 0; level < levelCount; level++) images += levelSizeOf(texture, level).sliceCount;
  return images;
}
