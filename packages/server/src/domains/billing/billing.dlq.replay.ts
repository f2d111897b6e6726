import { billingDlqReplay } from '@swath/contract/operations/billing.admin.ts'
import { handler } from '../../engine/handler.ts'
import { replayLetters } from './dead-letters.ts'

export const replayDeadLetters = handler(billingDlqReplay, (call, input) => replayLetters(call, input.batch_size))
