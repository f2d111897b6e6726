import Type from 'typebox'
import { operation } from '../operation.ts'
import { List, offsetPaging } from '../paging.ts'
import { NdjsonLines } from '../schemas/response-bodies.ts'
import { ChargeExplanation, JournalExportLine, LedgerVerificationResult, Lot } from '../schemas/ledger.ts'
import { WithDefault, StrictObject, OptionalNullable, EmptyInput, Nullable, Uuid } from '../schemas/primitives.ts'

export const billingLotsListOperation = operation({
  id: 'billing.lots.list',
  scope: 'billing:read',
  permission: 'bill',
  effect: 'read',
  summary: 'List the credit lots with their used, expired and remaining amounts, newest first.',
  input: StrictObject(offsetPaging()),
  output: List('lots', Lot),
  paging: 'offset',
  extension: true,
  implemented: true,
})

export const billingLedgerExportOperation = operation({
  id: 'billing.ledger.export',
  scope: 'billing:read',
  permission: 'bill',
  effect: 'export',
  summary: 'Stream the journal, oldest entry first, with the hash chain for independent verification.',
  input: StrictObject({
    format: WithDefault(
      Type.Enum(['ndjson', 'csv'], { description: '`ndjson`: one entry per line; `csv`: one posting per line.' }),
      'ndjson',
    ),
    after: WithDefault(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Only entries after this position.',
      }),
      0,
    ),
    limit: OptionalNullable(
      Type.Integer({ minimum: 1, maximum: 10_000_000, description: 'Maximum number of entries; defaults to all.' }),
    ),
  }),
  output: NdjsonLines(JournalExportLine),
  response_kind: 'ndjson',
  alternative_media_types: ['text/csv'],
  extension: true,
  implemented: true,
})

export const billingLedgerVerifyOperation = operation({
  id: 'billing.ledger.verify',
  scope: 'billing:read',
  permission: 'bill',
  effect: 'read',
  summary: 'Verify the whole journal: hashes, sums, positions, and the balances derived from it.',
  input: EmptyInput,
  output: LedgerVerificationResult,
  extension: true,
  implemented: true,
})

export const billingChargeExplainOperation = operation({
  id: 'billing.charge.explain',
  scope: 'billing:read',
  effect: 'read',
  summary: 'Explain a charge line by line: quantity, rate, price date, discount, tax, hold and settlement.',
  input: StrictObject({
    order_id: Type.Optional(Nullable(Uuid, { description: 'Exactly one of the four ids is required.' })),
    job_id: OptionalNullable(Uuid),
    hold_id: OptionalNullable(Uuid),
    transaction_id: Type.Optional(Nullable(Uuid, { description: 'The id of a journal entry.' })),
  }),
  output: ChargeExplanation,
  problems: ['not-found'],
  extension: true,
  implemented: true,
})
