/** Represents a statement. PostgreSQL prepares it once per connection, under its name, which is unique in the store. */
export type Statement = Readonly<{ name: string; text: string }>;

/**
 * Runs a statement whose text both engines take, with `$1`, `$2` and so on for its values; 16 bytes stand for a UUID.
 * The caller names the columns of the rows.
 */
export type Query = <Row extends object>(
  statement: Statement,
  values?: readonly (string | number | Uint8Array | null)[],
) => Promise<Row[]>;

/** The sum of a count: PostgreSQL's sum of integers is no integer, and a sum of no rows is null. */
export const SUM = 'CAST(coalesce(sum(count), 0) AS BIGINT)';

/** Represents the few expressions that the engines write differently. */
export type Dialect = Readonly<{
  /** Divides a column of natural numbers, rounding down. */
  divide(column: string, divisor: number): string;
  /** The id of an audit record as 32 hexadecimal digits. */
  hexId: string;
  /** The time of an audit record as 12 hexadecimal digits. */
  hexTime: string;
}>;

export const SQLITE: Dialect = {
  divide: (column, divisor) => `${column} / ${divisor}`,
  hexId: 'lower(hex(id))',
  hexTime: `printf('%012x', accessed_at)`,
};

export const POSTGRES: Dialect = {
  // In CockroachDB `/` between integers is no integer division: the remainder goes first.
  divide: (column, divisor) => `CAST((${column} - ${column} % ${divisor}) / ${divisor} AS BIGINT)`,
  hexId: `replace(id::text, '-', '')`,
  hexTime: `lpad(to_hex(accessed_at), 12, '0')`,
};
