import type { Call } from '../../engine/call.ts'
import { invariant } from '../../engine/problem.ts'
import { readOrganization } from '../organizations/organization.ts'
import { findCustomer, keepCustomer } from './store.ts'

/**
 * The customer id of the caller's organization at the configured processor, created there on first use. The idempotency
 * key is the organization id, so that a retry after a crash gets the same customer. Sends network requests.
 */
export async function ensureCustomer(call: Call): Promise<string> {
  const { db, organization } = call
  const { payments } = call.outside
  const known = await findCustomer(db, organization, payments.env)
  if (known !== null) return known
  const found = await readOrganization(db, organization)
  invariant(found, 'the organization of the caller exists')
  const made = await payments.createCustomer(
    { organization_id: organization, name: found.name, email: null },
    organization,
  )
  const now = call.clock.now()
  return call.transaction((tx) => keepCustomer(tx, organization, payments.env, made.id, now))
}
