import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { type Connection, openConnections } from '../../../src/stores/postgres/connection.ts';
import { sqlStateOf } from '../../../src/stores/postgres/errors.ts';
import type { Step, Value } from '../../../src/stores/postgres/pipeline.ts';
import { pluck } from '../../support/pluck.ts';
import { postgresOptions } from '../../support/postgres-options.ts';
import { createSchema, type Schema } from '../../support/postgres-server.ts';

const step = (text: string, ...values: Value[]): Step => ({ statement: text, values });
const TEXTS = 'SELECT text FROM unnest($1::text[]) AS given (text)';
const QUOTIENT = 'SELECT 6 / $1::int AS quotient';

/** Lends a connection on a schema of its own. */
async function connected(t: TestContext, use: (connection: Connection, schema: Schema) => Promise<void>) {
  const schema = await createSchema();
  const connections = openConnections(postgresOptions(schema.url), 1);
  t.after(async () => {
    await connections.end();
    await schema[Symbol.asyncDispose]();
  });
  await connections.withConnection((connection) => use(connection, schema));
}

describe('a pipeline', () => {
  test('a pipeline sends and returns any text unchanged', (t) =>
    connected(t, async (connection) => {
      const text = fc.oneof(
        fc.constantFrom('', 'NULL', 'null', '"', '\\', '\\"', '{', '}', ',', ' ', "'", '\n', '\\N', '{"a"}'),
        fc.string({ unit: 'binary' }).map((made) => made.toWellFormed().replaceAll('\u0000', '')),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(fc.option(text)), async (texts) => {
          const { results, error } = await connection.send([step(TEXTS, texts)]);
          assert.equal(error, null);
          assert.deepEqual(
            results[0]?.rows,
            texts.map((each) => ({ text: each })),
          );
        }),
        { numRuns: 200 },
      );
    }));

  test('a pipeline returns the rows of each statement, also when it is repeated', (t) =>
    connected(t, async (connection) => {
      const steps = [step(QUOTIENT, 2), step('SELECT NULL AS nothing, true AS sure'), step(QUOTIENT, 3)];
      const both = await Promise.all([connection.send(steps), connection.send(steps)]);
      for (const { results, error } of [...both, await connection.send(steps)]) {
        assert.equal(error, null);
        assert.deepEqual(pluck(results, 'rows'), [
          [{ quotient: 3 }],
          [{ nothing: null, sure: true }],
          [{ quotient: 2 }],
        ]);
      }
    }));

  test('a pipeline ends with the first statement that fails: the rest is skipped, COMMIT too', (t) =>
    connected(t, async (connection, schema) => {
      await connection.execute('CREATE TABLE kept (number int)');
      const insert = 'INSERT INTO kept VALUES ($1)';
      for (const divisor of [0, 1]) {
        const { results, error } = await connection.send([
          step('BEGIN'),
          step(insert, divisor),
          step(QUOTIENT, divisor),
          step('COMMIT'),
        ]);
        assert.deepEqual(
          pluck(results, 'tag'),
          divisor === 0 ? ['BEGIN', 'INSERT 0 1'] : ['BEGIN', 'INSERT 0 1', 'SELECT 1', 'COMMIT'],
        );
        assert.equal(sqlStateOf(error), divisor === 0 ? '22012' : undefined);
        if (error) await connection.execute('ROLLBACK');
      }
      assert.deepEqual(await schema.query('SELECT number FROM kept'), [{ number: 1 }]);
    }));
});
