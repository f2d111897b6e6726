import { Link } from '@tanstack/react-router'
import { BellRing, Check, Circle, CreditCard, FileQuestion, FileText, MessageSquareQuote, ShoppingBag, Telescope, Upload, Wallet, Webhook, X, type LucideIcon } from 'lucide-react' // prettier-ignore
import type { Notification } from '@swath/client/operations.ts'
import { useCommand } from '../../../api/use-operation.ts'
import { keepView } from '../../../map/keep-view.ts'
import { notificationsTexts } from '../../../texts/notifications.ts'
import { Button } from '../../../ui/button.tsx'
import { Time } from '../../../ui/figures.tsx'
import { ProblemNote } from '../../../ui/problem-note.tsx'
import { notificationReads } from './notification-reads.ts'
import styles from './notifications.module.css'
import typography from '../../../ui/typography.module.css'
import layout from '../../../ui/layout.module.css'

const words = notificationsTexts

/** By the first word of a kind. */
const icons: Readonly<Record<string, LucideIcon>> = {
  alert: BellRing,
  order: ShoppingBag,
  feasibility: FileQuestion,
  quotation: MessageSquareQuote,
  saved_search: Telescope,
  standing_order: Telescope,
  report: FileText,
  upload: Upload,
  payment_method: CreditCard,
  event_subscription: Webhook,
}

/** One notification. Opening its subject marks it as read. */
export function NotificationRow({ notification }: { notification: Notification }) {
  const { id, kind, title, body, link, read_at, created_at } = notification
  const read = useCommand('notifications.mark_read', notificationReads)
  const dismiss = useCommand('notifications.dismiss', notificationReads)
  const Icon = icons[kind.split('.')[0]!] ?? Wallet
  const isUnread = read_at === null
  const input = { notification_id: id }
  return (
    <li
      className={`${layout['stack12']} ${styles['notification']}`}
      data-unread={isUnread || undefined}
      data-kind={kind}
    >
      <Icon size={18} aria-hidden />
      <div>
        <Link
          className={`${typography['anywhere']} ${typography['plain']} ${typography['normal']}`}
          to={link}
          search={keepView}
          onClick={() => isUnread && read.mutate(input)}
        >
          {title}
        </Link>
        {isUnread && <Circle size={8} fill="currentColor" aria-label={words.isUnread} role="img" />}
        <p className={typography['anywhere']}>{body}</p>
        <small>
          <Time at={created_at} />
        </small>
        {(read.isError || dismiss.isError) && <ProblemNote error={read.error ?? dismiss.error} />}
      </div>
      <div className={styles['actions']}>
        {isUnread && (
          <Button
            kind="quiet"
            icon={Check}
            aria-label={words.readNamed(title)}
            title={words.read}
            isPending={read.isPending}
            onClick={() => read.mutate(input)}
          />
        )}
        <Button
          kind="quiet"
          icon={X}
          aria-label={words.dismissNamed(title)}
          title={words.dismiss}
          isPending={dismiss.isPending}
          onClick={() => dismiss.mutate(input)}
        />
      </div>
    </li>
  )
}
