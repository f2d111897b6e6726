import { backgroundTaskTypes } from '../../../engine/task-types.ts'
import type { OrderRow } from '../store.ts'

/** The task that moves an open order on. */
export function chooseOrderTaskType({
  status,
  sub_status,
}: {
  readonly status: string
  readonly sub_status: OrderRow['sub_status']
}) {
  if (status === 'PLACED' || status === 'BEING_FULFILLED') return backgroundTaskTypes.fulfilOrder
  return sub_status === 'FEASIBILITY_WAITING_UPLOAD'
    ? backgroundTaskTypes.requestStudy
    : backgroundTaskTypes.placeWithHost
}
