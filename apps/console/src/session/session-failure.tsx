import { useState } from 'react'
import { explain } from '../api/problem.ts'
import { texts } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { isRefusedCallback, SessionError } from './session-error.ts'
import styles from './session-failure.module.css'

export interface SessionFailureProps {
  readonly error: unknown
  /** Leaves for the sign-in page; a rejection is shown here. */
  readonly onSignIn: () => Promise<never>
}

/** Shown when nobody could be signed in: why, what to do about it, and a way to sign in again. */
export function SessionFailure({ error: first, onSignIn }: SessionFailureProps) {
  const [error, setError] = useState(first)
  const [isLeaving, setLeaving] = useState(false)
  const signIn = (): void => {
    setLeaving(true)
    onSignIn().catch((reason: unknown) => {
      setError(reason)
      setLeaving(false)
    })
  }
  return (
    <main className={styles['page']}>
      <div role="alert">
        <h1>{texts.account.failed}</h1>
        <p>{describe(error)}</p>
      </div>
      {error instanceof SessionError && error.origin !== null ? (
        <a href={`${error.origin}${location.pathname}${location.search}`}>{error.origin}</a>
      ) : (
        <Button kind="primary" isPending={isLeaving} onClick={signIn}>
          {texts.account.again}
        </Button>
      )}
    </main>
  )
}

function describe(error: unknown): string {
  if (error instanceof SessionError) {
    const sentences = texts.account.reasons
    if (error.reason === 'clock') return sentences.clock(error.clock_ahead_ms)
    return error.reason === 'insecure' ? sentences.insecure(location.host) : sentences[error.reason]
  }
  // `fetch` throws a TypeError if there was no answer.
  if (error instanceof TypeError) return explain(error).text
  return isRefusedCallback(error) ? texts.account.refused : texts.account.unavailable
}
