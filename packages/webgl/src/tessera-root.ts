/** Folder of the sources of Tessera, or of an installed package. */

/** Start of the addresses of Tessera's modules, whose places are no places of a user's program. */
export const TESSERA_ROOT = new URL('../../', import.meta.url).href;
