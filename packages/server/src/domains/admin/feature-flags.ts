import type { Call } from '../../engine/call.ts'
import { listFeatureFlags } from '../feature-flags/feature-flags.ts'
import { listEveryOrganizationId } from '../organizations/all-organizations.ts'

/** The feature flags with what operators have set for every organization, one after the other. */
export const readFeatureFlags = async ({ unscoped }: Pick<Call, 'unscoped'>) =>
  listFeatureFlags(unscoped, await listEveryOrganizationId(unscoped, { sandboxes: true }))
