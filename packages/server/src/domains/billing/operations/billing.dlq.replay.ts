import { billingDlqReplay } from '@swath/contract/operations/billing.admin.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { replayPendingDeadLetters } from '../../dead-letters/dead-letters.ts'

export const replayDeadLetters = defineHandler(billingDlqReplay, (call, input) =>
  replayPendingDeadLetters(call, input.batch_size),
)
