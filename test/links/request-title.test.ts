import assert from 'node:assert/strict';
import { test } from 'node:test';
import { titleOfRequest } from '../../src/core/model/request-title.ts';

const TITLES: [message: string, title: string][] = [
  ['Photos', 'Photos'],
  ['The signed contract\nas PDF', 'The signed contract as PDF'],
  ['Please send:\n- passport\n- payslip\n- lease', 'Please send: passport, payslip, lease'],
  ['Please send:\r\n\r\n* passport\r\n* payslip', 'Please send: passport, payslip'],
  ['Please send\n1. passport\n2) payslip', 'Please send: passport, payslip'],
  ['Please send:\npassport\npayslip\nlease', 'Please send: passport, payslip, lease'],
  ['- passport;\n- payslip;\n• lease.\nThank you!', 'passport, payslip, lease. Thank you!'],
  ['Passport\nPayslip\nProof of address', 'Passport, Payslip, Proof of address'],
  ['2026 payslip\n-5 °C photo', '2026 payslip -5 °C photo'],
  ['Thank you.\nThe rest too', 'Thank you. The rest too'],
  [
    'The invoices of October, of November and of December, as one PDF each',
    'The invoices of October, of November and of December, as one…',
  ],
  ['x'.repeat(70), `${'x'.repeat(60)}…`],
  ['😀'.repeat(70), `${'😀'.repeat(60)}…`],
];

for (const [message, title] of TITLES) {
  test(`a file request that asks ${JSON.stringify(message.slice(0, 50))} is named ${title}`, () => {
    assert.equal(titleOfRequest(message), title);
  });
}
