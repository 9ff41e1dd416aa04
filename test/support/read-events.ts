/** A server-sent event. */

export interface ReceivedEvent {
  readonly id: string;
  readonly name: string;
  readonly body: unknown;
}

/** Options of {@link readEvents}. */
export interface ReadEventsOptions {
  readonly lastEventId?: string;
  /**
   * Returns whether to stop after an event. By default, reads until the service ends the stream.
   */
  readonly until?: (event: ReceivedEvent) => boolean;
}

/** Returns the events of a stream, in order. */
export async function readEvents(
  url: string,
  { lastEventId, until = () => false }: ReadEventsOptions,
): Promise<ReceivedEvent[]> {
  const headers: Record<string, string> = { Accept: 'text/event-stream' };
  if (lastEventId !== undefined) headers['Last-Event-ID'] = lastEventId;
  const leave = new AbortController();
  const response = await fetch(url, { headers, signal: leave.signal });
  if (response.status !== 200 || response.body === null) {
    throw new Error(`${url}: ${response.status} ${await response.text()}`);
  }
  const events: ReceivedEvent[] = [];
  let rest = '';
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + chunk).split('\n\n');
    rest = blocks.pop()!;
    for (const block of blocks) {
      const event = parseEvent(block);
      if (event === null) continue;
      events.push(event);
      if (!until(event)) continue;
      leave.abort();
      return events;
    }
  }
  return events;
}

/** Returns the event of a block, or `null` for a block without data. */
function parseEvent(block: string): ReceivedEvent | null {
  const fields = new Map(
    block.split('\n').map((line) => {
      const at = line.indexOf(': ');
      return [line.slice(0, at), line.slice(at + 2)] as const;
    }),
  );
  const text = fields.get('data');
  if (text === undefined) return null;
  return { id: fields.get('id')!, name: fields.get('event')!, body: JSON.parse(text) };
}
