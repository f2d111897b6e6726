import type { Order } from '@swath/client/operations.ts'
import { OrderScreen } from './order-screen.tsx'
import { type Names, useNames } from './use-names.ts'
import layout from '../../ui/layout.module.css'
import { Link } from '@tanstack/react-router'
import { keepView } from '../../map/keep-view.ts'
import { ordersTexts } from '../../texts/orders.ts'
import { Credits, Time } from '../../ui/figures.tsx'
import { OrderBadge } from './order-badge.tsx'
import { OrderPicture } from './order-picture.tsx'
import { describeContent, describeMissingPrice } from './order-states.ts'
import typography from '../../ui/typography.module.css'

const words = ordersTexts

function OrderRow({ order, names }: { order: Order; names: Names }) {
  const { id, displayName, totalCredits, totalAud, createdAt, createdBy, projectId } = order
  return (
    <Link
      to="/orders/$orderId"
      params={{ orderId: id }}
      search={keepView}
      className={`${layout['pictureAndFacts']} ${layout['inset']} ${layout['choice']} ${typography['plain']}`}
    >
      <OrderPicture order={order} width={72} height={72} />
      <span className={`${layout['grid']} ${layout['narrow']} ${layout['top']}`}>
        <strong className={`${typography['clip']} ${typography['medium']}`}>{displayName}</strong>
        <span className={layout['lines']}>
          <OrderBadge order={order} />
          <span>
            {totalCredits === 0 ? (
              words.withoutPrice[describeMissingPrice(order)]
            ) : (
              <Credits credits={totalCredits} aud={totalAud} />
            )}
          </span>
        </span>
        <small className={typography['note']}>
          {describeContent(order)} · {names.project(projectId)}
        </small>
        <small className={typography['note']}>
          <Time at={createdAt} /> {words.by(names.person(createdBy))}
        </small>
      </span>
    </Link>
  )
}

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
