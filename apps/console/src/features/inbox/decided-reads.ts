import type { OperationId } from '@swath/client/operations.ts'

/** Reads whose outputs a decision about an order changes. */
export const decidedReads: readonly OperationId[] = [
  'orders.tasking.decisions.pending',
  'orders.tasking.feasibility_studies.list',
  'orders.tasking.quotations.list',
  'orders.list',
  'orders.get',
  'orders.timeline',
]
