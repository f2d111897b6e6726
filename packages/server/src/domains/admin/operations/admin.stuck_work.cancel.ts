import { adminStuckWorkCancelOperation } from '@swath/contract/operations/admin.stuck_work.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { actOnStuckWork } from '../stuck-work/stuck-work.ts'

export const handler = defineHandler(adminStuckWorkCancelOperation, (call, input) =>
  actOnStuckWork(call, 'cancel', input),
)
