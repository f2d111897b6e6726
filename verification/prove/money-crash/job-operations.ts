import Type from 'typebox'
import { operation, type Operation } from '@swath/contract/operation.ts'
import { StrictObject, Uuid } from '@swath/contract/schemas/primitives.ts'
import { defineHandler, type OperationHandler } from '../../../packages/server/src/engine/handler.ts'
import { settlePayment, withPayment } from '../../../packages/server/src/domains/billing/payment.ts'

const HoldOutput = Type.Object({ hold_id: Uuid })
const common = { scope: 'orders:write', effect: 'spend', idempotent: true } as const

const beginOperation = operation({
  ...common,
  id: 'proof.job.begin',
  summary: 'Begin a job that costs something.',
  input: StrictObject({ credits: Type.Integer({ minimum: 1 }) }),
  output: HoldOutput,
  status: 202,
})

const endOperation = operation({
  ...common,
  id: 'proof.job.end',
  summary: 'End a job and charge what it has used.',
  input: StrictObject({ hold_id: Uuid, credits: Type.Integer({ minimum: 0 }) }),
  output: HoldOutput,
})

const beginJob = defineHandler(beginOperation, async (call, { credits }) => {
  const holdId = call.claim?.recoveryData['hold_id']
  if (typeof holdId === 'string') return { hold_id: holdId }
  return withPayment(call, { amount_credits: credits, subject: 'job' }, async (tx, { hold_id }) => {
    await call.claim?.checkpoint(tx, 'reserved', { hold_id })
    return { hold_id: hold_id! }
  })
})

const endJob = defineHandler(endOperation, async (call, { hold_id, credits }) => {
  if (call.claim?.recoveryData['hold_id'] === hold_id) return { hold_id }
  await call.transaction(async (tx) => {
    await settlePayment(tx, call, { hold_id, amount_credits: credits })
    await call.claim?.checkpoint(tx, 'settled', { hold_id })
  })
  return { hold_id }
})

/** Operations of a job that is paid like any operation, with idempotency key and checkpoints. */
export const jobOperations: ReadonlyMap<string, { operation: Operation; handle: OperationHandler['handle'] }> = new Map(
  [beginJob, endJob].map((entry) => [entry.operation.id, entry]),
)
