/** Licenses of packages that the project may use, and the packages that are exceptions. */

/** SPDX identifiers of licenses that any package may have. They ask for a notice at most. */
export const ALLOWED_LICENSES: readonly string[] = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'Unlicense',
];

/**
 * Licenses of development packages beyond these. Files under MPL-2.0 stay under it when they are
 * passed on, and no image, package or page of the project has files of a development package.
 */
export const ALLOWED_IN_DEVELOPMENT: readonly string[] = ['MPL-2.0'];

/** A package whose manifest names no SPDX expression. */
interface LicenseException {
  /** License that its text grants. */
  readonly license: string;
  /** Says what was read. */
  readonly reason: string;
}

/** Exceptions by name and version. */
export const LICENSE_EXCEPTIONS: Readonly<Record<string, LicenseException>> = {
  'duplexer2@0.0.2': {
    license: 'BSD-3-Clause',
    reason: "its manifest says 'BSD', its LICENSE.md is the text of three clauses",
  },
  'indexof@0.0.1': { license: 'MIT', reason: 'no field, its Readme.md says MIT' },
  'xtend@2.1.2': {
    license: 'MIT',
    reason: "its manifest has the old field 'licenses', its LICENCE is the text of MIT",
  },
};
