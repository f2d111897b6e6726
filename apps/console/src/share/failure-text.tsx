import { shareTexts as texts } from '../texts/share.ts'
import styles from './share.module.css'
import type { FailureNote } from './use-shared-link.ts'
import typography from '../ui/typography.module.css'
import layout from '../ui/layout.module.css'

/** Why something did not work, said at once. */
export function FailureText({ note }: { note: FailureNote }) {
  return (
    <p role="alert" className={`${layout['stack4']} ${styles['failure']}`}>
      {note.text}
      {note.traceId && <small className={typography['mono']}>{texts.trace(note.traceId)}</small>}
    </p>
  )
}
