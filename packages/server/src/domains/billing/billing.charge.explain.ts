import { billingChargeExplain } from '@swath/contract/operations/billing.ledger.ts'
import type { ChargeExplanation } from '@swath/contract/shapes/ledger.ts'
import type { Call } from '../../engine/call.ts'
import { handler } from '../../engine/handler.ts'
import { Problem, validationProblem } from '../../engine/problem.ts'
import { holdOf, readCharge, readEntry } from '../ledger/charges.ts'
import { orderOnRecord } from '../orders/access.ts'
import { readOrganization } from '../organizations/organization.ts'
import { explainCharge, explainEntry, explainFree } from './charges/charge-explanation.ts'

type Explain = (call: Call, id: string, country: string | null) => Promise<ChargeExplanation>

const named = (noun: string, id: string): Problem => new Problem('not-found', `No ${noun} has the id "${id}".`)

const byHold: Explain = async (call, id, country) => {
  const charge = await readCharge(call.db, call.organization, id)
  if (!charge) throw named('hold', id)
  return explainCharge(charge, country)
}

/** By what a charge may be named. */
const ways = {
  hold_id: byHold,
  order_id: async (call, id, country) => {
    const order = await orderOnRecord(call, id)
    if (!order) throw named('order', id)
    if (order.hold_id !== null) return byHold(call, order.hold_id, country)
    const reference = { type: 'order', id: order.id }
    const { created_by: actor, billing_mode: mode, created_at } = order
    return explainFree({ reference, actor, mode, created_at }, country)
  },
  job_id: async (call, id, country) => {
    const hold = await holdOf(call.db, call.organization, 'job', id)
    if (!hold) throw named('job', id)
    return byHold(call, hold, country)
  },
  transaction_id: async (call, id, country) => {
    const entry = await readEntry(call.db, call.organization, id)
    if (!entry) throw named('transaction', id)
    return entry.hold_id === null ? explainEntry(entry, country) : byHold(call, entry.hold_id, country)
  },
} as const satisfies Record<string, Explain>

const names = Object.keys(ways) as (keyof typeof ways)[]

export const explain = handler(billingChargeExplain, async (call, input) => {
  const given = names.filter((name) => input[name] !== null && input[name] !== undefined)
  const [name] = given
  if (name === undefined || given.length > 1) {
    throw validationProblem([{ path: '', message: `needs exactly one of ${names.join(', ')}` }])
  }
  const organization = await readOrganization(call.db, call.organization)
  return ways[name](call, input[name]!.toLowerCase(), organization?.country ?? null)
})
