import { useOperation, useOperations } from '../api/use-operation.ts'
import type { InboxEntry, InboxSource } from './inbox-entry.ts'

/** As many as an organization can have. */
const page = { limit: 50 }

/** Scenes that standing orders propose to order. */
export function useProposals(): InboxSource {
  const query = useOperation('orders.standing.list', page)
  const orders = query.data?.standing_orders ?? []
  const results = useOperations(
    'orders.standing.scenes.list',
    orders.map(({ id }) => ({ standing_order_id: id, status: 'proposed' as const })),
  )
  const entries = orders.flatMap((order, at) =>
    (results[at]?.data?.scenes ?? []).map((scene): InboxEntry => ({
      kind: 'proposal',
      id: `${order.id} ${scene.source_id} ${scene.scene_id}`,
      deadline: null,
      subject: { order, scene },
    })),
  )
  return { query, entries }
}
