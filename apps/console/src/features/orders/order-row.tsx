import { Link } from '@tanstack/react-router'
import type { Order } from '@swath/client/operations.ts'
import { keepView } from '../../map/keep-view.ts'
import { texts } from '../../texts.ts'
import { Credits, Time } from '../../ui/figures.tsx'
import { OrderBadge } from './order-badge.tsx'
import { OrderPicture } from './order-picture.tsx'
import { describeContent, describeMissingPrice } from './order-states.ts'
import styles from './orders.module.css'
import type { Names } from './use-names.ts'

const words = texts.orders

export function OrderRow({ order, names }: { order: Order; names: Names }) {
  const { id, displayName, totalCredits, totalAud, createdAt, createdBy, projectId } = order
  return (
    <Link to="/orders/$orderId" params={{ orderId: id }} search={keepView} className={styles['row']!}>
      <OrderPicture order={order} width={72} height={72} />
      <span className={styles['facts']}>
        <strong>{displayName}</strong>
        <span className={styles['split']}>
          <OrderBadge order={order} />
          <span className={styles['price']}>
            {totalCredits === 0 ? (
              words.withoutPrice[describeMissingPrice(order)]
            ) : (
              <Credits credits={totalCredits} aud={totalAud} />
            )}
          </span>
        </span>
        <small>
          {describeContent(order)} · {names.project(projectId)}
        </small>
        <small>
          <Time at={createdAt} /> {words.by(names.person(createdBy))}
        </small>
      </span>
    </Link>
  )
}
