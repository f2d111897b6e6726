import { useEffect, useState } from 'react'

const interval_ms = 1000

export interface Blink {
  /** The first picture is the one that is seen now. */
  readonly isFirst: boolean
  readonly isPlaying: boolean
  readonly play: (isPlaying: boolean) => void
  readonly step: () => void
}

/** Shows two pictures by turns. Where the system asks for little motion it stands still until a person starts it. */
export function useBlink(isOn: boolean): Blink {
  const [isFirst, setFirst] = useState(true)
  const [isPlaying, play] = useState(() => !matchMedia('(prefers-reduced-motion: reduce)').matches)
  useEffect(() => {
    if (!isOn || !isPlaying) return
    const timer = setInterval(() => setFirst((previous) => !previous), interval_ms)
    return () => clearInterval(timer)
  }, [isOn, isPlaying])
  return { isFirst: isFirst || !isOn, isPlaying, play, step: () => setFirst(!isFirst) }
}
