import type { Order } from '@swath/client/operations.ts'
import { OrderRow } from './order-row.tsx'
import { OrderScreen } from './order-screen.tsx'
import styles from './orders.module.css'
import { useNames } from './use-names.ts'

/** The orders of the organization beside the map. */
export const Orders = () => <OrderScreen path="/orders">{(orders) => <OrderList orders={orders} />}</OrderScreen>

function OrderList({ orders }: { orders: readonly Order[] }) {
  const names = useNames()
  return (
    <ul className={styles['list']}>
      {orders.map((order) => (
        <li key={order.id}>
          <OrderRow order={order} names={names} />
        </li>
      ))}
    </ul>
  )
}
