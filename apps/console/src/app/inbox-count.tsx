import { useOperation } from '../api/use-operation.ts'
import { useInbox } from '../inbox/use-inbox.ts'
import { frameTexts } from '../texts/frame.ts'
import styles from './rail.module.css'

/** More would be wider than the rail. */
const max_shown = 99

/** The number of pending decisions and unread notifications; nothing if there are none. */
export function InboxCount() {
  const decisions = useInbox().entries.length
  const unread = useOperation('notifications.unread_count', {}).data?.unread_count ?? 0
  const count = decisions + unread
  if (count === 0) return null
  return (
    <b className={styles['count']} aria-label={frameTexts.inInbox(decisions, unread)}>
      {count > max_shown ? `${max_shown}+` : count}
    </b>
  )
}
