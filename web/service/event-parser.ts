/** What is read of an event. */
type ParsedEvent = { id?: string; data?: string };

/** Returns a function that takes the text of a stream in any pieces, as the service writes it: with one line feed. */
export function createEventParser(onEvent: (event: ParsedEvent) => void): (text: string) => void {
  let rest = '';
  return (text) => {
    const events = (rest + text).split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) {
      const fields = event.split('\n').map((line) => line.split(/: ?(.*)/s).slice(0, 2));
      const { id, data } = Object.fromEntries(fields);
      if (id !== undefined || data !== undefined) onEvent({ id, data });
    }
  };
}
