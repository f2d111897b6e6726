import { adminDeadLettersRetryOperation } from '@swath/contract/operations/admin.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { retryDeadTask } from '../../dead-letters/dead-tasks.ts'

export const handler = defineHandler(adminDeadLettersRetryOperation, async (call, { dead_letter_id: id }) => ({
  id,
  retried: await retryDeadTask(call, id),
}))
