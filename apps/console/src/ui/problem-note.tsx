import { Lock, OctagonAlert } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { explain } from '../api/problem.ts'
import { texts } from '../texts.ts'
import { Button } from './button.tsx'
import styles from './problem-note.module.css'

/** Why something failed, where it failed: the sentence of the problem, its page, its trace id, and a way on. */
export function ProblemNote({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { text, page, traceId, isForbidden, isRepeatable } = explain(error)
  const Icon = isForbidden ? Lock : OctagonAlert
  const note = useRef<HTMLDivElement>(null)
  // Below the form that failed, it can be out of sight.
  useEffect(() => {
    // Newer browsers return a promise, which React would take for a function that cleans up.
    void note.current?.scrollIntoView({ block: 'nearest' })
  }, [error])
  return (
    <div ref={note} className={styles['note']} role="alert" data-forbidden={isForbidden}>
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
        {onRetry && isRepeatable && <RetryButton error={error} onRetry={onRetry} />}
      </div>
    </div>
  )
}

/** Counts down the seconds that the platform asked to wait (429). */
function RetryButton({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const [left_s, setLeft] = useState(() => explain(error).wait_s)
  useEffect(() => {
    const end_ms = performance.now() + explain(error).wait_s * 1000
    const update = (): void => setLeft(Math.max(0, Math.ceil((end_ms - performance.now()) / 1000)))
    update()
    const timer = setInterval(update, 1000)
    return () => clearInterval(timer)
  }, [error])
  return (
    <Button disabled={left_s > 0} onClick={left_s > 0 ? undefined : onRetry}>
      {left_s > 0 ? texts.problem.retryIn(left_s) : texts.problem.retry}
    </Button>
  )
}
