import { ordersCoverageGroupsListOperation } from '@swath/contract/operations/orders.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toCompleteList } from '../../../engine/page.ts'
import { requireOrder } from '../access.ts'
import { measureOrderedAreas, toOrderedArea } from '../coverage.ts'
import { listOrderCaptures, type OrderCaptureRow } from '../store.ts'

/** The groups that an estimate by date prices, also if the order was priced by capture; the oldest date is first. */
export const handler = defineHandler(ordersCoverageGroupsListOperation, async (call, input) => {
  const order = await requireOrder(call, input.order_id, 'read')
  const captures = await listOrderCaptures(call.db, call.organization, order.id)
  const captureGroups = [...Map.groupBy(captures, groupIdOf)].toSorted(([left], [right]) => (left < right ? -1 : 1))
  const coverage = await measureOrderedAreas(
    call,
    captureGroups.map(([, members]) => members.map(toOrderedArea)),
  )
  const groups = captureGroups.map(([id, members], index) => {
    const { host, collection } = members[0]!
    const offered = call.integrations.hosts.get(host)?.collections.find((one) => one.id === collection)
    return {
      id,
      name: offered?.title ?? null,
      date: dateOf(members[0]!),
      captures: members.map(({ scene_id }) => scene_id),
      item_ids: members.filter(({ delivered_at }) => delivered_at !== null).map(({ item_id }) => item_id),
      ...coverage[index]!,
    }
  })
  return toCompleteList('groups', groups)
})

const dateOf = ({ scene }: OrderCaptureRow): string => new Date(scene.datetime).toISOString().slice(0, 10)

const groupIdOf = (capture: OrderCaptureRow): string => `${dateOf(capture)}:${capture.host}:${capture.collection}`
