import type { Order } from '@swath/client/operations.ts'
import { usePlatform } from '../../api/platform.tsx'
import { OpenInQgis } from '../../qgis/open-in-qgis.tsx'
import { formatDate } from '../../ui/format.ts'

/** The delivered items as layers of QGIS. */
export function OrderInQgis({ order }: { order: Order }) {
  const { client } = usePlatform()
  const readItems = async () => {
    const { features } = await client.call('orders.list_assets', { order_id: order.id })
    return features.map(({ item_id, id, properties: { datetime } }) => ({
      id: item_id,
      name: datetime ? `${id} ${formatDate(datetime)}` : id,
    }))
  }
  return <OpenInQgis name={order.displayName || order.id} readItems={readItems} />
}
