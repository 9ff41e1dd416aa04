/** What the picture leaves out of a model, each said once. */
export class ImportWarnings {
  readonly #messages = new Set<string>();

  add(message: string): void {
    this.#messages.add(message);
  }

  list(): string[] {
    return [...this.#messages];
  }
}
