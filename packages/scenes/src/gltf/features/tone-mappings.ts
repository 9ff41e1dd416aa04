/** Mappings of radiance to the colors of a display. */

/** Names of the tone mappings. */
export const TONE_MAPPINGS = ['neutral', 'aces', 'agx', 'linear'] as const;
/** Name of a tone mapping of {@link TONE_MAPPINGS}. */
export type ToneMapping = (typeof TONE_MAPPINGS)[number];
