import type { Call } from '../../engine/call.ts'
import { assertInvariant } from '../../engine/problem.ts'
import { findOrganization } from '../organizations/store.ts'
import { findCustomerId, upsertCustomerId } from './store.ts'

/**
 * The customer id of the caller's organization at the configured processor, created there on first use. The idempotency
 * key is the organization id, so that a retry after a crash gets the same customer. Sends network requests.
 */
export async function ensureProcessorCustomer(call: Call): Promise<string> {
  const { db, organization } = call
  const { payments } = call.integrations
  const existing = await findCustomerId(db, organization, payments.env)
  if (existing !== null) return existing
  const organizationRow = await findOrganization(db, organization)
  assertInvariant(organizationRow, 'the organization of the caller exists')
  const created = await payments.createCustomer(
    { organization_id: organization, name: organizationRow.name, email: null },
    organization,
  )
  const now = call.clock.now()
  return call.transaction((tx) =>
    upsertCustomerId(tx, { organization, env: payments.env, customer: created.id, at: now }),
  )
}
