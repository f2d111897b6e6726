import type { Call } from '../../engine/call.ts'
import { invariant } from '../../engine/problem.ts'
import { readOrganization } from '../organizations/organization.ts'
import { findCustomer, keepCustomer } from './store.ts'

/**
 * Who the caller's organization is to the processor of the house; made there on first use. The key is the organization,
 * so that a call that died before its row was written finds the same customer again. Asks the network.
 */
export async function ensureCustomer(call: Call): Promise<string> {
  const { db, organization } = call
  const { payments } = call.outside
  const known = await findCustomer(db, organization, payments.env)
  if (known !== null) return known
  const found = await readOrganization(db, organization)
  invariant(found, 'somebody calls for an organization that is there')
  const made = await payments.createCustomer(
    { organization_id: organization, name: found.name, email: null },
    organization,
  )
  const now = call.clock.now()
  return call.transaction((tx) => keepCustomer(tx, organization, payments.env, made.id, now))
}
