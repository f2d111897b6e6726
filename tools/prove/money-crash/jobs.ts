import Type from 'typebox'
import { operation, type Operation } from '@swath/contract/operation.ts'
import { Input, Uuid } from '@swath/contract/shapes/primitives.ts'
import { handler, type Handler } from '../../../packages/server/src/engine/handler.ts'
import { settleSpend, spend } from '../../../packages/server/src/domains/billing/spend.ts'

const Held = Type.Object({ hold_id: Uuid })
const common = { scope: 'orders:write', effect: 'spend', idempotent: true, answered: true } as const

const begin = operation({
  ...common,
  id: 'proof.job.begin',
  summary: 'Begin a job that costs something.',
  input: Input({ credits: Type.Integer({ minimum: 1 }) }),
  output: Held,
  status: 202,
})

const end = operation({
  ...common,
  id: 'proof.job.end',
  summary: 'End a job and charge what it has used.',
  input: Input({ hold_id: Uuid, credits: Type.Integer({ minimum: 0 }) }),
  output: Held,
})

const beginJob = handler(begin, async (call, { credits }) => {
  const known = call.claim?.data['hold_id']
  if (typeof known === 'string') return { hold_id: known }
  return spend(call, { amount_credits: credits, subject: 'job' }, async (tx, { hold_id }) => {
    await call.claim?.reach(tx, 'reserved', { hold_id })
    return { hold_id: hold_id! }
  })
})

const endJob = handler(end, async (call, { hold_id, credits }) => {
  if (call.claim?.data['hold_id'] === hold_id) return { hold_id }
  await call.transaction(async (tx) => {
    await settleSpend(tx, call, hold_id, credits)
    await call.claim?.reach(tx, 'settled', { hold_id })
  })
  return { hold_id }
})

/** Operations of a job that is paid like any operation, with idempotency key and checkpoints. */
export const jobs: ReadonlyMap<string, { operation: Operation; answer: Handler['answer'] }> = new Map(
  [beginJob, endJob].map((entry) => [entry.operation.id, entry]),
)
