import { processingCreateAndDispatchOperation } from '@swath/contract/operations/processing.ts'
import type { Call } from '../../../engine/call.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { executeDryRun } from '../../ledger/dry-run.ts'
import { toDispatchedJob } from '../dispatch-outcome.ts'
import { prepareJobOfType } from '../start-job-of-type.ts'

export const handler = defineHandler(processingCreateAndDispatchOperation, async (call, input) => {
  const startPrepared = await prepareJobOfType(call, input, 'dispatched')
  const start = async (by: Call) => toDispatchedJob((await startPrepared(by)).job)
  return input.dry_run ? executeDryRun(call, start) : start(call)
})
