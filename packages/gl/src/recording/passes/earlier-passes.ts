/**
 * Selects and compacts the passes of skipped frames. A later frame may sample textures that they
 * drew, so they are kept until other contents replace the textures.
 */
import type { Draw } from '@tessera/frame';
import type { FrameAssembler, ResourceIndices } from './frame-assembler.ts';
import type { RecordedPass } from './recorded-pass.ts';

/**
 * Returns the passes, in order, that the contents of the textures in `wanted` depend on.
 *
 * @param wanted Texture indices in the frame.
 * @param isKept Returns whether a pass is kept in any case, such as a pass of the current frame.
 */
export function selectNeeded(
  passes: readonly RecordedPass[],
  wanted: Iterable<number>,
  isKept: (pass: RecordedPass) => boolean,
): RecordedPass[] {
  const needed = new Set(wanted);
  const places = placesByTexture(passes);
  const selected: RecordedPass[] = [];
  for (const pass of passes.toReversed()) {
    const written = pass.images.map(({ textureIndex }) => textureIndex);
    const copied = pass.copies.map(({ into }) => into.textureIndex);
    if (!isKept(pass) && ![...written, ...copied].some((index) => needed.has(index))) continue;
    selected.push(pass);
    if (pass.loads.size === 0) {
      // Earlier passes into a fully replaced texture are not needed, unless a selected pass samples
      // what they drew.
      for (const index of written) if (places.get(index)!.size === 1) needed.delete(index);
    }
    for (const index of pass.loads.size === 0 ? [] : written) needed.add(index);
    for (const draw of pass.draws) for (const index of texturesOf(draw)) needed.add(index);
  }
  return selected.reverse();
}

/**
 * Returns the textures, by index, whose contents depend on passes to the screen: copies of the
 * screen, and what draws that sample such textures draw.
 */
export function readScreen(
  passes: readonly RecordedPass[],
  isOnScreen: (pass: RecordedPass) => boolean,
): Set<number> {
  const dependent = new Set<number>();
  for (const pass of passes) {
    const isDependent =
      isOnScreen(pass) ||
      pass.images.some(({ textureIndex }) => dependent.has(textureIndex)) ||
      pass.draws.some((draw) => texturesOf(draw).some((index) => dependent.has(index)));
    if (!isDependent) continue;
    for (const { textureIndex } of pass.images) dependent.add(textureIndex);
    for (const { into } of pass.copies) dependent.add(into.textureIndex);
  }
  return dependent;
}

/** Returns the written images (level and slice) of each texture, by texture index. */
function placesByTexture(passes: readonly RecordedPass[]): Map<number, Set<string>> {
  const places = new Map<number, Set<string>>();
  const add = (index: number, level = 0, slice = 0): void => {
    places.set(index, (places.get(index) ?? new Set()).add(`${level} ${slice}`));
  };
  for (const { images, copies } of passes) {
    for (const { image, textureIndex } of images) add(textureIndex, image.level, image.slice);
    for (const { into } of copies) add(into.textureIndex, into.level, into.slice);
  }
  return places;
}

const texturesOf = ({ textures }: Draw): number[] =>
  Object.values(textures).map(({ textureIndex }) => textureIndex);

/**
 * Copies passes into an assembler that holds only their resources and `textureIndices`. Also
 * returns the new indices.
 */
export function compactPasses(
  passes: readonly RecordedPass[],
  textureIndices: Iterable<number>,
  assembler: FrameAssembler,
): { passes: RecordedPass[]; assembler: FrameAssembler; indices: ResourceIndices } {
  const draws = passes.flatMap((pass) => pass.draws);
  const { compacted, indices } = assembler.compact({
    programs: draws.map(({ programIndex }) => programIndex),
    buffers: draws.flatMap(({ indices: source, edgeFlags, attributes }) => [
      ...(source === null ? [] : [source.bufferIndex]),
      ...(edgeFlags === undefined ? [] : [edgeFlags.bufferIndex]),
      ...Object.values(attributes).flatMap((attribute) =>
        attribute.kind === 'buffer' ? [attribute.bufferIndex] : [],
      ),
    ]),
    textures: [
      ...textureIndices,
      ...draws.flatMap(texturesOf),
      ...passes.flatMap(({ images, copies }) => [
        ...images.map(({ textureIndex }) => textureIndex),
        ...copies.map(({ into }) => into.textureIndex),
      ]),
    ],
  });
  compacted.countDraws(draws.length);
  const moved = passes.map((pass) => ({
    ...pass,
    images: pass.images.map((image) => ({
      ...image,
      textureIndex: indices.textures.get(image.textureIndex)!,
    })),
    draws: pass.draws.map((draw) => moveDraw(draw, indices)),
    copies: pass.copies.map((copy) => ({
      ...copy,
      into: { ...copy.into, textureIndex: indices.textures.get(copy.into.textureIndex)! },
    })),
  }));
  return { passes: moved, assembler: compacted, indices };
}

function moveDraw(draw: Draw, { programs, buffers, textures }: ResourceIndices): Draw {
  const { indices, edgeFlags, attributes } = draw;
  const mapValues = <Value>(
    record: Readonly<Record<string, Value>>,
    move: (value: Value) => Value,
  ): Record<string, Value> =>
    Object.fromEntries(Object.entries(record).map(([name, value]) => [name, move(value)]));
  return {
    ...draw,
    programIndex: programs.get(draw.programIndex)!,
    indices:
      indices === null ? null : { ...indices, bufferIndex: buffers.get(indices.bufferIndex)! },
    ...(edgeFlags === undefined
      ? {}
      : { edgeFlags: { ...edgeFlags, bufferIndex: buffers.get(edgeFlags.bufferIndex)! } }),
    attributes: mapValues(attributes, (source) =>
      source.kind === 'buffer'
        ? { ...source, bufferIndex: buffers.get(source.bufferIndex)! }
        : source,
    ),
    textures: mapValues(draw.textures, (binding) => ({
      ...binding,
      textureIndex: textures.get(binding.textureIndex)!,
    })),
  };
}
