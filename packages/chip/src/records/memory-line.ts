/** Bytes of a line: the unit in which everything in local memory is read, written and cached. */
export const LINE_BYTES = 64;
