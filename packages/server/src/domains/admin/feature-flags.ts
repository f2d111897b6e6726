import type { Call } from '../../engine/call.ts'
import { listFeatureFlags } from '../feature-flags/feature-flags.ts'
import { withOrganizationNames } from '../organizations/organization-names.ts'
import { listEveryOrganizationId } from '../organizations/all-organizations.ts'

/** The feature flags with what operators have set for every organization, one after the other. */
export async function readFeatureFlags({ unscoped }: Pick<Call, 'unscoped'>) {
  const flags = await listFeatureFlags(unscoped, await listEveryOrganizationId(unscoped, { sandboxes: true }))
  const named = flags.map(async (flag) => ({
    ...flag,
    organizations: await withOrganizationNames(unscoped, flag.organizations),
  }))
  return Promise.all(named)
}
