import { useInbox } from '../inbox/use-inbox.ts'
import { texts } from '../texts.ts'
import styles from './rail.module.css'

/** How many decisions wait; nothing if there are none. */
export function InboxCount() {
  const { length } = useInbox().entries
  if (length === 0) return null
  return (
    <b className={styles['count']} aria-label={texts.frame.inInbox(length)}>
      {length}
    </b>
  )
}
