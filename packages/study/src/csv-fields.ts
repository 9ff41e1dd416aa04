/** Fields of CSV (RFC 4180), for programs and for pages. */

/** Returns a field of CSV, quoted if it needs that. */
export function quoteCsv(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Returns a field that holds a text, which spreadsheets do not evaluate as a formula. */
export function textField(text: string): string {
  return quoteCsv(/^[=+@\t\r-]/.test(text) ? `'${text}` : text);
}
