/**
 * One event of a stream of server-sent events (WHATWG HTML, section 9.2), as this service writes
 * it.
 */

export interface ServerSentEvent {
  /** Id of the event, for `Last-Event-ID`. */
  readonly id: string;
  readonly name: string;
  /** Parsed JSON data. */
  readonly body: unknown;
}

/** Parses the events of a stream as they arrive. */
export async function* readServerSentEvents(
  stream: AsyncIterable<Uint8Array>,
): AsyncGenerator<ServerSentEvent> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of stream) {
    const blocks = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = parseBlock(block);
      if (event !== null) yield event;
    }
  }
}

/**
 * Returns the event of a block, or `null` for a block without data, such as a comment or a retry
 * time.
 */
function parseBlock(block: string): ServerSentEvent | null {
  const fields = new Map<string, string>();
  for (const line of block.split('\n')) {
    const at = line.indexOf(': ');
    if (at > 0) fields.set(line.slice(0, at), line.slice(at + 2));
  }
  const text = fields.get('data');
  if (text === undefined) return null;
  return {
    id: fields.get('id') ?? '',
    name: fields.get('event') ?? 'message',
    body: JSON.parse(text),
  };
}
