import { Link } from '@tanstack/react-router'
import type { Order } from '@swath/client/operations.ts'
import { keepView } from '../../map/keep-view.ts'
import { ordersTexts } from '../../texts/orders.ts'
import { DataTable, textColumn } from '../../ui/data-table.tsx'
import { Credits, Time } from '../../ui/figures.tsx'
import { OrderBadge } from './order-badge.tsx'
import { OrderScreen } from './order-screen.tsx'
import { describeContent, describeMissingPrice } from './order-states.ts'
import { useNames } from './use-names.ts'

const words = ordersTexts
const { columns: titles } = words

/** The orders as a table with the whole width: to compare, sort and save the rows. */
export const OrderTable = () => (
  <OrderScreen path="/orders/table">{(orders) => <OrderRows orders={orders} />}</OrderScreen>
)

function OrderRows({ orders }: { orders: readonly Order[] }) {
  const names = useNames()
  return (
    <DataTable<Order>
      label={words.title}
      rows={orders}
      getKey={({ id }) => id}
      fileName="orders"
      columns={[
        {
          title: titles.name,
          value: ({ displayName }) => displayName,
          render: ({ id, displayName }) => (
            <Link to="/orders/$orderId" params={{ orderId: id }} search={keepView}>
              {displayName}
            </Link>
          ),
        },
        {
          title: words.status,
          value: ({ status }) => words.states[status],
          render: (order) => <OrderBadge order={order} />,
        },
        textColumn(titles.content, describeContent, { isWideOnly: true }),
        textColumn(words.project, ({ projectId }) => names.project(projectId), { isWideOnly: true }),
        textColumn(titles.person, ({ createdBy }) => names.person(createdBy), { isWideOnly: true }),
        {
          title: titles.credits,
          isNumeric: true,
          value: ({ totalCredits }) => totalCredits,
          render: (order) =>
            order.totalCredits === 0 ? (
              words.withoutPrice[describeMissingPrice(order)]
            ) : (
              <Credits credits={order.totalCredits} aud={order.totalAud} />
            ),
        },
        {
          title: titles.created,
          isWideOnly: true,
          value: ({ createdAt }) => createdAt,
          render: ({ createdAt }) => <Time at={createdAt} />,
        },
      ]}
    />
  )
}
