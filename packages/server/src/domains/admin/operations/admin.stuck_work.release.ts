import { adminStuckWorkReleaseOperation } from '@swath/contract/operations/admin.stuck_work.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { actOnStuckWork } from '../stuck-work/stuck-work.ts'

export const handler = defineHandler(adminStuckWorkReleaseOperation, (call, input) =>
  actOnStuckWork(call, 'release', input),
)
