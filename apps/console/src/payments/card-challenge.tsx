import { ExternalLink, ShieldCheck } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { ApiProblem } from '@swath/client/problem.ts'
import { paymentsTexts } from '../texts/payments.ts'
import { Button } from '../ui/button.tsx'
import styles from './payments.module.css'
import layout from '../ui/layout.module.css'

export interface CardChallengeProps {
  /** `payment-action-required`. */
  readonly problem: ApiProblem
  /** Repeats the call with the same key. */
  readonly onContinue: () => void
  readonly isPending: boolean
}

/**
 * 3-D Secure: the page of the bank opens in a window of its own, since neither it nor the processor may be framed here. When
 * the person comes back, the payment goes on.
 */
export function CardChallenge({ problem, onContinue, isPending }: CardChallengeProps) {
  const url = problem.document['challenge_url']
  const [isOpened, setOpened] = useState(false)
  const proceed = useRef<() => unknown>(onContinue)
  useEffect(() => {
    proceed.current = () => !isPending && onContinue()
  })
  useEffect(() => {
    if (!isOpened) return
    const resume = (): void => void proceed.current()
    addEventListener('focus', resume)
    return () => removeEventListener('focus', resume)
  }, [isOpened])
  const open = (): void => {
    window.open(String(url), '_blank', 'noopener')
    setOpened(true)
  }
  return (
    <div className={`${layout['iconAndText']} ${styles['challenge']}`} role="status">
      <ShieldCheck size={16} aria-hidden />
      <div className={`${layout['stack12']} ${layout['narrow']}`}>
        <p>{typeof url === 'string' ? paymentsTexts.challenge : paymentsTexts.noChallengePage}</p>
        {typeof url === 'string' && (
          <div className={layout['wrap']}>
            <Button kind={isOpened ? 'plain' : 'primary'} icon={ExternalLink} onClick={open}>
              {paymentsTexts.openChallenge}
            </Button>
            {isOpened && (
              <Button kind="primary" onClick={onContinue} isPending={isPending}>
                {paymentsTexts.continue}
              </Button>
            )}
          </div>
        )}
      </div>
    </div>
  )
}
