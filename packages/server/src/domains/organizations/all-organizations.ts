import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { refreshSandboxTime } from '../../platform/sandbox/sandbox-times.ts'
import type { OrganizationCurrentTimes } from '../../platform/clock.ts'
import type { SqlStatementRunner } from '../../platform/database/database.ts'
import { actorInOrganization, type Actor } from '../../engine/actor.ts'
import { listIdsOfOrganizations, findOrganization } from './store.ts'

/** The caller as the actor in the organization that an administrator names. Throws `not-found` if it does not exist. */
export async function toActorInOrganization(call: Call, organization: string): Promise<Actor & Pick<Call, 'seller'>> {
  const organizationRow = await findOrganization(call.unscoped, organization)
  if (!organizationRow) throw new Problem('not-found', `No organization has the id "${organization}".`)
  await refreshSandboxTime({ unscoped: call.unscoped, clock: call.clocks }, organizationRow.id)
  const { claim, seller } = call
  return { ...actorInOrganization(call, organizationRow.id), claim, seller }
}

/** The ids of all organizations but sandboxes, or with them, oldest first; needs the unscoped connection. */
export const listEveryOrganizationId = (
  unscoped: SqlStatementRunner,
  { sandboxes = false }: { readonly sandboxes?: boolean } = {},
): Promise<string[]> => listIdsOfOrganizations(unscoped, sandboxes)

/** The organizations that such times are about: one, or all but sandboxes. Needs the unscoped connection. */
export const listOrganizationIdsForTimes = async (
  unscoped: SqlStatementRunner,
  { organization }: OrganizationCurrentTimes,
): Promise<readonly string[]> => (organization === null ? listEveryOrganizationId(unscoped) : [organization])
