/**
 * Formats figures for display. The format is English for every browser, like the rest of the page.
 */

const WHOLE = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const FRACTION = new Intl.NumberFormat('en', { maximumSignificantDigits: 4 });
const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 });
const PERCENT = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });
const MOMENT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });

/** Text for a missing figure. */
export const NO_FIGURE = '–';

/** Formats a number: 1234567 → 1,234,567; 1.23456 → 1.235; null → –. */
export function formatNumber(value: number | null | undefined): string {
  if (value === null || value === undefined) return NO_FIGURE;
  return Number.isInteger(value) ? WHOLE.format(value) : FRACTION.format(value);
}

/** Formats a number compactly: 1234567 → 1.23M. */
export function formatCompact(value: number | null): string {
  return value === null ? NO_FIGURE : COMPACT.format(value);
}

/** Formats a share: 0.1234 → 12.3%. */
export function formatShare(value: number | null): string {
  return value === null ? NO_FIGURE : PERCENT.format(value);
}

const BYTE_UNITS = ['B', 'KiB', 'MiB', 'GiB'] as const;

/** Formats a size: 1536 → 1.5 KiB. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < BYTE_UNITS.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${BYTE_UNITS[unit]}`;
}

/** Formats a duration: 95000 → 1 min 35 s; 1234 → 1.2 s; 12 → 12 ms. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min ${seconds % 60} s`;
}

/** Formats an ISO 8601 date and time in the reader's time zone. */
export function formatMoment(iso: string): string {
  return MOMENT.format(new Date(iso));
}

/** Returns the first characters of an id, for display. */
export function shortId(id: string): string {
  return id.slice(0, 8);
}

/**
 * Formats the change from `from` to `to`: +12.5%. Returns – if `from` is 0 or a figure is missing.
 */
export function formatChange(from: number | null, to: number | null): string {
  if (from === null || to === null || from === 0) return NO_FIGURE;
  const change = to / from - 1;
  return `${change > 0 ? '+' : ''}${PERCENT.format(change)}`;
}
