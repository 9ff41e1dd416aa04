/**
 * Recognition of what a page says about features that the implementation lacks. Pages of the
 * Khronos suite report a missing optional feature as a passed assertion, such as `No EXT_sRGB
 * support -- this is legal`, and end without their other assertions.
 */

/**
 * Passed assertion that states the absence of a feature. The wordings are those of the suite's
 * pages and `js/`. A format that need not be renderable is no feature, nor is what Chromium lacks
 * beside the extension that a page tests (the HDR profile of ASTC, `commit` of OffscreenCanvas).
 */
export const MISSING_FEATURE = new RegExp(
  [
    '^No .+ support\\b',
    '\\b(?:is not supported|is unavailable|support|supported|failed)\\b.* -{1,2} this is legal',
    '\\bis allowed to be missing\\b',
    '\\bMAY be unsupported\\b',
    '^Missing ext .+ is optional',
    '\\bnot supported, skipping tests',
    '\\bnot supported\\. \\(ok!\\)',
    '\\bnot present -- skipping test',
    '^WebCodecs API is not supported',
    '^EXT_color_buffer_float extension not supported',
  ].join('|'),
);
