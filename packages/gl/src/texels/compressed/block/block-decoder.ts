/**
 * Function that decodes one block into its texels, row by row.
 *
 * @param block Encoded bytes of the block.
 * @param texels Destination, with room for all texels of the block.
 */
export type BlockDecoder = (block: DataView, texels: Uint8Array) => void;
