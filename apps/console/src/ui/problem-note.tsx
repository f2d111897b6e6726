import { Link } from '@tanstack/react-router'
import { Lock, OctagonAlert } from 'lucide-react'
import { use, useEffect, useRef, useState } from 'react'
import { explain } from '../api/problem.ts'
import { problemTexts } from '../texts/problem.ts'
import { Button } from './button.tsx'
import { CopyButton } from './copy-button.tsx'
import styles from './problem-note.module.css'
import { ScreenBack } from './screen.tsx'
import layout from './layout.module.css'
import typography from './typography.module.css'

export interface ProblemNoteProps {
  readonly error: unknown
  readonly onRetry?: () => void
  /** A read that is tried again without a click after the `Retry-After` of the platform (429). */
  readonly retriesItself?: boolean
  /** Nothing was entered for the call that failed. */
  readonly isRead?: boolean
}

/** Why something failed, where it failed: the sentence of the problem, its page, its trace id, and a way on. */
export function ProblemNote({ error, onRetry, retriesItself = false, isRead = retriesItself }: ProblemNoteProps) {
  const { text, page, traceId, isForbidden, isMissing, isRepeatable } = explain(error, { isRead })
  const back = use(ScreenBack)
  const Icon = isForbidden ? Lock : OctagonAlert
  const note = useRef<HTMLDivElement>(null)
  // Below the form that failed, it can be out of sight.
  useEffect(() => {
    // Newer browsers return a promise, which React would take for a function that cleans up.
    // A read stands where its rows will be: of several that failed, none is scrolled to.
    if (!retriesItself) void note.current?.scrollIntoView({ block: 'nearest' })
  }, [error, retriesItself])
  return (
    <div ref={note} className={`${layout['iconAndText']} ${styles['note']}`} role="alert" data-forbidden={isForbidden}>
      <Icon size={16} aria-hidden />
      <div className={`${layout['stack8']} ${layout['starts']}`}>
        <p className={typography['anywhere']}>{text}</p>
        <div className={`${layout['facts']} ${styles['ways']}`}>
          {onRetry && isRepeatable && <RetryButton error={error} onRetry={onRetry} retriesItself={retriesItself} />}
          {isMissing && back && <Link {...back}>{problemTexts.back}</Link>}
          {page && (
            <a href={page} target="_blank" rel="noreferrer">
              {problemTexts.page}
            </a>
          )}
        </div>
        {traceId && (
          <small className={layout['chips']}>
            <span>
              {problemTexts.trace} <code>{traceId}</code>
            </span>
            <CopyButton label={problemTexts.copyTrace} text={traceId} isShort />
          </small>
        )}
      </div>
    </div>
  )
}

interface RetryButtonProps {
  readonly error: unknown
  readonly onRetry: () => void
  readonly retriesItself: boolean
}

/** Counts down the seconds that the platform asked to wait (429). */
function RetryButton({ error, onRetry, retriesItself }: RetryButtonProps) {
  const [left_s, setLeft] = useState(() => explain(error).wait_s)
  const retry = useRef(onRetry)
  useEffect(() => {
    retry.current = onRetry
  })
  useEffect(() => {
    const { wait_s } = explain(error)
    setLeft(wait_s)
    if (wait_s === 0) return
    const end_ms = performance.now() + wait_s * 1000
    const timer = setInterval(() => {
      const rest_s = Math.max(0, Math.ceil((end_ms - performance.now()) / 1000))
      setLeft(rest_s)
      if (rest_s > 0) return
      clearInterval(timer)
      if (retriesItself) retry.current()
    }, 1000)
    return () => clearInterval(timer)
  }, [error, retriesItself])
  const waiting = retriesItself ? problemTexts.retriesIn : problemTexts.retryIn
  return (
    <Button disabled={left_s > 0} onClick={left_s > 0 ? undefined : onRetry}>
      {left_s > 0 ? waiting(left_s) : problemTexts.retry}
    </Button>
  )
}
