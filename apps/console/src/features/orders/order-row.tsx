import { Link } from '@tanstack/react-router'
import type { Order } from '@swath/client/operations.ts'
import { keepView } from '../../map/keep-view.ts'
import { texts } from '../../texts.ts'
import { Credits, Time } from '../../ui/figures.tsx'
import { OrderBadge } from './order-badge.tsx'
import { OrderPicture } from './order-picture.tsx'
import styles from './orders.module.css'
import type { Names } from './use-names.ts'

export function OrderRow({ order, names }: { order: Order; names: Names }) {
  const { id, displayName, captureCount, totalCredits, totalAud, createdAt, createdBy, projectId } = order
  return (
    <Link to="/orders/$orderId" params={{ orderId: id }} search={keepView} className={styles['row']!}>
      <OrderPicture order={order} width={72} height={72} />
      <span className={styles['facts']}>
        <strong>{displayName}</strong>
        <span className={styles['split']}>
          <OrderBadge order={order} />
          <span className={styles['price']}>
            {totalCredits === 0 ? texts.orders.free : <Credits credits={totalCredits} aud={totalAud} />}
          </span>
        </span>
        <small>
          {texts.orders.scenes(captureCount)} · {names.project(projectId)}
        </small>
        <small>
          <Time at={createdAt} /> {texts.orders.by(names.person(createdBy))}
        </small>
      </span>
    </Link>
  )
}
