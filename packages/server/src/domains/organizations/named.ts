import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import type { OrganizationTime } from '../../platform/clock.ts'
import type { Queryable, Tx } from '../../platform/database/database.ts'
import { actorIn, type Actor } from '../events/emit.ts'
import { readOrganization } from './organization.ts'
import { listAllOrganizations, listOrganizationIds, setDeleted, type ListedOrganization } from './store.ts'

export type { ListedOrganization } from './store.ts'

/** The caller as who acts in the organization that an operator names. Throws `not-found` where there is none. */
export async function actIn(call: Call, organization: string): Promise<Actor & Pick<Call, 'seller'>> {
  const found = await readOrganization(call.across, organization)
  if (!found) throw new Problem('not-found', `No organization has the id "${organization}".`)
  const { claim, seller } = call
  return { ...actorIn(call, found.id), claim, seller }
}

/** Every organization, oldest first, on the handle that works across them. */
export const everyOrganization = (across: Queryable): Promise<string[]> => listOrganizationIds(across)

/** The same with what operators look at. */
export const listOrganizations = (across: Queryable): Promise<ListedOrganization[]> => listAllOrganizations(across)

/** Makes an organization a deleted one, where its day has come; false where it has not, or somebody was first. */
export const closeOrganization = (tx: Tx, organization: string, now: OrganizationTime): Promise<boolean> =>
  setDeleted(tx, organization, now)
