/** Size of a line in bytes. Local memory is read, written and cached by lines. */
export const LINE_BYTES = 64;
