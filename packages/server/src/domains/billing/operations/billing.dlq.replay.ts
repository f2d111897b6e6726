import { billingDlqReplayOperation } from '@swath/contract/operations/billing.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { replayPendingDeadLetters } from '../../dead-letters/dead-letters.ts'

export const handler = defineHandler(billingDlqReplayOperation, (call, input) =>
  replayPendingDeadLetters(call, input.batch_size),
)
