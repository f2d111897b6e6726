import type { Order } from '@swath/client/operations.ts'
import { OrderRow } from './order-row.tsx'
import { OrderScreen } from './order-screen.tsx'
import { useNames } from './use-names.ts'
import layout from '../../ui/layout.module.css'

/** The orders of the organization beside the map. */
export const Orders = () => <OrderScreen path="/orders">{(orders) => <OrderList orders={orders} />}</OrderScreen>

function OrderList({ orders }: { orders: readonly Order[] }) {
  const names = useNames()
  return (
    <ul>
      {orders.map((order) => (
        <li className={layout['lineAbove']} key={order.id}>
          <OrderRow order={order} names={names} />
        </li>
      ))}
    </ul>
  )
}
