import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isProven, type RecipientProof } from '../../src/core/model/recipient-code.ts';
import { createLimits, NO_RATES } from '../../src/core/use-cases/limits/limits.ts';
import { checkRecipient } from '../../src/core/use-cases/visit/check-recipient.ts';
import { createCodeMailer } from '../../src/core/use-cases/visit/mail-codes.ts';
import { redirectLink } from '../support/attempts.ts';
import { testClock } from '../support/service.ts';
import { testTimers } from '../support/test-timers.ts';

const ANN = 'ann@example.com';
const CODE = 123_456;

test('a code that is withheld cannot be guessed', async () => {
  const clock = testClock();
  const rates = { ...NO_RATES, recipientCodes: { events: 1, windowMs: 1_000 } };
  const { recipientCodes: codeLimits } = createLimits(rates, { clock, startTimer: testTimers().start });
  const outcome = async () => ({ kind: 'DELIVERED', isSignedIn: true }) as const;
  const parts = {
    ...{
      clock,
      leaseMs: 0,
      codeLimits,
      codeMailer: createCodeMailer({ send: outcome, check: outcome }, clock, () => {}),
    },
    ...{ randomInt: () => CODE, randomBytes: (size: number) => Buffer.alloc(size) },
  };
  const openings: unknown[] = [];
  for (const shortCode of ['one', 'two', 'three', 'four']) {
    const link = redirectLink(shortCode, { terms: { verifiedRecipients: [ANN] } });
    const visit = async (code: string | null) => {
      const recipient = { address: ANN, code, browser: '0'.repeat(32), language: 'en' };
      return checkRecipient(parts, link, { recipient, purpose: 'OPEN', ipAddress: null });
    };
    const { newCode, mail } = await visit(null);
    const { precheck } = await visit(String(CODE));
    openings.push([mail?.purpose, isProven(newCode, precheck as RecipientProof, clock())]);
  }
  assert.deepEqual(openings, [...Array(3).fill(['SEND', true]), ['WITHHOLD', false]]);
});
