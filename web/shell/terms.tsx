/** The terms of a link, as a list of names and values. */
export function Terms({ terms }: { terms: (readonly [name: string, value: string])[] }) {
  return (
    <dl class="terms">
      {terms.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
