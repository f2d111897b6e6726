import { Lock, OctagonAlert } from 'lucide-react'
import { explain } from '../api/problem.ts'
import { texts } from '../texts.ts'
import { Button } from './button.tsx'
import styles from './problem-note.module.css'

/** Why something failed, where it failed: the sentence of the problem, its page, its trace id, and a way on. */
export function ProblemNote({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { text, page, traceId, isForbidden, isRepeatable } = explain(error)
  const Icon = isForbidden ? Lock : OctagonAlert
  return (
    <div className={styles['note']} role="alert" data-forbidden={isForbidden}>
      <Icon size={16} aria-hidden />
      <div>
        <p>{text}</p>
        {(page || traceId) && (
          <small>
            {page && (
              <a href={page} target="_blank" rel="noreferrer">
                {texts.problem.page}
              </a>
            )}
            {traceId && <span>{texts.problem.trace(traceId)}</span>}
          </small>
        )}
        {onRetry && isRepeatable && <Button onClick={onRetry}>{texts.problem.retry}</Button>}
      </div>
    </div>
  )
}
