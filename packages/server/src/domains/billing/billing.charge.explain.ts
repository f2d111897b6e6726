import { billingChargeExplain } from '@swath/contract/operations/billing.ledger.ts'
import type { ChargeExplanation } from '@swath/contract/shapes/ledger.ts'
import type { Call } from '../../engine/call.ts'
import { handler } from '../../engine/handler.ts'
import { Problem, validationProblem } from '../../engine/problem.ts'
import { holdOf, readCharge, readEntry } from '../ledger/charges.ts'
import { orderOnRecord, requireOrder } from '../orders/access.ts'
import { readOrganization } from '../organizations/organization.ts'
import { hasBillingRole } from './billing-roles.ts'
import { explainCharge, explainEntry, explainFree } from './charges/charge-explanation.ts'

type Explain = (call: Call, id: string, country: string | null) => Promise<ChargeExplanation>

const named = (noun: string, id: string): Problem => new Problem('not-found', `No ${noun} has the id "${id}".`)

type Referring = { readonly reference_type: string; readonly reference_id: string }

/** Billing roles may read every charge; other members may read charges of orders that they can read. */
async function mayRead(call: Call, { reference_type, reference_id }: Referring): Promise<boolean> {
  if (await hasBillingRole(call)) return true
  if (reference_type !== 'order') return false
  try {
    await requireOrder(call, reference_id, 'read')
    return true
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
}

const byHold: Explain = async (call, id, country) => {
  const charge = await readCharge(call.db, call.organization, id)
  if (!charge || !(await mayRead(call, charge.hold))) throw named('hold', id)
  return explainCharge(charge, country)
}

/** The identifiers by which a charge can be looked up. */
const ways = {
  hold_id: byHold,
  order_id: async (call, id, country) => {
    const order = await orderOnRecord(call, id)
    if (!order || !(await mayRead(call, { reference_type: 'order', reference_id: id }))) throw named('order', id)
    if (order.hold_id !== null) return byHold(call, order.hold_id, country)
    const reference = { type: 'order', id: order.id }
    const { created_by: actor, billing_mode: mode, created_at } = order
    return explainFree({ reference, actor, mode, created_at }, country)
  },
  job_id: async (call, id, country) => {
    const hold = await holdOf(call.db, call.organization, 'job', id)
    if (!hold || !(await mayRead(call, { reference_type: 'job', reference_id: id }))) throw named('job', id)
    return byHold(call, hold, country)
  },
  transaction_id: async (call, id, country) => {
    const entry = await readEntry(call.db, call.organization, id)
    if (!entry || !(await mayRead(call, entry))) throw named('transaction', id)
    return entry.hold_id === null ? explainEntry(entry, country) : byHold(call, entry.hold_id, country)
  },
} as const satisfies Record<string, Explain>

const names = Object.keys(ways) as (keyof typeof ways)[]

export const explain = handler(billingChargeExplain, async (call, input) => {
  const given = names.filter((name) => input[name] !== null && input[name] !== undefined)
  const [name] = given
  if (name === undefined || given.length > 1) {
    throw validationProblem([{ path: '', message: `must contain exactly one of ${names.join(', ')}` }])
  }
  const organization = await readOrganization(call.db, call.organization)
  return ways[name](call, input[name]!.toLowerCase(), organization?.country ?? null)
})
