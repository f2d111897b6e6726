import { LockKeyhole } from 'lucide-react'
import { useEffect, useState } from 'react'
import { texts } from '../../texts.ts'
import { formatRemaining } from './kept-quote.ts'
import layout from '../../ui/layout.module.css'
import typography from '../../ui/typography.module.css'

/** Remaining time of the price lock; requests the next price when it ends. */
export function LockCountdown({ expires_at, onEnd }: { expires_at: string; onEnd: () => void }) {
  const [now_ms, setNow] = useState(Date.now)
  const isOver = Date.parse(expires_at) <= now_ms
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  useEffect(() => {
    if (isOver) onEnd()
    // Only its end matters: `onEnd` is another function at each drawing.
  }, [isOver])
  return (
    <p className={`${layout['line']} ${typography['note']} ${typography['figures']}`}>
      <LockKeyhole size={14} aria-hidden="true" />
      {/* Read once by screen readers, not each second. */}
      <span role="timer">{texts.cart.locked(formatRemaining(expires_at, now_ms))}</span>
    </p>
  )
}
