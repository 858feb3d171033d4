/** The members of an event that are read. */
type ParsedEvent = { id: string | undefined; data: string | undefined };

/** Returns a function that takes the text of a stream in any pieces, as the service writes it: with one line feed. */
export function createEventParser(onEvent: (event: ParsedEvent) => void): (text: string) => void {
  let rest = '';
  return (text) => {
    const events = (rest + text).split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) {
      const [id, data] = [fieldOf(event, 'id'), fieldOf(event, 'data')];
      if (id !== undefined || data !== undefined) onEvent({ id, data });
    }
  };
}

function fieldOf(event: string, name: string): string | undefined {
  const start = `${name}: `;
  const line = event.split('\n').find((each) => each.startsWith(start));
  return line?.slice(start.length);
}
