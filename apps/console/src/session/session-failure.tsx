import { useEffect, useState } from 'react'
import { accountTexts } from '../texts/account.ts'
import { Button } from '../ui/button.tsx'
import { isRefusedCallback, SessionError } from './session-error.ts'
import styles from './session-failure.module.css'
import typography from '../ui/typography.module.css'

export interface SessionFailureProps {
  readonly error: unknown
  /** Leaves for the sign-in page; a rejection is shown here. */
  readonly onSignIn: () => Promise<never>
  /** Opens the page again where it was; a rejection is shown here. */
  readonly onRetry: () => Promise<unknown>
}

/** Between attempts to reach a server that does not answer. */
const retry_interval_ms = 5000

/** Shown when nobody could be signed in: why, what to do about it, and a way to sign in again. */
export function SessionFailure({ error: first, onSignIn, onRetry }: SessionFailureProps) {
  const [error, setError] = useState(first)
  const [isLeaving, setLeaving] = useState(false)
  // `fetch` throws a TypeError if there was no answer.
  const isUnreachable = error instanceof TypeError
  const goOn = (step: () => Promise<unknown>): void => {
    setLeaving(true)
    step().catch((reason: unknown) => {
      setError(reason)
      setLeaving(false)
    })
  }
  useEffect(() => {
    if (!isUnreachable) return
    const retry = (): void => void onRetry().catch(setError)
    const timer = setInterval(retry, retry_interval_ms)
    addEventListener('online', retry)
    return () => {
      clearInterval(timer)
      removeEventListener('online', retry)
    }
  }, [isUnreachable, onRetry])
  return (
    <main className={styles['page']}>
      <div role="alert">
        <h1>{isUnreachable ? accountTexts.unreachable : accountTexts.failed}</h1>
        <p className={typography['muted']}>{isUnreachable ? accountTexts.unreachableHelp : describe(error)}</p>
      </div>
      {error instanceof SessionError && error.origin !== null ? (
        <a href={`${error.origin}${location.pathname}${location.search}`}>{error.origin}</a>
      ) : (
        <Button kind="primary" isPending={isLeaving} onClick={() => goOn(isUnreachable ? onRetry : onSignIn)}>
          {isUnreachable ? accountTexts.retry : accountTexts.again}
        </Button>
      )}
    </main>
  )
}

function describe(error: unknown): string {
  if (error instanceof SessionError) {
    const sentences = accountTexts.reasons
    if (error.reason === 'clock') return sentences.clock(error.clock_ahead_ms)
    return error.reason === 'insecure' ? sentences.insecure(location.host) : sentences[error.reason]
  }
  return isRefusedCallback(error) ? accountTexts.refused : accountTexts.unavailable
}
