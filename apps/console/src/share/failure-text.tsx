import { shareTexts as texts } from '../texts/share.ts'
import styles from './share.module.css'
import type { FailureNote } from './use-shared-link.ts'

/** Why something did not work, said at once. */
export function FailureText({ note }: { note: FailureNote }) {
  return (
    <p role="alert" className={styles['failure']}>
      {note.text}
      {note.traceId && <small>{texts.trace(note.traceId)}</small>}
    </p>
  )
}
