import { useCallback, useEffect, useState } from 'react'

const interval_ms = 1000

/** The visible one of several pictures, and the controls that change it. */
export interface Turns {
  readonly index: number
  readonly isPlaying: boolean
  readonly play: (isPlaying: boolean) => void
  readonly show: (index: number) => void
  /** To the next one, or to the one before. */
  readonly step: (by?: 1 | -1) => void
}

/** Shows pictures by turns. Where the system asks for little motion it stands still until a person starts it. */
export function useTurns(count: number, isOn: boolean): Turns {
  const [index, setIndex] = useState(0)
  const [isPlaying, play] = useState(() => !matchMedia('(prefers-reduced-motion: reduce)').matches)
  const step = useCallback(
    (by: 1 | -1 = 1) => setIndex((previous) => (previous + by + count) % Math.max(1, count)),
    [count],
  )
  useEffect(() => {
    if (!isOn || !isPlaying) return
    const timer = setInterval(step, interval_ms)
    return () => clearInterval(timer)
  }, [isOn, isPlaying, step])
  return { index: isOn && index < count ? index : 0, isPlaying, play, show: setIndex, step }
}
