import { adminFeatureFlagsSetOperation } from '@swath/contract/operations/admin.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { validationProblem } from '../../../engine/problem.ts'
import { upsertFeatureFlagRollout, upsertFeatureFlagSwitch } from '../../feature-flags/store.ts'
import { toActorInOrganization } from '../../organizations/all-organizations.ts'
import { readFeatureFlags } from '../feature-flags.ts'

export const handler = defineHandler(adminFeatureFlagsSetOperation, async (call, input) => {
  const { flag, percent = null, organization_id = null, enabled } = input
  if (organization_id === null && enabled !== undefined && enabled !== null)
    throw validationProblem([{ path: 'organization_id', message: 'is required with enabled' }])
  const actor = organization_id === null ? null : await toActorInOrganization(call, organization_id)
  await call.unscoped.transaction(async (tx) => {
    if (percent !== null) await upsertFeatureFlagRollout(tx, flag, percent, call.clocks.process.now())
    if (actor && enabled !== undefined)
      await upsertFeatureFlagSwitch(tx, actor.organization, flag, { enabled, now: actor.clock.now() })
  })
  return (await readFeatureFlags(call)).find((row) => row.flag === flag)!
})
