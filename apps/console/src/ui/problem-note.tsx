import { explain } from '../api/problem.ts'
import { texts } from '../texts.ts'
import styles from './problem-note.module.css'

/** Why something failed, where it failed, and a way on. */
export function ProblemNote({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { text, reference } = explain(error)
  return (
    <div className={styles['note']} role="alert">
      <p>{text}</p>
      {reference && <small>{texts.problem.reference(reference)}</small>}
      {onRetry && (
        <button type="button" onClick={onRetry}>
          {texts.problem.retry}
        </button>
      )}
    </div>
  )
}
