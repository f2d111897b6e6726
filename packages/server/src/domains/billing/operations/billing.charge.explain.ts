import { billingChargeExplainOperation } from '@swath/contract/operations/billing.ts'
import type { ChargeExplanation } from '@swath/contract/schemas/ledger.ts'
import type { Call } from '../../../engine/call.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem, validationProblem } from '../../../engine/problem.ts'
import { readChargeOfHold, readJournalEntry } from '../../ledger/charges.ts'
import { findHoldIdByReference } from '../../ledger/store.charges.ts'
import { findOrderForBilling, requireOrder } from '../../orders/access.ts'
import { findOrganization } from '../../organizations/store.ts'
import { explainCharge, explainJournalEntry, explainFreeCharge } from '../charges/charge-explanation.ts'
import { hasOrganizationPermission } from '../../projects/permissions.ts'

type ChargeLookup = (call: Call, id: string, country: string | null) => Promise<ChargeExplanation>

const notFound = (noun: string, id: string): Problem => new Problem('not-found', `No ${noun} has the id "${id}".`)

type ReferenceColumns = { readonly reference_type: string; readonly reference_id: string }

/** Billing roles may read every charge; other members may read charges of orders that they can read. */
async function canReadCharge(call: Call, { reference_type, reference_id }: ReferenceColumns): Promise<boolean> {
  if (await hasOrganizationPermission(call, 'bill')) return true
  if (reference_type !== 'order') return false
  try {
    await requireOrder(call, reference_id, 'read')
    return true
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
}

const explainByHold: ChargeLookup = async (call, id, country) => {
  const charge = await readChargeOfHold(call.db, call.organization, id)
  if (!charge || !(await canReadCharge(call, charge.hold))) throw notFound('hold', id)
  return explainCharge(charge, country)
}

/** The identifiers by which a charge can be looked up. */
const lookups = {
  hold_id: explainByHold,
  order_id: async (call, id, country) => {
    const order = await findOrderForBilling(call, id)
    if (!order || !(await canReadCharge(call, { reference_type: 'order', reference_id: id })))
      throw notFound('order', id)
    if (order.hold_id !== null) return explainByHold(call, order.hold_id, country)
    const reference = { type: 'order', id: order.id }
    const { created_by: actor, billing_mode: mode, created_at } = order
    return explainFreeCharge({ reference, actor, mode, created_at }, country)
  },
  job_id: async (call, id, country) => {
    const hold = await findHoldIdByReference(call.db, call.organization, 'job', id)
    if (!hold || !(await canReadCharge(call, { reference_type: 'job', reference_id: id }))) throw notFound('job', id)
    return explainByHold(call, hold, country)
  },
  transaction_id: async (call, id, country) => {
    const entry = await readJournalEntry(call.db, call.organization, id)
    if (!entry || !(await canReadCharge(call, entry))) throw notFound('transaction', id)
    return entry.hold_id === null ? explainJournalEntry(entry, country) : explainByHold(call, entry.hold_id, country)
  },
} as const satisfies Record<string, ChargeLookup>

const lookupNames = Object.keys(lookups) as (keyof typeof lookups)[]

export const handler = defineHandler(billingChargeExplainOperation, async (call, input) => {
  const provided = lookupNames.filter((name) => input[name] !== null && input[name] !== undefined)
  const [name] = provided
  if (name === undefined || provided.length > 1) {
    throw validationProblem([{ path: '', message: `must contain exactly one of ${lookupNames.join(', ')}` }])
  }
  const organization = await findOrganization(call.db, call.organization)
  return lookups[name](call, input[name]!.toLowerCase(), organization?.country ?? null)
})
