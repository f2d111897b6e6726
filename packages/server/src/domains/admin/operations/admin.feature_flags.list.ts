import { adminFeatureFlagsListOperation } from '@swath/contract/operations/admin.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { readFeatureFlags } from '../feature-flags.ts'

export const handler = defineHandler(adminFeatureFlagsListOperation, async (call) => ({
  feature_flags: await readFeatureFlags(call),
}))
