/** Lines of a draw's textures in simulated memory. */
export interface TextureLines {
  /** Memory with the table of lines; see line-table.ts of the texture unit. */
  readonly words: Int32Array;
  /** Index of the word of line 0 of memory; see wordOfLineZero. */
  readonly lineZero: number;
  /** First line of the texture in simulated memory, by texture slot. */
  readonly firstLines: Int32Array;
}
