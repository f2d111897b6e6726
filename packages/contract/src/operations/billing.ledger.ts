import Type from 'typebox'
import { operation } from '../operation.ts'
import { List, offsetPaging } from '../paging.ts'
import { Lines } from '../shapes/answers.ts'
import { ChargeExplanation, JournalLine, LedgerVerdict, Lot } from '../shapes/ledger.ts'
import { Default, Input, Maybe, NoInput, Nullable, Uuid } from '../shapes/primitives.ts'

export const billingLotsList = operation({
  id: 'billing.lots.list',
  scope: 'billing:read',
  effect: 'read',
  summary: 'List the credit lots with their used, expired and remaining amounts, newest first.',
  input: Input(offsetPaging()),
  output: List('lots', Lot),
  paging: 'offset',
  extension: true,
  answered: true,
})

export const billingLedgerExport = operation({
  id: 'billing.ledger.export',
  scope: 'billing:read',
  effect: 'export',
  summary: 'Stream the journal, oldest entry first, with the hash chain for independent verification.',
  input: Input({
    format: Default(
      Type.Enum(['ndjson', 'csv'], { description: '`ndjson`: one entry per line; `csv`: one posting per line.' }),
      'ndjson',
    ),
    after: Default(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Only entries after this position.',
      }),
      0,
    ),
    limit: Maybe(
      Type.Integer({ minimum: 1, maximum: 10_000_000, description: 'Maximum number of entries; defaults to all.' }),
    ),
  }),
  output: Lines(JournalLine),
  problems: ['forbidden'],
  answer: 'ndjson',
  alternatives: ['text/csv'],
  extension: true,
  answered: true,
})

export const billingLedgerVerify = operation({
  id: 'billing.ledger.verify',
  scope: 'billing:read',
  effect: 'read',
  summary: 'Verify the whole journal: hashes, sums, positions, and the balances derived from it.',
  input: NoInput,
  output: LedgerVerdict,
  extension: true,
  answered: true,
})

export const billingChargeExplain = operation({
  id: 'billing.charge.explain',
  scope: 'billing:read',
  effect: 'read',
  summary: 'Explain a charge line by line: quantity, rate, price date, discount, tax, hold and settlement.',
  input: Input({
    order_id: Type.Optional(Nullable(Uuid, { description: 'Exactly one of the four ids is required.' })),
    job_id: Maybe(Uuid),
    hold_id: Maybe(Uuid),
    transaction_id: Type.Optional(Nullable(Uuid, { description: 'The id of a journal entry.' })),
  }),
  output: ChargeExplanation,
  problems: ['not-found'],
  extension: true,
  answered: true,
})
