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
import { hasOrganizationPermission, requireOrganizationPermission } from '../../projects/permissions.ts'

type ChargeLookup = (call: Call, id: string, country: string | null) => Promise<ChargeExplanation>

const notFound = (noun: string, id: string): Problem => new Problem('not-found', `No ${noun} has the id "${id}".`)

type ReferenceColumns = { readonly reference_type: string; readonly reference_id: string }

/**
 * Billing roles may read every charge; other members may read charges of orders that they can read. Throws `not-a-member`, `not-found`
 * for an order that is none of the organization, and `forbidden` for charges of anything else.
 */
async function requireReadableCharge(call: Call, { reference_type, reference_id }: ReferenceColumns): Promise<void> {
  if (await hasOrganizationPermission(call, 'bill')) return
  if (reference_type !== 'order') await requireOrganizationPermission(call, 'bill')
  await requireOrder(call, reference_id, 'read')
}

const explainByHold: ChargeLookup = async (call, id, country) => {
  const charge = await readChargeOfHold(call.db, call.organization, id)
  if (!charge) throw notFound('hold', id)
  await requireReadableCharge(call, charge.hold)
  return explainCharge(charge, country)
}

/** The identifiers by which a charge can be looked up. */
const lookups = {
  hold_id: explainByHold,
  order_id: async (call, id, country) => {
    const order = await findOrderForBilling(call, id)
    if (!order) throw notFound('order', id)
    await requireReadableCharge(call, { reference_type: 'order', reference_id: id })
    if (order.hold_id !== null) return explainByHold(call, order.hold_id, country)
    const reference = { type: 'order', id: order.id }
    const { created_by: actor, billing_mode: mode, created_at } = order
    return explainFreeCharge({ reference, actor, mode, created_at }, country)
  },
  job_id: async (call, id, country) => {
    const hold = await findHoldIdByReference(call.db, call.organization, 'job', id)
    if (!hold) throw notFound('job', id)
    await requireReadableCharge(call, { reference_type: 'job', reference_id: id })
    return explainByHold(call, hold, country)
  },
  transaction_id: async (call, id, country) => {
    const entry = await readJournalEntry(call.db, call.organization, id)
    if (!entry) throw notFound('transaction', id)
    await requireReadableCharge(call, entry)
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
